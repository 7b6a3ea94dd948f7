import BothyContract
import NIOCore
import Testing

@testable import BothyServer

@Suite struct ServerJobsTests {
    private static let day: Int64 = 86_400

    private func jobs(_ house: DataHouse) async throws -> [Job] {
        let lived = try await LivedTime.load(house.database, clock: house.clock)
        let stamps = StampSource(clock: house.clock, lived: { lived.now() })
        let collection = GarbageCollection(
            database: house.database, packs: house.packs, writes: house.writes, lived: { lived.now() })
        let restores = DriveRestores(
            database: house.database, stamps: stamps, notifier: house.notifier, clock: house.clock)
        let jobs = ServerJobs(
            database: house.database, collection: collection, stamps: stamps, lived: lived, notifier: house.notifier,
            restores: restores, thinning: nil)
        return jobs.all(accounts: {}) + [jobs.reclaim]
    }

    private func runAll(_ jobs: [Job], _ house: DataHouse) async throws {
        let runner = JobRunner(jobs, clock: house.clock, logger: .silent)
        for job in jobs { try await runner.runRound(of: job) }
    }

    private func counts(_ house: DataHouse) async throws -> [String: Int] {
        try await house.database.read { db in
            var counts = [String: Int]()
            for table in ["nodes", "revisions", "contents", "blocks", "deletions", "changes", "outcomes"] {
                counts[table] = try db.first("SELECT COUNT(*) FROM \(table)")!.int(0)
            }
            return counts
        }
    }

    @Test func theTrashEmptiesItselfAfterThirtyDaysOfLivedTimeAndLeavesNothing() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        let jobs = try await jobs(house)
        let folder = try await house.makeFolder("docs")
        for number in 0..<5 {
            try await house.put("file \(number)", Block(9000, seed: UInt64(number)).bytes, in: folder)
        }
        let stamp = house.stamps.stamp(driveId: 1, deviceId: nil)
        try await house.database.write { db in
            // `lived` of these jobs begins at their start.
            var stamp = stamp
            stamp.lived = 0
            _ = try FileDeletion(id: folder, permanent: false).perform(in: db, stamp: stamp)
        }
        let before = try await counts(house)
        house.clock.jump(seconds: 400 * Self.day)
        try await runAll(jobs, house)
        #expect(try await counts(house) == before)
        house.clock.advance(seconds: 30 * Self.day + 1)
        try await runAll(jobs, house)
        let emptied = try await counts(house)
        #expect(emptied["nodes"] == 1)
        #expect(emptied["revisions"] == 0)
        #expect(emptied["contents"] == 0)
        #expect(emptied["deletions"] == 6)
        // The blocks wait another day for somebody who names them.
        #expect(emptied["blocks"] == 5)
        house.clock.advance(seconds: Self.day + 1)
        try await runAll(jobs, house)
        #expect(try await counts(house)["blocks"] == 0)
        #expect(try await house.verification.run().blocks == 0)
        try await house.close()
    }

    @Test func afterAYearTheLogAndTheMemoryOfDeletionsAreForgottenButForTheNewestPlace() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        let jobs = try await jobs(house)
        for number in 0..<5 { _ = try await house.makeFolder("folder \(number)") }
        try await house.database.write { _ = try $0.execute("UPDATE changes SET at_lived = 0") }
        let stored = try await counts(house)["changes"]
        house.clock.advance(seconds: 364 * Self.day)
        try await runAll(jobs, house)
        #expect(try await counts(house)["changes"] == stored)
        house.clock.advance(seconds: 2 * Self.day)
        // A plan that may still be carried out reads them.
        try await house.database.write { db in
            _ = try db.execute(
                """
                INSERT INTO restores (
                    drive_id, restore_id, file_id, moment, moment_tag, at_ms, state, wanted, planned, created_ms, touched_lived)
                VALUES (1, 'plan', 'root', 1, 1, 0, 'planning', 0, 1, 0, ?)
                """, [Int64(house.clock.uptimeSeconds()).sql])
        }
        try await runAll(jobs, house)
        #expect(try await counts(house)["changes"] == stored)
        try await house.database.write { _ = try $0.execute("UPDATE restores SET state = 'finished'") }
        try await runAll(jobs, house)
        #expect(try await counts(house)["changes"] == 1)
        try await house.close()
    }

    /// A year's log of a million changes is forgotten in one night, while others write.
    @Test func theLogIsForgottenInShortSteps() async throws {
        let house = try await DataHouse()
        for drive in [1, 2, 3] as [Int64] { try await house.addAccount(drive, "\(drive)@example.org") }
        let many = 1_200
        for drive in [1, 2, 3] as [Int64] {
            let lived: Int64 = drive == 2 ? 900 : 1
            try await house.database.write { db in
                for sequence in 1...many {
                    try db.execute(
                        """
                        INSERT OR REPLACE INTO changes
                            (drive_id, sequence, tag, kind, entity_id, removed, at_ms, at_lived, device_id)
                        VALUES (?, ?, 1, 'file', 'root', 0, 0, ?, NULL)
                        """, [drive.sql, sequence.sql, lived.sql])
                }
                try db.execute(
                    "UPDATE drives SET last_sequence = ?, last_tag = 1 WHERE drive_id = ?", [many.sql, drive.sql])
            }
        }
        let walk = ForgettingWalk(database: house.database)
        var before = try await counts(house)["changes"] ?? 0
        var steps = 0
        while try await walk.step(livedBefore: 100) == .more {
            let after = try await counts(house)["changes"] ?? 0
            #expect(before - after <= 500)
            (before, steps) = (after, steps + 1)
            try #require(steps < 20)
        }
        // The young drive's stay, and of each other one the newest place.
        #expect(try await counts(house)["changes"] == many + 2)
        #expect(steps >= 6)
        #expect(try await walk.step(livedBefore: 100) == .done)
        try await house.close()
    }

    /// It was looked at ten thousand times a night, and never ended.
    @Test func aLogThatBeginsYoungIsPassed() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        for number in 0..<3 { _ = try await house.makeFolder("folder \(number)") }
        try await house.database.write { db in
            _ = try db.execute("UPDATE changes SET at_lived = 1000")
            _ = try db.execute("UPDATE changes SET at_lived = 0 WHERE sequence = 2")
        }
        let stored = try await counts(house)["changes"]
        #expect(try await ForgettingWalk(database: house.database).step(livedBefore: 100) == .done)
        #expect(try await counts(house)["changes"] == stored)
        try await house.close()
    }

    /// Refused and canceled bodies lie in the packs, in nobody's quota: for six hours they kept everybody's uploads out.
    @Test func aDiskWithoutRoomHasItsRoomBackWithinMinutes() async throws {
        let disk = FaultyDisk(fault: nil)
        let house = try await DataHouse(disk: disk)
        try await house.addAccount(1, "a@example.org")
        let reclaim = try #require(try await jobs(house).last { $0.name == "reclaim" })
        house.clock.advance(seconds: ReclaimCalendar.firstWait)
        _ = try await reclaim.step()
        // Finished, and in no database.
        let block = Block(3_000_000, seed: 3)
        let writer = try await house.packs.begin(length: block.bytes.count, stored: block.bytes.count)
        try await writer.append(ByteBuffer(bytes: block.bytes))
        _ = try await writer.finish(hash: block.hash)
        try await house.packs.makeDurable()
        let before = try house.packs.usage().usedBytes
        house.clock.advance(seconds: 600)
        _ = try await reclaim.step()
        #expect(try house.packs.usage().usedBytes == before, "nothing is in a hurry")
        disk.tellFree(1000)
        house.clock.advance(seconds: ReclaimCalendar.look)
        _ = try await reclaim.step()
        disk.tellFree(nil)
        #expect(try house.packs.usage().usedBytes < before - 2_000_000)
        try await house.close()
    }

    /// Deleted blocks wait a day for somebody who names them: whoever made room on a full disk so waited with them.
    @Test func whatIsDeletedForGoodMakesRoomOnAFullDiskAtOnce() async throws {
        let disk = FaultyDisk(fault: nil)
        let house = try await DataHouse(disk: disk)
        try await house.addAccount(1, "a@example.org")
        let jobs = try await jobs(house)
        let reclaim = try #require(jobs.last { $0.name == "reclaim" })
        let id = try await house.put("large", Block(1_500_000, seed: 5).bytes)
        let stamp = house.stamps.stamp(driveId: 1, deviceId: nil)
        let before = try house.packs.usage().usedBytes
        disk.tellFree(1000)
        try await house.database.write { db in
            _ = try FileDeletion(id: id, permanent: true).perform(in: db, stamp: stamp)
        }
        let drain = try #require(jobs.first { $0.name == "deleted folders" })
        while try await drain.step() == .more {}
        house.clock.advance(seconds: 2 * ReclaimCalendar.look)
        _ = try await reclaim.step()
        disk.tellFree(nil)
        #expect(try house.packs.usage().usedBytes < before - 1_000_000)
        try await house.close()
    }
}
