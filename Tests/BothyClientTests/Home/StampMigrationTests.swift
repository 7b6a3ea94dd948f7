import Foundation
import GRDB
import Testing

@testable import BothyClient

/// Stamps that were written down before it was known which vouch for what they are of.
@Suite struct StampMigrationTests {
    /// A database as the version before had it, with a file of each kind of time in step, and in the local trash.
    private func before() throws -> DatabaseQueue {
        let database = try DatabaseQueue()
        try ClientMigrations.migrator.migrate(database, upTo: "023 the feed")
        try database.write { db in
            for (number, nanoseconds) in Self.times.enumerated() {
                for table in ["synced_nodes", "trashed_nodes"] {
                    try Self.insert(["remote_id": "f\(number)", "changed_ns": nanoseconds], into: table, db)
                }
            }
            try Self.insert(["disk": "{}"], into: "bindings", db)
        }
        return database
    }

    /// Of whole seconds, of hundredths, fine, finer than a tick alone, and of none.
    private static let times: [Int64?] = [0, 980_000_000, 987_654_321, 980_000_100, nil]

    /// A row with what is named, and with anything where something has to be.
    private static func insert(_ values: [String: (any DatabaseValueConvertible)?], into table: String, _ db: Database)
        throws
    {
        let all = try db.columns(in: table)
        let named = all.filter { values[$0.name] != nil || $0.isNotNull || $0.primaryKeyIndex > 0 }
        let arguments: [(any DatabaseValueConvertible)?] = named.map { column in
            if let value = values[column.name] { return value }
            switch column.type {
            case "TEXT": return "x"
            case "BLOB": return [UInt8]().withUnsafeBytes { Data($0) }
            default: return 0
            }
        }
        try db.execute(
            sql: """
                INSERT INTO \(table) (\(named.map(\.name).joined(separator: ", ")))
                VALUES (\(named.map { _ in "?" }.joined(separator: ", ")))
                """, arguments: StatementArguments(arguments))
    }

    @Test(arguments: ["synced_nodes", "trashed_nodes"])
    func thoseWhoseTimesWereRoundedAreReadOnceMoreAndNoOthers(table: String) throws {
        let database = try before()
        try ClientMigrations.migrator.migrate(database)
        let recent = try database.read { db in
            try Bool.fetchAll(db, sql: "SELECT is_stamp_recent FROM \(table) ORDER BY remote_id")
        }
        #expect(recent == [true, true, false, false, false])
    }

    @Test func whatTheDiskCanTellIsFoundOutAnew() throws {
        let database = try before()
        try ClientMigrations.migrator.migrate(database)
        let disks = try database.read { db in try String?.fetchAll(db, sql: "SELECT disk FROM bindings") }
        #expect(disks == [nil])
    }
}
