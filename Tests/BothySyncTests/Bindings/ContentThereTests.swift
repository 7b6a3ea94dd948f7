import BothyContract
@testable import BothySync
import Testing

/// What the drive has, perhaps, of what a plan sends.
@Suite struct ContentThereTests {
    private let large = Int64(6 << 20)

    private func content(_ number: UInt8) -> ContentHash { ContentHash(bytes: [UInt8](repeating: number, count: 32))! }

    private func tree(_ contents: [UInt8]) -> SyncedTree {
        var tree = SyncedTree(rootId: "f0")
        for number in contents {
            let facts = SyncedFacts(
                remoteId: "f\(number)", kind: .file, remoteName: "x", local: nil, checksum: content(number),
                size: large)
            tree.put(facts, named: NodeName("file \(number)"), under: "f0")
        }
        return tree
    }

    private func upload(_ size: Int64) -> Action {
        let mine = LocalFingerprint(LocalFacts(kind: .file, stamp: LocalStamp(size: size)))
        return Action(
            .upload(
                at: Spot("new", folderId: "f0", remoteName: "new"), mine: mine, over: nil, insteadOf: nil), .createdHere
        )
    }

    @Test func filesOfTheSameSizeMayBeIt() {
        let there = ContentThere(for: [upload(large)], in: tree([1, 2]))
        #expect(there.contents(of: large, besides: nil) == [content(1), content(2)])
        #expect(there.contents(of: large + 1, besides: nil).isEmpty)
    }

    /// An edit that leaves its file as long as it was is no copy of it.
    @Test func whatTheFileWasIsNotIt() {
        let there = ContentThere(for: [upload(large)], in: tree([1]))
        #expect(there.contents(of: large, besides: content(1)).isEmpty)
    }

    @Test func aSmallFileGoesAsItIs() {
        let there = ContentThere(for: [upload(Int64(UploadLimits.batchContent))], in: tree([1]))
        #expect(there.contents(of: large, besides: nil).isEmpty)
    }

    /// Reels of one length each: to read each of them once more would find nothing.
    @Test func whereManyFilesAreEquallyLongTheirLengthSaysNothing() {
        let there = ContentThere(for: [upload(large)], in: tree(Array(1...9)))
        #expect(there.contents(of: large, besides: nil).isEmpty)
    }
}
