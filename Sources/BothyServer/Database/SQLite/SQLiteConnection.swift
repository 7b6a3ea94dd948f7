import Foundation
import GRDB

/// One SQLite connection inside a transaction, as the shared statements see it.
struct SQLiteConnection: SQLConnection {
    let database: GRDB.Database

    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try refusalsTranslated {
            try database.cachedStatement(sql: sql).execute(arguments: StatementArguments(arguments.map(\.grdb)))
            return database.changesCount
        }
    }

    func query(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
        try refusalsTranslated {
            let statement = try database.cachedStatement(sql: sql)
            let cursor = try Row.fetchCursor(statement, arguments: StatementArguments(arguments.map(\.grdb)))
            var rows = [SQLRow]()
            while let row = try cursor.next() {
                rows.append(SQLRow(try row.databaseValues.map(SQLValue.init(grdb:))))
            }
            return rows
        }
    }

    /// A statement that is run once, and not worth a place in the cache.
    func executeOnce(_ sql: String) throws {
        try refusalsTranslated { try database.execute(sql: sql) }
    }
}

extension SQLValue {
    fileprivate var grdb: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .bytes(let value): Data(value).databaseValue
        }
    }

    fileprivate init(grdb value: DatabaseValue) throws {
        switch value.storage {
        case .null: self = .null
        case .int64(let number): self = .integer(number)
        case .string(let text): self = .text(text)
        case .blob(let data): self = .bytes(Array(data))
        case .double:
            throw DatabaseError.failed("a statement answered with a floating-point number, which no driver reads")
        }
    }
}
