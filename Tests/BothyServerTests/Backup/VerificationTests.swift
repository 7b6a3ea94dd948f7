import BothyContract
import Foundation
import Testing

@testable import BothyServer

@Suite struct VerificationTests {
    @Test func aRottenBlockIsNamedWithTheFilesThatHaveIt() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        let folder = try await house.makeFolder("docs")
        let rotten = Block(200_000, seed: 1)
        try await house.put("old.txt", rotten.bytes, in: folder)
        try await house.put("copy.txt", rotten.bytes)
        try await house.put("old.txt", Block(200_000, seed: 2).bytes, in: folder)
        try await house.put("fine.txt", Block(200_000, seed: 3).bytes)
        let location = try #require(
            try await house.database.read { try BlockTable($0, drive: 1).location(of: rotten.hash) })
        let path = house.data.packs + "/" + PackFormat.fileName(location.pack)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(location.offset) + 100_000)
        try file.write(contentsOf: Data([rotten.bytes[100_000] ^ 1]))
        try file.close()

        let report = try await house.verification.run()
        #expect(report.blocks == 3)
        #expect(report.damaged.map(\.hash) == [rotten.hash])
        let files = report.damaged.flatMap(\.files)
        #expect(Set(files.map { "\($0.path) \($0.isHead)" }) == ["/docs/old.txt false", "/copy.txt true"])

        // Export leaves out what is damaged, names it, and writes everything else.
        let target = try TemporaryFolder()
        let written = try await house.export.run(to: target.file("out"), email: "a@example.org")
        #expect(written.leftOut.map(\.path) == [target.file("out") + "/a@example.org/copy.txt"])
        #expect(
            Set(try DataHouse.tree(target.file("out")).keys) == [
                "a@example.org/docs/old.txt", "a@example.org/fine.txt",
            ])
        try await house.close()
    }

    /// A check of hours ended where many people looked at much for a moment.
    @Test func manyWhoLookAtMuchKeepACheckWaitingAndDoNotEndIt() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        let block = Block(200_000, seed: 1)
        try await house.put("a.txt", block.bytes)
        let location = try #require(
            try await house.database.read { try BlockTable($0, drive: 1).location(of: block.hash) })
        let affected = AffectedFiles(WatchedDatabase(house.database, busyApart: 3), pause: .zero)
        let stored = Verification.StoredBlock(driveId: 1, hash: block.hash, location: location, isDamaged: true)
        let damage = try await affected.damage(of: [stored])
        #expect(damage.flatMap(\.files).map(\.path) == ["/a.txt"])
        try await house.close()
    }

    /// A pack that rotted whole had its drive's list of blocks read once for each of its blocks.
    @Test func whatManyDamagedBlocksAreInIsFoundInOneWalk() async throws {
        let house = try await DataHouse()
        for drive in [1, 2] as [Int64] { try await house.addAccount(drive, "\(drive)@example.org") }
        let rotten = (0..<12).map { Block(100_000, seed: UInt64($0)) }
        for (number, block) in rotten.enumerated() { try await house.put("\(number)", block.bytes) }
        try await house.put("again", rotten[0].bytes)
        try await house.put("fine", Block(100_000, seed: 50).bytes)
        try await house.put("theirs", Block(100_000, seed: 51).bytes, drive: 2)
        for block in rotten {
            let place = try #require(
                try await house.database.read { try BlockTable($0, drive: 1).location(of: block.hash) })
            let path = house.data.packs + "/" + PackFormat.fileName(place.pack)
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            try file.seek(toOffset: UInt64(place.offset) + 50_000)
            let byte = try #require(try file.read(upToCount: 1)?.first)
            try file.seek(toOffset: UInt64(place.offset) + 50_000)
            try file.write(contentsOf: Data([byte ^ 1]))
            try file.close()
        }
        let database = WatchedDatabase(house.database)
        let report = try await Verification(database: database, packs: house.packs).run()
        #expect(report.blocks == 14)
        #expect(Set(report.damaged.map(\.hash)) == Set(rotten.map(\.hash)))
        let first = try #require(report.damaged.first { $0.hash == rotten[0].hash })
        #expect(Set(first.files.map(\.path)) == ["/0", "/again"])
        #expect(report.damaged.flatMap(\.files).count == 13)
        let walks = database.statements.filter { $0.contains("FROM content_blocks") }
        #expect(walks.count == 1)
        #expect(database.statementsApart.contains { $0.contains("FROM content_blocks") })
        try await house.close()
    }

    @Test func aFileThatIsPutAgainRepairsItsDamagedBlockInEveryRevisionThatHasIt() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        let rotten = Block(200_000, seed: 1)
        try await house.put("a.txt", rotten.bytes)
        try await house.put("b.txt", rotten.bytes)
        let path = house.data.packs + "/" + PackFormat.fileName(1)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let place = try #require(
            try await house.database.read { try BlockTable($0, drive: 1).location(of: rotten.hash) })
        try file.seek(toOffset: UInt64(place.offset) + 50_000)
        try file.write(contentsOf: Data([rotten.bytes[50_000] ^ 1]))
        try file.close()
        #expect(try await house.verification.run().damaged.count == 1)

        // A session that names the whole file's hash, or the block, is asked for the bytes.
        let request = UploadRequest(
            requestId: nil, name: "c.txt", size: Int64(rotten.bytes.count), fileHashSha256: rotten.hash,
            plan: .blocks([BlockReference(sha256: rotten.hash, size: Int64(rotten.bytes.count))]))
        let caller = Caller(userId: 1, driveId: 1, deviceId: "device")
        let reply = try await house.sessions.start(request, identity: .none(for: "test"), for: caller)
        #expect(reply.outcome == nil && reply.response.receivedChunks.isEmpty)

        let used = try await house.database.read { try $0.first("SELECT used_bytes FROM drives")?.int64(0) }
        try await house.put("a.txt", rotten.bytes)
        let whole = try await house.verification.run()
        #expect(whole.damaged.isEmpty && whole.databaseFaults.isEmpty && whole.blocks == 1)
        #expect(try await house.database.read { try $0.first("SELECT used_bytes FROM drives")?.int64(0) } == used)
        try await house.close()
    }

    @Test func aSectorThatCannotBeReadIsDamageOfOneFileAndTheRestIsReadOn() async throws {
        let disk = FaultyDisk(fault: nil)
        let house = try await DataHouse(disk: disk)
        try await house.addAccount(1, "a@example.org")
        let blocks = (0..<5).map { Block(200_000, seed: $0) }
        for (number, block) in blocks.enumerated() { try await house.put("\(number)", block.bytes) }
        let location = try #require(
            try await house.database.read { try BlockTable($0, drive: 1).location(of: blocks[1].hash) })
        disk.breakSector(at: location.offset + 100_000)
        let report = try await house.verification.run()
        #expect(report.blocks == blocks.count)
        #expect(report.damaged.map(\.hash) == [blocks[1].hash])
        #expect(report.damaged.flatMap(\.files).map(\.path) == ["/1"])
        try await house.close()
    }

    @Test func damageOfTheDatabaseItselfIsTold() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("bothy.sqlite")
        let database = try await SQLiteDatabase.open(path: path)
        try await database.write { db in
            for number in 0..<3000 {
                try db.execute(
                    "INSERT INTO server_state (key, value) VALUES (?, ?)", ["key \(number)".sql, "\(number)".sql])
            }
        }
        #expect(try await database.faults().isEmpty)
        try await database.close()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: try file.seekToEnd() - 4096)
        try file.write(contentsOf: Data(repeating: 0x5A, count: 64))
        try file.close()
        let damaged = try await SQLiteDatabase.open(path: path)
        #expect(try await damaged.faults().isEmpty == false)
        try await damaged.close()
    }

    @Test func aPackThatIsGoneIsDamageNotAFault() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        try await house.put("file", Block(5000, seed: 1).bytes)
        try await house.packs.close()
        try FileManager.default.removeItem(atPath: house.data.packs + "/" + PackFormat.fileName(1))
        let packs = try await FilesystemPackStore.open(folder: house.data.packs, minimumFreeBytes: 0, logger: .silent)
        let report = try await Verification(database: house.database, packs: packs).run()
        #expect(report.damaged.count == 1)
        try await packs.close()
        try await house.database.close()
    }
}
