import Foundation
import Testing

@testable import BothyServer

/// A pack's number is given once: what a database, or a backup, says of it must never be said of another file.
@Suite struct PackNumberTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(newestKnown: Int64 = 0) async throws -> FilesystemPackStore {
        try await FilesystemPackStore.open(
            folder: folder.file("packs"), newestKnown: newestKnown, minimumFreeBytes: 0, logger: .silent,
            maximumPackBytes: 1 << 20)
    }

    @Test func theNumberOfALostPackIsNotGivenAgain() async throws {
        let first = try await open()
        let lost = try await Block(5000, seed: 1).store(in: first)
        try await first.close()
        try FileManager.default.removeItem(atPath: folder.file("packs") + "/" + PackFormat.fileName(lost.pack))

        let second = try await open(newestKnown: lost.pack)
        #expect(try await Block(5000, seed: 2).store(in: second).pack == lost.pack + 1)
        try await second.close()
    }

    /// The database forgets a lost pack with the last file that was in it; the folder remembers.
    @Test func aNumberThatWasKnownOnceIsRememberedWithoutAnyWrite() async throws {
        let first = try await open(newestKnown: 7)
        try await first.close()
        let second = try await open()
        #expect(try await Block(5000, seed: 1).store(in: second).pack == 8)
        try await second.close()
    }

    @Test func whatLiesInTheNewestKnownPackIsGoneOnWith() async throws {
        let first = try await open()
        let location = try await Block(5000, seed: 1).store(in: first)
        try await first.close()
        let second = try await open(newestKnown: location.pack)
        #expect(try await Block(5000, seed: 2).store(in: second).pack == location.pack)
        try await second.close()
    }

    /// A backup goes on copying a pack where it was: another file under the number would be taken for the same one's end.
    @Test func aFullPackOfWhichEverythingDiedKeepsItsNumber() async throws {
        let first = try await open()
        let full = try await Block(1 << 20, seed: 1).store(in: first)
        try await first.close()
        let second = try await open()
        let mark = await second.reclaimMark()
        #expect(try await second.reclaim(keeping: { _ in [] }, asOf: mark) > 0)
        try await second.close()
        let third = try await open()
        #expect(try await Block(5000, seed: 2).store(in: third).pack == full.pack + 1)
        try await third.close()
    }
}
