import BothyContract
import Foundation
import GRDB
import Testing

@testable import BothyClient

/// What is bound directly is stored as GRDB stores it, and refused as it refuses.
@Suite struct StatementWritingTests {
    private let queue: DatabaseQueue
    private static let insert = "INSERT INTO rows VALUES (?, ?)"

    init() throws {
        queue = try DatabaseQueue()
        try queue.write { try $0.execute(sql: "CREATE TABLE rows (id ANY PRIMARY KEY, value ANY) STRICT") }
    }

    private func stored(_ write: (Database) throws -> Void) throws -> [DatabaseValue] {
        try queue.write { db in
            try write(db)
            defer { try? db.execute(sql: "DELETE FROM rows") }
            return try Row.fetchOne(db, sql: "SELECT value, typeof(value) FROM rows")!.databaseValues.map { $0 }
        }
    }

    private func expectTheSame(_ value: (some StatementBinding & DatabaseValueConvertible)?) throws {
        let directly = try stored { try $0.cachedStatement(sql: Self.insert).write([1, value], in: $0) }
        let byGRDB = try stored { try $0.execute(sql: Self.insert, arguments: [1, value]) }
        #expect(directly == byGRDB)
    }

    @Test func everyKindIsStoredAsGRDBStoresIt() throws {
        for text in ["", "report", "Ω", "a\0b", "e\u{301}"] { try expectTheSame(text) }
        for number in [Int64.min, -1, 0, .max] { try expectTheSame(number) }
        try expectTheSame(Int32.max)
        try expectTheSame(7)
        try expectTheSame(true)
        try expectTheSame(false)
        try expectTheSame(Data())
        try expectTheSame(Data([0, 1, 2]).dropFirst())
        try expectTheSame(String?.none)
        let hash = ContentHash(bytes: Array(0..<32))!
        let kept = try stored { try $0.cachedStatement(sql: Self.insert).write([1, hash], in: $0) }
        #expect(kept == [Data(hash.bytes).databaseValue, "blob".databaseValue])
    }

    @Test func whatIsRefusedLeavesTheStatementToTheNext() throws {
        try queue.write { db in
            let statement = try db.cachedStatement(sql: Self.insert)
            try statement.write([1, "a"], in: db)
            let refusal = #expect(throws: DatabaseError.self) { try statement.write([1, "b"], in: db) }
            #expect(refusal?.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY)
            try statement.write([2, "c"], in: db)
            try statement.execute(arguments: [3, "d"])
            try statement.write([4, "e"], in: db)
            #expect(try String.fetchAll(db, sql: "SELECT value FROM rows ORDER BY id") == ["a", "c", "d", "e"])
        }
    }

    /// SQLite rolls back by itself where the disk is full: what would come after that must not stand alone.
    @Test func nothingIsWrittenBehindATransactionThatIsOver() throws {
        try queue.writeWithoutTransaction { db in
            let statement = try db.cachedStatement(sql: Self.insert)
            let refusal = #expect(throws: DatabaseError.self) { try statement.write([1, "a"], in: db) }
            #expect(refusal?.resultCode == .SQLITE_ABORT)
        }
        #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM rows") } == 0)
    }
}
