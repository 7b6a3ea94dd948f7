import GRDB

/// Runs `body`, and says what SQLite refused in the words that every driver uses.
func refusalsTranslated<Value>(_ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch let error as GRDB.DatabaseError {
        throw DatabaseError(sqlite: error)
    }
}

extension DatabaseError {
    init(sqlite error: GRDB.DatabaseError) {
        let words = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
        switch error.extendedResultCode {
        case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID:
            self = .uniqueViolation(words)
            return
        case .SQLITE_CONSTRAINT_FOREIGNKEY:
            self = .foreignKeyViolation(words)
            return
        default: break
        }
        switch error.resultCode {
        case .SQLITE_FULL: self = .diskFull
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .corrupt(words)
        default: self = .failed("\(words) (SQLite \(error.extendedResultCode.rawValue))")
        }
    }
}

extension GRDB.DatabaseError {
    /// Whether an fsync failed: what the disk holds is not known any more.
    var isFailedSync: Bool {
        extendedResultCode == .SQLITE_IOERR_FSYNC || extendedResultCode == .SQLITE_IOERR_DIR_FSYNC
    }
}
