import Foundation
import Testing

@testable import BothyServer

@Suite struct SQLiteDatabaseTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("bothy.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func open(_ migrations: [Migration] = [DatabaseDriver.schema]) async throws -> SQLiteDatabase {
        try await SQLiteDatabase.open(path: path, migrations: migrations)
    }

    private static func pragma(_ name: String) -> @Sendable (any SQLConnection) throws -> SQLValue {
        { try $0.first("PRAGMA \(name)")!.values[0] }
    }

    @Test func acknowledgedMeansSynced() async throws {
        let database = try await open()
        #expect(try await database.write(Self.pragma("synchronous")) == 2)
        #expect(try await database.write(Self.pragma("journal_mode")) == "wal")
        #expect(try await database.write(Self.pragma("foreign_keys")) == 1)
        try await database.close()
    }

    /// SQLite ended the process where a connection was closed under a read.
    @Test func closingWaitsForWhatIsReadAndRefusesWhatComesAfter() async throws {
        for _ in 0..<20 {
            let database = try await open()
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        var count = 0
                        // Until it is refused; a read gives up its thread to nobody.
                        while count < 10_000, (try? await database.read { try $0.query("SELECT 1") }) != nil {
                            count += 1
                            await Task.yield()
                        }
                        return count
                    }
                }
                group.addTask {
                    try await database.close()
                    return 0
                }
                try await group.waitForAll()
            }
            await #expect(throws: DatabaseError.self) { try await database.read { try $0.query("SELECT 1") } }
        }
    }

    @Test func theWholeSchemaIsStrict() async throws {
        let database = try await open(Migration.all)
        let loose = try await database.read { connection in
            try connection.query(
                "SELECT name FROM pragma_table_list WHERE type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite%'")
        }
        #expect(loose.isEmpty)
        try await database.close()
    }

    /// What a statement costs must grow with what it touches, not with the drive.
    @Test(arguments: [
        (
            "SELECT content_id FROM contents WHERE drive_id = 1 AND checksum = x'00' ORDER BY content_id LIMIT 1",
            "contents_by_checksum (drive_id=? AND checksum=?)"
        ),
        (
            "SELECT 1 FROM upload_chunks WHERE drive_id = 1 AND hash = x'00' AND received = 1",
            "upload_chunks_by_hash (drive_id=? AND hash=?)"
        ),
        (
            "SELECT 1 FROM nodes WHERE drive_id = 1 AND parent_id = 'a' AND name = 'b' AND trashed = 0 AND purged = 0",
            "nodes_by_name (drive_id=? AND parent_id=? AND name=?)"
        ),
        (
            "SELECT node_id FROM nodes WHERE drive_id = 1 AND request_id = 'a' AND request_id IS NOT NULL ORDER BY serial",
            "nodes_by_request (drive_id=? AND request_id=?)"
        ),
        ("SELECT drive_id, node_id FROM nodes WHERE purged = 1 LIMIT 1", "nodes_to_purge"),
        ("SELECT pack_offset, size FROM blocks WHERE pack = 1 ORDER BY pack_offset", "blocks_of_pack (pack=?)"),
        (
            "SELECT hash FROM blocks WHERE unreferenced_lived IS NOT NULL AND unreferenced_lived < 9 ORDER BY unreferenced_lived",
            "blocks_unreferenced"
        ),
    ])
    func noStatementWalksThroughADrive(_ statement: String, _ index: String) async throws {
        let database = try await open(Migration.all)
        let explain: @Sendable (any SQLConnection) throws -> [String] = { connection in
            try connection.query("EXPLAIN QUERY PLAN " + statement).map { $0.string(3) }
        }
        for plan in [try await database.read(explain), try await database.write(explain)] {
            #expect(plan[0].contains(index), "\(plan)")
        }
        try await database.close()
    }

    @Test func aFullDiskFailsTheOneThatMetItAndKeepsTheOthers() async throws {
        let database = try await open()
        let pages = try await database.write(Self.pragma("page_count"))
        guard case .integer(let count) = pages else { return }
        try await database.write { _ = try $0.query("PRAGMA max_page_count = \(count + 40)") }
        let outcomes = await withTaskGroup(of: (Int64, Bool).self) { group in
            for id in Int64(0)..<60 {
                group.addTask {
                    // Every fifth wants more than there is.
                    let size = id % 5 == 0 ? 1_000_000 : 10
                    do {
                        try await database.write { connection in
                            try connection.execute(
                                "INSERT INTO items (drive_id, item_id, body) VALUES (1, ?, ?)",
                                [id.sql, .bytes(Array(repeating: 1, count: size))])
                        }
                        return (id, true)
                    } catch DatabaseError.diskFull {
                        return (id, false)
                    } catch {
                        Issue.record("\(error)")
                        return (id, false)
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for (id, kept) in outcomes { #expect(kept == (id % 5 != 0), "item \(id)") }
        let stored = try await database.read { try $0.query("SELECT item_id FROM items").map { $0.int64(0) } }
        #expect(Set(stored) == Set(outcomes.filter(\.value).keys))
        try await database.close()
    }

    @Test func aSwallowedFullDiskIsNoSuccess() async throws {
        let database = try await open()
        guard case .integer(let count) = try await database.write(Self.pragma("page_count")) else { return }
        try await database.write { _ = try $0.query("PRAGMA max_page_count = \(count + 4)") }
        let outcome = await Result {
            try await database.write { connection in
                try connection.execute("INSERT INTO items (drive_id, item_id) VALUES (1, 1)")
                do {
                    try connection.execute(
                        "INSERT INTO items (drive_id, item_id, body) VALUES (1, 2, ?)",
                        [.bytes(Array(repeating: 1, count: 1_000_000))])
                } catch DatabaseError.diskFull {}
            }
        }
        let stored = try await database.read { try $0.query("SELECT item_id FROM items").map { $0.int64(0) } }
        // Either the engine undid the statement alone, or all of it; the answer and the file agree.
        switch outcome {
        case .success: #expect(stored == [1])
        case .failure: #expect(stored.isEmpty)
        }
        try await database.close()
    }

    @Test func aDatabaseOfANewerBinaryIsRefused() async throws {
        let second = Migration(
            number: 2, name: "later", statements: ["CREATE TABLE later (id BIGINT NOT NULL PRIMARY KEY)"])
        try await open([DatabaseDriver.schema, second]).close()
        await #expect {
            _ = try await open()
        } throws: { error in
            if case DatabaseError.newer(found: 2, known: 1) = error { true } else { false }
        }
        let database = try await open([DatabaseDriver.schema, second])
        #expect(try await database.read { try $0.query("SELECT id FROM later") }.isEmpty)
        try await database.close()
    }

    @Test func theDatabaseIsCopiedBeforeItsSchemaChanges() async throws {
        let first = try await open()
        try await first.write { try $0.execute("INSERT INTO items (drive_id, item_id) VALUES (1, 7)") }
        try await first.close()
        #expect(!FileManager.default.fileExists(atPath: path + ".before-1"))
        let drop = Migration(number: 2, name: "drop", statements: ["DROP TABLE items"])
        try await open([DatabaseDriver.schema, drop]).close()
        let copy = try await SQLiteDatabase.open(path: path + ".before-2", migrations: [DatabaseDriver.schema])
        #expect(try await copy.read { try $0.first("SELECT item_id FROM items")?.int64(0) } == 7)
        try await copy.close()
    }

    /// Each is as large as the database: after ten updates they took ten times its room.
    @Test func ofTheCopiesTheTwoNewestStay() throws {
        let names = [
            "bothy.sqlite", "bothy.sqlite-wal", "bothy.sqlite.before-2", "bothy.sqlite.before-2-wal",
            "bothy.sqlite.before-9", "bothy.sqlite.before-10", "bothy.sqlite.before-13", "bothy.sqlite.before-mine",
            "bothy.sqlite.before-007", "bothy.sqlite.before-+7", "bothy.sqlite.before-0",
            "bothy.sqlite.before-20250101", "other.sqlite.before-2",
        ]
        for name in names { try Data([1]).write(to: URL(fileURLWithPath: folder.file(name))) }
        for _ in 0..<2 {
            try SQLiteDatabase.removeOldCopies(of: path)
            #expect(
                Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) == [
                    "bothy.sqlite", "bothy.sqlite-wal", "bothy.sqlite.before-10", "bothy.sqlite.before-13",
                    "bothy.sqlite.before-mine", "bothy.sqlite.before-007", "bothy.sqlite.before-+7",
                    "bothy.sqlite.before-0", "bothy.sqlite.before-20250101", "other.sqlite.before-2",
                ])
        }
    }

    @Test func aMigrationThatFailsLeavesTheSchemaAsItWas() async throws {
        try await open().close()
        let broken = Migration(
            number: 2, name: "broken",
            statements: ["CREATE TABLE half (id BIGINT NOT NULL PRIMARY KEY)", "CREATE NONSENSE"])
        await #expect(throws: DatabaseError.self) { _ = try await open([DatabaseDriver.schema, broken]) }
        let database = try await open()
        #expect(try await database.read { try $0.query("SELECT name FROM sqlite_schema WHERE name = 'half'") }.isEmpty)
        try await database.close()
    }

    @Test func aDatabaseCutInHalfIsNamedDamaged() async throws {
        let database = try await open()
        try await database.write { connection in
            for id in Int64(0)..<200 {
                try connection.execute(
                    "INSERT INTO items (drive_id, item_id, body) VALUES (1, ?, ?)",
                    [id.sql, .bytes(Array(repeating: 3, count: 2000))])
            }
        }
        try await database.close()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.truncate(atOffset: 150_000)
        try file.close()
        await #expect {
            let database = try await open()
            _ = try await database.read { try $0.query("SELECT body FROM items") }
        } throws: { error in
            if case DatabaseError.corrupt = error { true } else { false }
        }
    }

    @Test func somethingElseThanADatabaseIsRefused() async throws {
        try Data(repeating: 65, count: 10_000).write(to: URL(fileURLWithPath: path))
        await #expect {
            _ = try await open()
        } throws: { error in
            if case DatabaseError.corrupt = error { true } else { false }
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
