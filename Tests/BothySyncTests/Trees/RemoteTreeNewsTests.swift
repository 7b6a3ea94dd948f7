import BothyContract
import Testing

@testable import BothySync

/// Taking in what a log told comes to the tree of all files, or says that it cannot tell.
@Suite struct RemoteTreeNewsTests {
    private static let names = ["a", "b", "c"]

    /// What tells two trees apart: where each file is, and what is known of it.
    private func facts(_ tree: RemoteTree) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: tree.tree.subtree(of: .root).dropFirst().map {
                (tree[$0].id, "\(tree.tree.place(of: $0)) \(tree[$0])")
            })
    }

    @Test func whatTheLogToldIsWhatAllFilesTell() throws {
        var taken = 0
        for seed in 0..<2_000 as Range<UInt64> {
            var dice = SeededGenerator(seed: seed)
            var drive = ToldDrive()
            for _ in 0..<12 { act(on: &drive, &dice) }
            _ = drive.takeNews()
            let before = drive.tree
            for _ in 0..<Int.random(in: 1...6, using: &dice) { act(on: &drive, &dice) }
            var part = before
            guard let touched = part.take(drive.takeNews()) else { continue }
            taken += 1
            let (now, then, whole) = (facts(part), facts(before), facts(drive.tree))
            guard now == whole else {
                Issue.record("seed \(seed): \(now.values.sorted()), and all files tell \(whole.values.sorted())")
                return
            }
            for id in Set(now.keys).union(then.keys) where own(id, before) != own(id, part) {
                let isTold = touched.contains(id) || (now[id] == nil && wentAlong(id, before, touched))
                if !isTold { Issue.record("seed \(seed): \(id) changed untold") }
            }
        }
        #expect(taken > 1_000, "else it would hold of a log that never tells")
    }

    /// What is known of it by itself, wherever its folder is.
    private func own(_ id: String, _ tree: RemoteTree) -> String? {
        tree.node(id).map {
            "\(tree.tree.parent(of: $0).map { tree[$0].id } ?? "") \(tree.tree.name(of: $0)) \(tree[$0])"
        }
    }

    /// Whether something above it was told of.
    private func wentAlong(_ id: String, _ tree: RemoteTree, _ touched: Set<String>) -> Bool {
        var node = tree.node(id)
        while let above = node {
            if touched.contains(tree[above].id) { return true }
            node = tree.tree.parent(of: above)
        }
        return false
    }

    private func act(on drive: inout ToldDrive, _ dice: inout SeededGenerator) {
        let own = [ToldDrive.box, ToldDrive.outside]
        let folders = drive.files.values.filter(\.isFolder).map(\.id).sorted()
        let folder = folders.randomElement(using: &dice)!
        let name = Self.names.randomElement(using: &dice)!
        guard let id = drive.files.keys.filter({ !own.contains($0) }).sorted().randomElement(using: &dice) else {
            drive.make(name, in: folder, isFolder: true)
            return
        }
        switch Int.random(in: 0..<12, using: &dice) {
        case 0..<2: drive.make(name, in: folder, isFolder: true)
        case 2..<5: drive.make(name, in: folder, isFolder: false)
        case 5: drive.edit(id)
        case 6..<9: drive.move(id, to: folder, named: name)
        case 9: drive.trash(id)
        case 10: drive.untrash(id)
        default: drive.deletePermanently(id)
        }
    }

    // MARK: - Case by case

    private func box(_ make: (inout ToldDrive) -> Void) -> ToldDrive {
        var drive = ToldDrive()
        make(&drive)
        _ = drive.takeNews()
        return drive
    }

    private func names(_ tree: RemoteTree) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: tree.tree.subtree(of: .root).dropFirst().map {
                (tree.tree.place(of: $0).text, tree[$0].id)
            })
    }

    @Test func twoThatChangedNamesAreTold() {
        var drive = box { drive in
            drive.make("a", in: ToldDrive.box, isFolder: false)
            drive.make("b", in: ToldDrive.box, isFolder: false)
        }
        var tree = drive.tree
        drive.move("f1", to: ToldDrive.box, named: "t")
        drive.move("f2", to: ToldDrive.box, named: "a")
        drive.move("f1", to: ToldDrive.box, named: "b")
        #expect(tree.take(drive.takeNews()) == ["f1", "f2"])
        #expect(names(tree) == ["a": "f2", "b": "f1"])
    }

    @Test func whatLeavesTheFolderIsGoneFromIt() {
        var drive = box { drive in
            drive.make("a", in: ToldDrive.box, isFolder: true)
            drive.make("b", in: "f1", isFolder: false)
        }
        var tree = drive.tree
        drive.move("f1", to: ToldDrive.outside, named: "a")
        #expect(tree.take(drive.takeNews()) == ["f1"] && names(tree).isEmpty)
    }

    /// The log tells the folder alone, and it may come with anything in it.
    @Test func aFolderThatComesInFromElsewhereNeedsALookAtEverything() {
        var drive = box { $0.make("a", in: ToldDrive.outside, isFolder: true) }
        var tree = drive.tree
        drive.move("f1", to: ToldDrive.box, named: "a")
        #expect(tree.take(drive.takeNews()) == nil)
    }

    @Test func anOlderStateChangesNothing() throws {
        var drive = box { $0.make("a", in: ToldDrive.box, isFolder: false) }
        let old = try #require(drive.files["f1"])
        drive.edit("f1")
        var tree = drive.tree
        #expect(tree.take(["f1": old]) == [])
        #expect(tree.facts("f1")?.version == 2)
    }

    @Test(arguments: ["..", "a/b", ""])
    func aNameThatIsNoneNeedsALookAtEverything(_ name: String) {
        var tree = box { _ in }.tree
        #expect(tree.take(["f9": ToldDrive.file("f9", named: name, in: ToldDrive.box)]) == nil)
    }

    @Test func twoOfOneNameNeedALookAtEverything() {
        var tree = box { $0.make("a", in: ToldDrive.box, isFolder: false) }.tree
        #expect(tree.take(["f9": ToldDrive.file("f9", named: "a", in: ToldDrive.box)]) == nil)
    }

    @Test func foldersThatLieInEachOtherNeedALookAtEverything() {
        var tree = box { drive in
            drive.make("a", in: ToldDrive.box, isFolder: true)
            drive.make("b", in: ToldDrive.box, isFolder: true)
        }.tree
        let circle = [
            "f1": ToldDrive.file("f1", named: "a", in: "f2", isFolder: true, version: 2),
            "f2": ToldDrive.file("f2", named: "b", in: "f1", isFolder: true, version: 2),
        ]
        let touched = tree.take(circle)
        #expect(touched == nil || names(tree).isEmpty)
    }
}
