import BothyContract
import Foundation
import Synchronization
import Testing

@testable import BothyServer

@Suite struct CompactionTests {
    /// Files over several packs, of which some were deleted for good.
    ///
    /// - Returns: what is left, by id.
    private func filled(_ house: DataHouse, files: Int = 24, size: Int = 300_000, keeping one: Int = 12) async throws
        -> [String: [UInt8]]
    {
        try await house.addAccount(1, "a@example.org")
        var kept = [String: [UInt8]]()
        var gone = [String]()
        for number in 0..<files {
            let bytes = Block(size, seed: UInt64(number)).bytes
            let id = try await house.put("file \(number)", bytes)
            if number % one == 0 { kept[id] = bytes } else { gone.append(id) }
        }
        try await house.deleteForGood(gone)
        return kept
    }

    private func packFiles(_ house: DataHouse) throws -> [Int64] {
        try FileManager.default.contentsOfDirectory(atPath: house.data.packs)
            .compactMap(PackFormat.pack(ofFileName:)).sorted()
    }

    private func expectAll(_ kept: [String: [UInt8]], in house: DataHouse) async throws {
        for (id, bytes) in kept {
            let read = try await house.read(id)
            #expect(read == bytes)
        }
        #expect(try await house.verification.run().damaged.isEmpty)
    }

    @Test func packsOfWhichLittleIsLeftAreRewrittenAndGone() async throws {
        let house = try await DataHouse()
        let kept = try await filled(house, size: 200_000, keeping: 24)
        let before = try packFiles(house)
        let report = try await house.collection.run()
        #expect(report.compactedPacks == 1 && report.movedBytes == 200_000)
        #expect(try packFiles(house) == before.suffix(1))
        try await expectAll(kept, in: house)
        #expect(try await house.collection.run() == .init(freedBlocks: 0, freedBytes: 0))
        try await house.close()
    }

    /// Nothing was ever given back there.
    @Test func aDiskWithoutHolesGivesRoomBackPackByPack() async throws {
        let house = try await DataHouse(disk: FaultyDisk(fault: nil, hasHoles: false))
        let kept = try await filled(house, size: 200_000, keeping: 24)
        let before = try packFiles(house)
        let report = try await house.collection.run()
        #expect(report.compactedPacks == 1 && report.movedBytes == 200_000 && report.freedBytes > 0)
        #expect(try packFiles(house) == before.suffix(1))
        try await expectAll(kept, in: house)
        try await house.close()
    }

    @Test func aReaderThatHadLookedBlocksUpGetsTheRightBytes() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        let bytes = Block(1_700_000, seed: 1).bytes
        let id = try await house.put("film", bytes)
        try await house.put("another", Block(1_700_000, seed: 2).bytes)
        let content = try await house.database.read { db in
            let head = try FileTable(db, drive: 1).requireFile(id).headRevisionId
            return try StoredContent.find(revisionId: head ?? "", in: db, drive: 1)
        }
        let reader = ContentReader(database: house.database, packs: house.packs)
        let opened = try await reader.open(content, range: 0..<content.size)
        #expect(try await house.compaction.empty(1) == Int64(bytes.count))
        _ = try await house.collection.reclaim()
        #expect(try !packFiles(house).contains(1))
        var read = [UInt8]()
        try await reader.send(opened) { read += $0.readableBytesView }
        #expect(read == bytes)
        let damaged = try await house.database.read { try $0.query("SELECT 1 FROM blocks WHERE damaged = 1").count }
        #expect(damaged == 0)
        try await house.close()
    }

    @Test func aBlockThatIsNotCommittedYetKeepsThePackThatIsEmptied() async throws {
        let house = try await DataHouse()
        let kept = try await filled(house, files: 1)
        let late = Block(500_000, seed: 99)
        let (written, write) = AsyncStream<Void>.makeStream()
        let (emptied, emptying) = AsyncStream<Void>.makeStream()
        let writing = Task {
            try await house.writes.during(in: house.packs) {
                let location = try await late.store(in: house.packs)
                write.finish()
                for await _ in emptied {}
                try await house.database.write {
                    _ = try BlockTable($0, drive: 1).add(late.hash, at: location, lived: 0)
                }
                return location
            }
        }
        for await _ in written {}
        // The pack is full now, and what is known of it is moved away.
        for number in 0..<2 { try await house.put("more \(number)", Block(1_200_000, seed: UInt64(50 + number)).bytes) }
        _ = try await house.compaction.empty(1)
        let reclaiming = Task { try await house.collection.reclaim(1) }
        emptying.finish()
        let location = try await writing.value
        _ = try await reclaiming.value
        #expect(location.pack == 1)
        #expect(try await house.packs.readAll(location, of: late) == late.bytes)
        try await expectAll(kept, in: house)
        try await house.close()
    }

    @Test func aBlockThatGotOtherBytesMeanwhileKeepsThose() async throws {
        let house = try await DataHouse()
        _ = try await filled(house, files: 1)
        let stale = try await house.database.read { try BlockPlaces($0).whole(in: 1, after: 0, limit: 1)[0] }
        let repaired = BlockLocation(pack: 7, offset: 128, length: stale.location.length)
        try await house.database.write { db in
            try db.execute("UPDATE blocks SET damaged = 1")
            try BlockTable(db, drive: 1).repair(stale.hash, with: repaired)
            let copy = BlockLocation(pack: 8, offset: 128, length: stale.location.length)
            let isMoved = try BlockPlaces(db).move(stale, to: copy)
            let place = try BlockTable(db, drive: 1).location(of: stale.hash)
            #expect(!isMoved && place == repaired)
        }
        try await house.close()
    }

    @Test func aDamagedBlockStaysWhereItIsAndIsNamed() async throws {
        let house = try await DataHouse()
        let kept = try await filled(house, files: 8, size: 200_000, keeping: 1)
        let blocks = try await house.database.read { try BlockPlaces($0).whole(in: 1, after: 0, limit: 100) }
        let rotten = blocks[3]
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: house.data.packs + "/" + PackFormat.fileName(1)))
        try file.seek(toOffset: UInt64(rotten.location.offset) + 100_000)
        try file.write(contentsOf: Data([1, 2, 3, 4, 5, 6, 7, 8]))
        try file.close()
        try await house.put("rest", Block(1_900_000, seed: 77).bytes)
        #expect(try await house.compaction.empty(1) == Int64((blocks.count - 1) * 200_000))
        _ = try await house.collection.run()
        #expect(try packFiles(house).contains(1))
        let damaged = try await house.verification.run().damaged
        #expect(damaged.map(\.hash) == [rotten.hash])
        #expect(damaged.flatMap(\.files).count == 1)
        for (id, bytes) in kept where bytes != Block(200_000, seed: 3).bytes {
            let read = try await house.read(id)
            #expect(read == bytes)
        }
        try await house.close()
    }

    @Test func theDiskRestsInProportionToWhatWasCopied() async throws {
        let house = try await DataHouse()
        _ = try await filled(house, files: 6, keeping: 1)
        let pauses = Mutex([Double]())
        let compaction = Compaction(
            database: house.database, packs: house.packs, writes: house.writes,
            pause: { seconds in pauses.withLock { $0.append(seconds) } })
        let moved = try await compaction.empty(1)
        let rested = pauses.withLock { $0.reduce(0, +) }
        #expect(moved > 0 && abs(rested * Double(BlockMoves.bytesPerSecond) - Double(moved)) < 1)
        try await house.close()
    }

    @Test func aBackupFromBeforeAndOneFromAfterAreBothWhole() async throws {
        let house = try await DataHouse()
        try await house.beginLife("house")
        let kept = try await filled(house, size: 200_000, keeping: 24)
        let backup = house.folder.file("backup")
        for name in ["before", "after"] {
            _ = try await house.backup.run(to: backup)
            let data = DataFolder(path: house.folder.file(name))
            _ = try await Restore(clock: house.clock).run(from: backup, to: data)
            let restored = try await DataHouse(at: data)
            try await expectAll(kept, in: restored)
            try await restored.close()
            _ = try await house.collection.run()
        }
        try await house.close()
    }
}
