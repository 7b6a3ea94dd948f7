import GRDB

/// One SQLite connection inside a transaction, as the shared statements see it.
struct SQLiteConnection: SQLConnection {
    let database: GRDB.Database

    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try refusalsTranslated {
            guard !arguments.isEmpty else {
                // What begins and ends transactions or changes the schema, GRDB has to see.
                try database.cachedStatement(sql: sql).execute()
                return database.changesCount
            }
            try statement(sql).run(arguments) { _ in }
            return database.changesCount
        }
    }

    func query(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
        try refusalsTranslated {
            var rows = [SQLRow]()
            try statement(sql).run(arguments) { rows.append($0) }
            return rows
        }
    }

    /// Begins, keeps or undoes a part of a transaction, which is nothing to GRDB.
    func executeSavepoint(_ sql: String) throws {
        try refusalsTranslated { try statement(sql).run([]) { _ in } }
    }

    /// Bytes of the file's pages that hold nothing.
    func reusableBytes() throws -> Int64 {
        let pages = try query("PRAGMA freelist_count", []).first?.int64(0) ?? 0
        return pages * (try query("PRAGMA page_size", []).first?.int64(0) ?? 0)
    }

    private func statement(_ sql: String) throws -> SQLiteStatement {
        SQLiteStatement(try database.cachedStatement(sql: sql), of: database)
    }
}
