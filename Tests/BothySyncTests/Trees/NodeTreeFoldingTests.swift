import BothyContract
import BothySync
import Testing

/// Names as a disk compares them.
@Suite struct NodeTreeFoldingTests {
    private let disk = DiskTraits(spelling: .insensitive, tellsCaseApart: false)

    private func tree(_ places: Place...) -> LocalTree {
        var local = LocalTree()
        for place in places { local.put(LocalFacts(kind: .folder), at: place) }
        local.tree.fold(for: disk)
        return local
    }

    @Test func aNameIsFoundInAnyCaseAndSpelling() {
        let local = tree("Report", "\u{e9}")
        #expect(local.tree.child("REPORT", of: .root, as: disk) == local.node(at: "Report"))
        #expect(local.tree.child("E\u{301}", of: .root, as: disk) == local.node(at: "\u{e9}"))
        #expect(local.tree.child("report", of: .root) == nil, "byte by byte it is another")
    }

    @Test func itIsFoundWhereItWasMoved_andNoMoreWhereItWas() {
        var local = tree("a", "b")
        local.move("a", to: "b/New")
        let b = local.node(at: "b")!
        #expect(local.tree.child("A", of: .root, as: disk) == nil)
        #expect(local.tree.child("NEW", of: b, as: disk) == local.node(at: "b/New"))
        local.remove("b")
        #expect(local.tree.child("B", of: .root, as: disk) == nil)
    }

    @Test func aRenameInCaseAloneKeepsTheName() {
        var local = tree("readme")
        local.move("readme", to: "README")
        #expect(local.tree.child("ReadMe", of: .root, as: disk) == local.node(at: "README"))
    }
}
