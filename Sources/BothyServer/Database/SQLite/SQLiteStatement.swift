import GRDB
import GRDBSQLite

/// A prepared statement, run with nothing between our values and SQLite's.
///
/// GRDB keeps it; its own ways in and out box each value twice, which costs a small statement more than SQLite does.
struct SQLiteStatement {
    private let kept: GRDB.Statement
    private let database: GRDB.Database

    init(_ statement: GRDB.Statement, of database: GRDB.Database) {
        kept = statement
        self.database = database
    }

    private var handle: OpaquePointer { kept.sqliteStatement }

    /// Runs it to its end.
    ///
    /// - Parameter row: called for each row of the answer, in order.
    /// - Throws: `GRDB.DatabaseError` for what SQLite refuses, `DatabaseError.failed` for a value that no driver reads.
    func run(_ arguments: [SQLValue], _ row: (SQLRow) throws -> Void) throws {
        guard arguments.count == Int(sqlite3_bind_parameter_count(handle)) else {
            throw DatabaseError.failed("a statement was given \(arguments.count) arguments, which is not what it takes")
        }
        defer {
            // What it says was said by `step` already.
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        for (index, argument) in arguments.enumerated() { try check(bind(argument, at: Int32(index + 1))) }
        let columns = sqlite3_column_count(handle)
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: try row(SQLRow(try (0..<columns).map(value)))
            case SQLITE_DONE: return
            default: throw refusal()
            }
        }
    }

    private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let number): return sqlite3_bind_int64(handle, index, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                guard let start = bytes.baseAddress else { return sqlite3_bind_text(handle, index, "", 0, Self.copied) }
                return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                    sqlite3_bind_text(handle, index, $0, Int32(bytes.count), Self.copied)
                }
            }
        case .bytes(let bytes):
            // No address would be NULL, and not a value of no bytes.
            if bytes.isEmpty { return sqlite3_bind_zeroblob(handle, index, 0) }
            return bytes.withUnsafeBytes {
                sqlite3_bind_blob(handle, index, $0.baseAddress, Int32($0.count), Self.copied)
            }
        }
    }

    private func value(_ column: Int32) throws -> SQLValue {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
        case SQLITE_TEXT:
            let bytes = UnsafeRawBufferPointer(
                start: sqlite3_column_text(handle, column), count: Int(sqlite3_column_bytes(handle, column)))
            return .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let bytes = sqlite3_column_blob(handle, column)
            return .bytes(
                [UInt8](
                    UnsafeRawBufferPointer(
                        start: bytes, count: Int(sqlite3_column_bytes(handle, column)))))
        default:
            throw DatabaseError.failed("a statement answered with a floating-point number, which no driver reads")
        }
    }

    private func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw refusal() }
    }

    /// Of the call that failed last.
    private func refusal() -> GRDB.DatabaseError {
        GRDB.DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(database.sqliteConnection)),
            message: database.lastErrorMessage, sql: kept.sql)
    }

    /// Has SQLite copy what it is handed (`SQLITE_TRANSIENT`).
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
