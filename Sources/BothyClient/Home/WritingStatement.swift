import BothyContract
import Foundation
import GRDB
import GRDBSQLite

/// What SQLite takes as a value of a row.
package protocol SQLiteBindable {
    /// - Returns: SQLite's code.
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32
}

extension GRDB.Statement {
    /// Writes a row, of the tables that get one for each of many files. GRDB's own way boxes each value twice, which costs more than SQLite
    /// does.
    ///
    /// - Parameter values: as many as the statement takes, in their order.
    /// - Throws: `GRDB.DatabaseError` for what SQLite refuses.
    package func write(_ values: [any SQLiteBindable], in database: Database) throws {
        precondition(values.count == Int(sqlite3_bind_parameter_count(sqliteStatement)), "a value for each mark")
        defer {
            // What it says was said by `step` already.
            sqlite3_reset(sqliteStatement)
            sqlite3_clear_bindings(sqliteStatement)
        }
        for (index, value) in values.enumerated() {
            let code = value.bind(to: sqliteStatement, at: Int32(index + 1))
            guard code == SQLITE_OK else { throw refusal(of: database) }
        }
        guard sqlite3_step(sqliteStatement) == SQLITE_DONE else { throw refusal(of: database) }
    }

    private func refusal(of database: Database) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(database.sqliteConnection)),
            message: database.lastErrorMessage, sql: sql)
    }
}

/// Has SQLite copy what it is handed (`SQLITE_TRANSIENT`).
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension Int64: SQLiteBindable {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_int64(statement, index, self)
    }
}

extension Int32: SQLiteBindable {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_int64(statement, index, Int64(self))
    }
}

extension Int: SQLiteBindable {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_int64(statement, index, Int64(self))
    }
}

extension Bool: SQLiteBindable {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_int64(statement, index, self ? 1 : 0)
    }
}

extension String: SQLiteBindable {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        var text = self
        return text.withUTF8 { bytes in
            // No address would be NULL, and not a text of no letters.
            guard let start = bytes.baseAddress else { return sqlite3_bind_text(statement, index, "", 0, copied) }
            return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                sqlite3_bind_text(statement, index, $0, Int32(bytes.count), copied)
            }
        }
    }
}

extension Data: SQLiteBindable {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        // No address would be NULL, and not a value of no bytes.
        if isEmpty { return sqlite3_bind_zeroblob(statement, index, 0) }
        return withUnsafeBytes { sqlite3_bind_blob(statement, index, $0.baseAddress, Int32($0.count), copied) }
    }
}

/// As its 32 bytes.
extension ContentHash: SQLiteBindable {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        withUnsafeBytes { sqlite3_bind_blob(statement, index, $0.baseAddress, Int32($0.count), copied) }
    }
}

extension Optional: SQLiteBindable where Wrapped: SQLiteBindable {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        self?.bind(to: statement, at: index) ?? sqlite3_bind_null(statement, index)
    }
}
