import CFaultySQLite
import Foundation
import Testing

@testable import BothyServer

/// Every call with which SQLite changes the disk is made to fail, one after the other.
@Suite(.serialized) struct SQLiteFaultTests {
    private struct Outcome {
        /// Items whose transaction was acknowledged.
        var kept = Set<Int64>()
        var refusals = 0
    }

    private let folder: TemporaryFolder
    private let name = "faulty-" + UUID().uuidString

    init() throws {
        folder = try TemporaryFolder()
        bothy_faulty_sqlite_install()
    }

    private func path(_ round: Int) -> String { folder.file("\(name)-\(round).sqlite") }

    private func open(_ round: Int) async throws -> SQLiteDatabase {
        try await SQLiteDatabase.open(path: path(round), migrations: [DatabaseDriver.schema])
    }

    /// Opens, writes one after the other and side by side, and closes.
    private func work(_ round: Int) async -> Outcome {
        var outcome = Outcome()
        do {
            let database = try await open(round)
            for start in [0, 10, 20] as [Int64] {
                await write(start..<(start + 2), to: database, &outcome)
                await withTaskGroup(of: Int64?.self) { group in
                    for id in (start + 2)..<(start + 8) {
                        group.addTask { await Self.write(id, to: database) ? id : nil }
                    }
                    for await id in group {
                        if let id { outcome.kept.insert(id) } else { outcome.refusals += 1 }
                    }
                }
            }
            try await database.close()
        } catch {
            outcome.refusals += 1
        }
        return outcome
    }

    private func write(_ ids: Range<Int64>, to database: SQLiteDatabase, _ outcome: inout Outcome) async {
        for id in ids {
            if await Self.write(id, to: database) { outcome.kept.insert(id) } else { outcome.refusals += 1 }
        }
    }

    /// - Returns: whether it was acknowledged.
    private static func write(_ id: Int64, to database: SQLiteDatabase) async -> Bool {
        do {
            try await database.write { connection in
                try connection.execute(
                    "INSERT INTO items (drive_id, item_id, body) VALUES (1, ?, ?)",
                    [id.sql, .bytes(Array(repeating: UInt8(id), count: 6000))])
            }
            return true
        } catch {
            return false
        }
    }

    @Test(arguments: [(false, false), (true, false), (false, true), (true, true)])
    func noCallThatFailsPassesForASuccess(_ isFull: Bool, _ isLasting: Bool) async throws {
        bothy_faulty_sqlite_arm(name, -1, false, false)
        let whole = await work(0)
        #expect(whole.kept.count == 24)
        #expect(whole.refusals == 0)
        let calls = Int(bothy_faulty_sqlite_calls())
        #expect(calls > 30)
        var met = Set<String>()
        // The groups that form differ from run to run, and with them the calls; the first ones are always there.
        for call in 0..<calls {
            bothy_faulty_sqlite_arm(name, Int32(call), isFull, isLasting)
            let outcome = await work(call + 1)
            met.insert(String(cString: bothy_faulty_sqlite_failed()))
            bothy_faulty_sqlite_arm(name, -1, false, false)
            let database = try await open(call + 1)
            let stored = try await database.read { db in
                try db.query("SELECT item_id, body FROM items").map { row in
                    #expect(row.bytes(1) == Array(repeating: UInt8(row.int64(0)), count: 6000))
                    return row.int64(0)
                }
            }
            #expect(outcome.kept.isSubset(of: stored), "call \(call) lost \(outcome.kept.subtracting(stored))")
            try await database.close()
        }
        #expect(met.isSuperset(of: ["open", "write", "sync"]))
    }

    /// Those that waited behind the one whose sync failed were run all the same, and answered as kept.
    @Test func whatWaitsWhenASyncFailsIsRefusedToo() async throws {
        var met = 0
        for call in 0..<24 {
            bothy_faulty_sqlite_arm(name, -1, false, false)
            let database = try await open(call)
            bothy_faulty_sqlite_arm(name, Int32(call), false, false)
            // More than one group takes.
            let bodies = (1...600).map { id in
                { @Sendable (connection: any SQLConnection) throws -> Void in
                    _ = try connection.execute(
                        "INSERT INTO items (drive_id, item_id, body) VALUES (1, ?, ?)", [Int64(id).sql, .bytes([1])])
                }
            }
            let kept = try await database.writeEach(bodies).map { (try? $0.get()) != nil }
            let isSync = String(cString: bothy_faulty_sqlite_failed()) == "sync"
            bothy_faulty_sqlite_arm(name, -1, false, false)
            if isSync, (try? await database.checkHealth()) == nil {
                met += 1
                #expect(kept.lastIndex(of: true) ?? -1 < kept.firstIndex(of: false) ?? kept.count)
            }
            try await database.close()
        }
        #expect(met > 0)
    }

    @Test func afterAFailedSyncNothingIsTakenUntilTheServerStartsAgain() async throws {
        bothy_faulty_sqlite_arm(name, -1, false, false)
        let database = try await open(0)
        var kept = [Int64]()
        var id: Int64 = 0
        // How many writes a commit has before its sync differs; each call fails once, until it is the sync.
        while String(cString: bothy_faulty_sqlite_failed()) != "sync", id < 60 {
            bothy_faulty_sqlite_arm(name, Int32(id % 20), false, false)
            id += 1
            if await Self.write(id, to: database) { kept.append(id) }
        }
        #expect(String(cString: bothy_faulty_sqlite_failed()) == "sync")
        bothy_faulty_sqlite_arm(name, -1, false, false)
        #expect(await !Self.write(100, to: database))
        await #expect(throws: DatabaseError.self) { try await database.checkHealth() }
        let stored = try await database.read { db in
            try db.query("SELECT item_id FROM items ORDER BY item_id").map { $0.int64(0) }
        }
        #expect(stored == kept)
        try await database.close()
        let again = try await open(0)
        #expect(await Self.write(101, to: again))
        try await again.close()
    }
}
