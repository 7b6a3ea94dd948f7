import BothyClient
import BothyContract
import Testing

@testable import BothySync

@Suite struct VerifiedPartTests {
    private func part(_ id: String, _ place: Place) -> VerifiedPart {
        let binding = Binding(
            id: id, localPath: "/home/anna/\(id)", remoteId: "f-\(id)", remotePath: "/\(id)", accountId: "a", mark: "m",
            root: LocalStamp(inode: 2), deletions: .mirror, conflicts: .fork, exclude: [],
            createdAt: Timestamp(seconds: 5))
        return VerifiedPart(binding: binding, place: place)
    }

    @Test func whatIsNamedTwiceIsReadOnce() {
        let named = [
            part("a", "docs/old"), part("a", "docs"), part("b", "docs"), part("a", "docs"), part("a", "docs-2"),
        ]
        #expect(
            VerifiedPart.outermost(named).map { "\($0.binding.id) \($0.place)" } == ["a docs", "b docs", "a docs-2"])
        #expect(VerifiedPart.outermost([part("a", "x"), part("a", .root)]).map(\.place) == [.root])
        #expect(VerifiedPart.outermost([]).isEmpty)
    }
}
