import BothyContract
import Foundation
import NIOCore
import Testing

@testable import BothyServer

@Suite struct SqueezingTests {
    private func figures(_ house: DataHouse) async throws -> StorageFigures {
        try await house.database.read { try StorageTable($0, drive: 1).figures() }
    }

    private func filled(_ house: DataHouse) async throws -> [String: [UInt8]] {
        try await house.addAccount(1, "a@example.org")
        var files = [String: [UInt8]]()
        for number in 0..<6 {
            let text = CompressedBlockTests.text(400_000, seed: UInt64(number))
            let bytes = number % 3 == 2 ? Block(400_000, seed: UInt64(number)).bytes : text
            files[try await house.put("file \(number)", bytes)] = bytes
        }
        return files
    }

    private func expectAll(_ files: [String: [UInt8]], in house: DataHouse) async throws {
        for (id, bytes) in files {
            let read = try await house.read(id)
            #expect(read == bytes)
        }
        let report = try await house.verification.run()
        #expect(report.damaged.isEmpty && report.blocks == files.count)
    }

    @Test func whatShrinksTakesLessAndIsReadAsItCame() async throws {
        let house = try await DataHouse()
        let files = try await filled(house)
        let before = try await figures(house)
        #expect(before.savedBytes == 0)
        try await house.collection.tidyPacks()
        let after = try await figures(house)
        #expect(after.uniqueBytes == before.uniqueBytes && after.logicalBytes == before.logicalBytes)
        #expect(after.savedBytes > 1_000_000 && after.storedBytes < before.storedBytes - 1_000_000)
        #expect(try house.packs.usage().usedBytes < 2_000_000)
        let used = try await house.database.read { try $0.first("SELECT used_bytes FROM drives")?.int64(0) }
        #expect(used == before.uniqueBytes)
        try await expectAll(files, in: house)
        try await house.close()
    }

    @Test func eachBlockIsTriedOnce() async throws {
        let house = try await DataHouse()
        _ = try await filled(house)
        try await house.collection.tidyPacks()
        let places = try await house.database.read {
            try $0.query("SELECT pack, pack_offset FROM blocks").map(\.values)
        }
        let untried = try await house.database.read {
            try BlockPlaces($0).untried(after: ReclaimMark(pack: 0, offset: 0), limit: 10)
        }
        #expect(untried.isEmpty)
        try await house.collection.tidyPacks()
        let again = try await house.database.read { try $0.query("SELECT pack, pack_offset FROM blocks").map(\.values) }
        #expect(again == places)
        try await house.close()
    }

    @Test func aRangeAcrossCompressedAndPlainBlocksComesBack() async throws {
        let house = try await DataHouse()
        let files = try await filled(house)
        try await house.collection.tidyPacks()
        for (id, bytes) in files {
            let content = try await house.database.read { db in
                let head = try FileTable(db, drive: 1).requireFile(id).headRevisionId
                return try StoredContent.find(revisionId: head ?? "", in: db, drive: 1)
            }
            let reader = ContentReader(database: house.database, packs: house.packs)
            for range in [0..<1, 399_999..<400_000, 100_000..<300_001] as [Range<Int64>] {
                var read = [UInt8]()
                let opened = try await reader.open(content, range: range)
                try await reader.send(opened) { read += $0.readableBytesView }
                #expect(read == Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
            }
        }
        try await house.close()
    }

    @Test func backupsExportsAndCompactionTakeCompressedBlocksAsTheyAre() async throws {
        let house = try await DataHouse()
        try await house.beginLife("house")
        let files = try await filled(house)
        try await house.collection.tidyPacks()
        for pack in try await house.packs.fullPacks().map(\.pack) { _ = try await house.compaction.empty(pack) }
        _ = try await house.collection.run()
        try await expectAll(files, in: house)
        #expect(try await figures(house).savedBytes > 1_000_000)
        let out = house.folder.file("out")
        _ = try await house.export.run(to: out, email: nil)
        let exported = try DataHouse.tree(out).values
        #expect(files.values.allSatisfy { bytes in exported.contains(bytes) })
        let backup = house.folder.file("backup")
        _ = try await house.backup.run(to: backup)
        let data = DataFolder(path: house.folder.file("restored"))
        _ = try await Restore(clock: house.clock).run(from: backup, to: data)
        let restored = try await DataHouse(at: data)
        try await expectAll(files, in: restored)
        try await restored.close()
        try await house.close()
    }

    @Test func aRottenCompressedBlockIsNamedAndRepairedByPuttingItsFileAgain() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        let bytes = CompressedBlockTests.text(400_000, seed: 1)
        let id = try await house.put("letter", bytes)
        try await house.collection.tidyPacks()
        let place = try await house.database.read { db in
            try db.query("SELECT \(BlockLocation.columns()) FROM blocks").map { BlockLocation($0, from: 0) }[0]
        }
        #expect(place.isCompressed)
        let path = house.data.packs + "/" + PackFormat.fileName(place.pack)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(place.offset) + 1000)
        try file.write(contentsOf: Data([0xAA, 0x55, 0xAA, 0x55]))
        try file.close()
        let damaged = try await house.verification.run().damaged
        #expect(damaged.flatMap(\.files).map(\.path) == ["/letter"])
        await #expect { _ = try await house.read(id) } throws: { isDamage($0) }
        try await house.put("letter", bytes)
        #expect(try await house.read(id) == bytes)
        #expect(try await house.verification.run().damaged.isEmpty)
        try await house.close()
    }

    @Test func whicheverCallOfTheDiskFailsNothingIsLost() async throws {
        let healthy = FaultyDisk(fault: nil)
        let first = try await DataHouse(disk: healthy)
        _ = try await filled(first)
        let before = healthy.calls.count
        try await first.collection.tidyPacks()
        let calls = before..<healthy.calls.count
        try await first.close()
        #expect(!calls.isEmpty)
        for call in calls {
            let house = try await DataHouse(disk: FaultyDisk(fault: .init(call: call, code: EIO)))
            let files = try await filled(house)
            do { try await house.collection.tidyPacks() } catch is PackError {}
            try await expectAll(files, in: house)
            do { try await house.close() } catch is PackError {}
            let again = try await DataHouse(at: house.data)
            try await again.collection.tidyPacks()
            try await expectAll(files, in: again)
            #expect(try await figures(again).savedBytes > 1_000_000)
            try await again.close()
        }
    }
}
