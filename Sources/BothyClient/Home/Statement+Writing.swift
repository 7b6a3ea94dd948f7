import BothyContract
import GRDB
import GRDBSQLite

extension GRDB.Statement {
    /// Runs a statement that answers with no rows, of the tables that are written for each of many files. GRDB's own way boxes each value twice,
    /// which costs more than SQLite does.
    ///
    /// - Parameters:
    ///   - values: as many as the statement takes, in their order.
    ///   - database: the connection that it is of, in a transaction.
    /// - Throws: `GRDB.DatabaseError` for what SQLite refuses, and `SQLITE_ABORT` where it has rolled the transaction back by itself:
    ///   nothing of it may be written alone then.
    package func write(_ values: [any StatementBinding], in database: Database) throws {
        precondition(values.count == Int(sqlite3_bind_parameter_count(sqliteStatement)), "a value for each mark")
        guard database.isInsideTransaction else {
            throw DatabaseError(resultCode: .SQLITE_ABORT, message: "there is no transaction any more", sql: sql)
        }
        sqlite3_reset(sqliteStatement)
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

/// As its 32 bytes.
extension ContentHash: StatementBinding {
    public func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
        // SQLite copies what it is handed (`SQLITE_TRANSIENT`).
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        return withUnsafeBytes {
            sqlite3_bind_blob(statement, index, $0.baseAddress, CInt($0.count), copied)
        }
    }
}
