import BothyContract
@testable import BothySync
import Testing

/// Where content lies here that a plan brings.
@Suite struct ContentHereTests {
    private func content(_ number: UInt8) -> ContentHash { ContentHash(bytes: [UInt8](repeating: number, count: 32))! }

    private func tree(files: Int) -> SyncedTree {
        var tree = SyncedTree(rootId: "f0")
        for number in 0..<files {
            let facts = SyncedFacts(
                remoteId: "f\(number + 1)", kind: .file, remoteName: "x", local: LocalStamp(inode: UInt64(number)),
                checksum: content(UInt8(number % 10)), size: 500)
            tree.put(facts, named: NodeName("file \(number)"), under: "f0")
        }
        return tree
    }

    private func download(_ content: ContentHash?, size: Int64) -> Action {
        var theirs = RemoteFingerprint(RemoteFacts(id: "new", kind: .file))
        theirs.checksum = content
        theirs.size = size
        return Action(
            .download(at: Spot("new", folderId: "f0", remoteName: "new"), theirs: theirs, over: nil), .createdThere)
    }

    @Test func aFileWithTheContentIsFound() {
        let here = ContentHere(for: [download(content(3), size: 500)], in: tree(files: 10))
        #expect(here.files(with: content(3)) == ["f4"] && here.files(with: content(4)).isEmpty)
    }

    @Test func someOfManyAreEnough() {
        let here = ContentHere(for: [download(content(3), size: 500)], in: tree(files: 200))
        #expect(here.files(with: content(3)).count == 4)
    }

    /// To look at a file costs as much as to fetch a byte.
    @Test func littleIsFetchedWithoutALookAtMuch() {
        #expect(
            ContentHere(for: [download(content(3), size: 199)], in: tree(files: 200)).files(with: content(3)).isEmpty)
        let many = (0..<200).map { _ in download(content(3), size: 2) }
        #expect(ContentHere(for: many, in: tree(files: 200)).files(with: content(3)).isEmpty)
    }

    @Test func aFileThatIsNotOnTheDiskIsNone() {
        var synced = tree(files: 10)
        synced.update("f4") { $0.local = nil }
        #expect(ContentHere(for: [download(content(3), size: 500)], in: synced).files(with: content(3)).isEmpty)
    }
}
