import BothyContract
import Testing

@testable import BothyServer

@Suite struct OldVersionsTests {
    private static let day: Int64 = 86_400
    private let thinning = VersionThinning(all: 30, daily: 90, weekly: 365)!

    private func walk(_ house: DataHouse) async throws {
        let walk = ThinningWalk(
            thinning, database: house.database, lived: { [clock = house.clock] in Int64(clock.uptimeSeconds()) })
        while try await walk.step() == .more {}
    }

    /// A file that is saved again and again, three times a day.
    private func saves(_ house: DataHouse, _ count: Int) async throws -> String {
        try await house.addAccount(1, "a@example.org")
        var id = ""
        for number in 0..<count {
            id = try await house.put("novel", Block(20_000, seed: UInt64(number)).bytes)
            house.clock.advance(seconds: 8 * 3600)
        }
        return id
    }

    private func revisions(_ house: DataHouse, of id: String) async throws -> [RevisionRow] {
        try await house.database.read { db in
            try RevisionTable(db, drive: 1).page(of: id, before: nil, limit: 1000).reversed()
        }
    }

    private func count(_ table: String, _ house: DataHouse) async throws -> Int {
        try await house.database.read { try $0.first("SELECT count(*) FROM \(table)")?.int(0) ?? 0 }
    }

    @Test func oldSavesAreThinnedTheirRoomComesBackAndTheRestIsWhole() async throws {
        let house = try await DataHouse()
        let id = try await saves(house, 60)
        let before = try await revisions(house, of: id)
        try await walk(house)
        #expect(try await revisions(house, of: id) == before)
        house.clock.advance(seconds: 60 * Self.day)
        try await walk(house)
        let after = try await revisions(house, of: id)
        // The first, the newest, and the last one of each day.
        #expect((20...23).contains(after.count))
        #expect(after.first == before.first && after.last == before.last && after.allSatisfy(before.contains))
        try await walk(house)
        #expect(try await revisions(house, of: id) == after)
        house.clock.advance(seconds: Self.day + 1)
        _ = try await house.collection.run()
        #expect(try await count("blocks", house) == after.count)
        #expect(try await count("contents", house) == after.count)
        let used = try await house.database.read { try $0.first("SELECT used_bytes FROM drives")?.int(0) }
        #expect(used == after.count * 20_000)
        #expect(try await house.read(id) == Block(20_000, seed: 59).bytes)
        #expect(try await house.verification.run().damaged.isEmpty)
        try await house.close()
    }

    @Test func theDriveAsItWasStillHasContentAtEveryMoment() async throws {
        let house = try await DataHouse()
        let id = try await saves(house, 12)
        let sequences = try await house.database.read { db in
            try db.query("SELECT sequence FROM revisions ORDER BY version").map { $0.int64(0) }
        }
        let before = try await house.database.read { db in
            try sequences.map { try PastDrive(db, drive: 1, after: $0).head(of: id)?.id }
        }
        house.clock.advance(seconds: 800 * Self.day)
        try await walk(house)
        let after = try await house.database.read { db in
            try sequences.map { try PastDrive(db, drive: 1, after: $0).head(of: id)?.id }
        }
        // Without its first version the file would be empty at that moment.
        #expect(after.allSatisfy { $0 != nil })
        #expect(after.first == before.first && after.last == before.last)
        #expect(Set(after).count < Set(before).count)
        try await house.close()
    }

    @Test func whatAPlannedRestoreWillAskForStays() async throws {
        let house = try await DataHouse()
        let id = try await saves(house, 9)
        let wanted = try await revisions(house, of: id)[4].id
        try await house.database.write { db in
            try db.execute(
                """
                INSERT INTO restore_steps
                    (drive_id, restore_id, node_id, rank, action, aspects, version, kind, parent_id, name, trashed, live,
                    executable, revision_id)
                VALUES (1, 'plan', ?, 1, 'put_back', 1, 1, 1, 'root', 'novel', 0, 1, 0, ?)
                """, [id.sql, wanted.sql])
        }
        house.clock.advance(seconds: 800 * Self.day)
        try await walk(house)
        #expect(try await revisions(house, of: id).map(\.id).contains(wanted))
        try await house.database.write { try $0.execute("UPDATE restore_steps SET outcome = 'done'") }
        try await walk(house)
        #expect(try await !revisions(house, of: id).map(\.id).contains(wanted))
        try await house.close()
    }

    @Test func aPageNeverCutsAFilesHistoryInTwo() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        for (name, versions) in [("a", 3), ("b", 25), ("c", 4), ("d", 1)] {
            for number in 0..<versions { try await house.put(name, Block(100, seed: UInt64(number)).bytes) }
        }
        let counts = try await house.database.read { db in
            var counts = [Int]()
            var place = OldVersions.Place()
            while case let page = try OldVersions(db).histories(after: place, limit: 5), let last = page.last {
                counts += page.map(\.revisions.count)
                place = last.place
            }
            return counts
        }
        #expect(counts.sorted() == [1, 3, 4, 25])
        try await house.close()
    }

    @Test func contentsOfManyBlocksGoInSeveralTransactions() async throws {
        let house = try await DataHouse()
        let id = try await saves(house, 5)
        let ids = try await revisions(house, of: id).map(\.id)
        let place = OldVersions.Place(drive: 1, file: id)
        let settled = try await house.database.write { db in
            try OldVersions(db).letGo(Array(ids.dropLast()), of: place, mostBlocks: 1, lived: 0)
        }
        #expect(settled == 1)
        #expect(try await revisions(house, of: id).map(\.id) == Array(ids.dropFirst()))
        let some = try await house.database.write { db in
            try RevisionTable(db, drive: 1).deleteSome(of: id, limit: 10, mostBlocks: 2, lived: 0)
        }
        #expect(some.gone == 2 && some.blocks == 2 && some.areMore)
        let rest = try await house.database.write { db in
            try RevisionTable(db, drive: 1).deleteSome(of: id, limit: 10, lived: 0)
        }
        #expect(rest.gone == 2 && !rest.areMore)
        try await house.close()
    }

    @Test func theNewestVersionIsNeverLetGoWhateverIsAskedFor() async throws {
        let house = try await DataHouse()
        let id = try await saves(house, 3)
        let ids = try await revisions(house, of: id).map(\.id)
        let settled = try await house.database.write { db in
            try OldVersions(db).letGo(ids, of: .init(drive: 1, file: id), lived: 0)
        }
        #expect(settled == 3)
        #expect(try await revisions(house, of: id).map(\.id) == [ids[2]])
        #expect(try await house.read(id) == Block(20_000, seed: 2).bytes)
        try await house.close()
    }

    @Test func aVersionThatADraftShowsStays() async throws {
        let house = try await DataHouse()
        let id = try await saves(house, 4)
        let ids = try await revisions(house, of: id).map(\.id)
        try await house.database.write { db in
            try db.execute(
                """
                INSERT INTO accounts (user_id, email, email_key, display_name, password, created_ms)
                VALUES (1, 'a', 'a', 'a', 'a', 0) ON CONFLICT (user_id) DO NOTHING
                """)
            try db.execute(
                """
                INSERT INTO drafts (author_id, draft_id, version, base_version, body, summary, is_cut, attachment_count,
                    updated_ms) VALUES (1, 1, 1, 0, '{}', '', 0, 1, 0)
                """)
            try db.execute(
                "INSERT INTO draft_attachments (author_id, draft_id, position, revision_id) VALUES (1, 1, 0, ?)",
                [ids[1].sql])
            _ = try OldVersions(db).letGo(ids, of: .init(drive: 1, file: id), lived: 0)
        }
        #expect(try await revisions(house, of: id).map(\.id) == [ids[1], ids[3]])
        try await house.close()
    }
}
