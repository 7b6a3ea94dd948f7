import BothyContract
import Testing

@testable import BothyServer

@Suite struct StorageFiguresTests {
    private func figures(_ house: DataHouse, drive: Int64 = 1) async throws -> StorageFigures {
        try await house.database.read { try StorageTable($0, drive: drive).figures() }
    }

    /// The packs' own headers, and what the ends of a hole keep.
    private static let slack: Int64 = 64 << 10

    @Test func nothingIsNothing() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        #expect(try await figures(house) == StorageFigures())
        try await house.close()
    }

    @Test func versionsAndCopiesAreLogicalAndSharedBlocksAreKeptOnce() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        try await house.addAccount(2, "b@example.org")
        let (first, second) = (Block(100_000, seed: 1).bytes, Block(70_000, seed: 2).bytes)
        try await house.put("a", first)
        try await house.put("a", second)
        let folder = try await house.makeFolder("docs")
        try await house.put("copy of a", first, in: folder)
        try await house.put("theirs", first, drive: 2)
        let mine = try await figures(house)
        #expect(mine.files == 2 && mine.folders == 1 && mine.versions == 3)
        #expect(mine.logicalBytes == 270_000 && mine.currentBytes == 170_000)
        #expect(mine.blocks == 2 && mine.uniqueBytes == 170_000)
        #expect(mine.storedBytes == PackFormat.recordBytes(100_000) + PackFormat.recordBytes(70_000))
        #expect(mine.waitingBytes == 0)
        let theirs = try await figures(house, drive: 2)
        #expect(theirs.files == 1 && theirs.uniqueBytes == 100_000)
        var all = mine
        all += theirs
        #expect(all.uniqueBytes == 270_000 && all.versions == 4)
        // What came twice was written twice, and is garbage until it is reclaimed.
        #expect(all.garbageBytes(ofPacks: try house.packs.usage().usedBytes) >= 100_000)
        _ = try await house.collection.run()
        let usage = try house.packs.usage()
        #expect(all.garbageBytes(ofPacks: usage.usedBytes) < Self.slack)
        try await house.close()
    }

    @Test func whatWasDeletedWaitsIsFreedAndIsGarbageUntilItsRoomIsGivenBack() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        try await house.put("kept", Block(700_000, seed: 1).bytes)
        let gone = try await house.put("gone", Block(900_000, seed: 2).bytes)
        let stamp = house.stamps.stamp(driveId: 1, deviceId: nil)
        try await house.database.write { [stamps = house.stamps] db in
            _ = try FileDeletion(id: gone, permanent: true).perform(in: db, stamp: stamp)
            while try Purge.drain(in: db, stamps: stamps) {}
        }
        let waiting = try await figures(house)
        #expect(waiting.files == 1 && waiting.blocks == 1)
        #expect(waiting.waitingBytes == PackFormat.recordBytes(900_000))
        #expect(waiting.garbageBytes(ofPacks: try house.packs.usage().usedBytes) >= waiting.waitingBytes)
        house.clock.advance(seconds: UploadExpiry.unreferencedLifetime + 1)
        _ = try await house.collection.run()
        let after = try await figures(house)
        #expect(after.waitingBytes == 0 && after.uniqueBytes == 700_000)
        #expect(after.garbageBytes(ofPacks: try house.packs.usage().usedBytes) < Self.slack)
        try await house.close()
    }
}
