import BothyContent
import BothyContract
import Testing

@testable import Simulation

/// A new file in the place of one that others have deleted, on a disk that takes the names of both for one.
@Suite struct RespelledTests {
    private static let old = Content.unique(1)
    private static let new = Content.unique(2)

    private static func hash(_ content: Content) -> ContentHash { SHA256Hasher.hash(content.bytes) }

    /// One deletes a file, another saves it anew, a third deletes that; a fourth has something in its place meanwhile.
    private func whatStaysDeleted(whereAnotherWrites path: String, having contents: Set<ContentHash>)
        -> [ContentHash]
    {
        var ledger = Ledger()
        ledger.wrote(Self.old, by: .folder(0))
        ledger.removed(Self.hash(Self.old), at: "/b/A", by: .folder(1))
        ledger.respelled(path, among: contents, by: .folder(2))
        ledger.removed(Self.hash(Self.old), at: "/b/A", by: .folder(0))
        ledger.wrote(Self.new, over: Self.hash(Self.old), by: .folder(0))
        ledger.removed(Self.hash(Self.new), at: "/b/A", by: .folder(3))
        return ledger.deleted
    }

    @Test func inAnotherCaseItIsThatFileRenamed() {
        let deleted = whatStaysDeleted(whereAnotherWrites: "/b/a", having: [Self.hash(Self.old)])
        #expect(!deleted.contains(Self.hash(Self.new)))
    }

    @Test(arguments: ["/b/A", "/b/c", "/a"]) func elsewhereAndByItsOwnNameItIsNot(_ path: String) {
        let deleted = whatStaysDeleted(whereAnotherWrites: path, having: [Self.hash(Self.old)])
        #expect(deleted.contains(Self.hash(Self.new)))
    }

    @Test func whatHasNeverComeHereIsNotRenamed() {
        #expect(whatStaysDeleted(whereAnotherWrites: "/b/a", having: []).contains(Self.hash(Self.new)))
    }
}
