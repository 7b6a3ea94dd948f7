/// A database, whichever engine is behind it.
///
/// Statements are written once, in the SQL that SQLite ≥ 3.40 and PostgreSQL ≥ 15 share, with `?` for each
/// argument; the drive's id leads every primary key. Each driver passes `DatabaseConformanceTests`.
package protocol Database: Sendable {
    /// Runs `body` on one consistent snapshot. Readers never wait for the writer.
    ///
    /// - Throws: what `body` throws; ``DatabaseError`` for what the engine refuses.
    func read<Value: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> Value) async throws -> Value

    /// The same for what may take seconds, such as a walk over a whole drive: on a thread of its own, since the
    /// caller's is one of few that all requests share. Some run at once; others wait for their turn.
    ///
    /// - Throws: what `read` throws; `busy` where too many wait already.
    func readApart<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// Runs `body` in a transaction, and returns when it is on disk.
    ///
    /// Transactions that wait together are committed together, behind one fsync; each keeps its own outcome: one that
    /// throws is undone alone. `body` may run again when a commit it shared was undone by another's fault, so it
    /// must not have effects outside the database.
    ///
    /// - Parameter room: the room on the disk that it may take.
    /// - Throws: what `body` throws; ``DatabaseError`` for what the engine refuses, disk errors included.
    @discardableResult
    func write<Value: Sendable>(
        from room: WriteRoom, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// Runs each of `bodies` in a transaction of its own, in their order, from the shared room, and returns when all are on disk:
    /// many changes of one request cost one wait.
    ///
    /// - Returns: what each returned or threw.
    /// - Throws: `CancellationError`, before anything ran.
    func writeEach<Value: Sendable>(
        _ bodies: [@Sendable (any SQLConnection) throws -> Value]
    ) async throws -> [Result<Value, any Error>]

    /// Copies the database as of one moment, while it is used, into a file that did not exist.
    ///
    /// - Parameter body: reads in the copy.
    func backup<Value: Sendable>(
        to path: String, reading body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// Throws what keeps the database from working; nothing when it does.
    func checkHealth() async throws

    /// Reads all of the database, and says what is wrong with it, in the engine's words; nothing when it is whole.
    func faults() async throws -> [String]

    func close() async throws
}

extension Database {
    /// Runs `body` in a transaction that takes of the shared room, as all do that add something.
    @discardableResult
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await write(from: .shared, body)
    }

    /// Copies the database as of one moment, while it is used, into a file that did not exist.
    package func backup(to path: String) async throws { try await backup(to: path, reading: { _ in }) }
}

/// A connection inside a transaction. Used only within the closure that it is handed to.
package protocol SQLConnection {
    /// - Returns: how many rows the statement changed.
    @discardableResult
    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int

    func query(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow]
}

extension SQLConnection {
    @discardableResult
    package func execute(_ sql: String) throws -> Int { try execute(sql, []) }

    package func query(_ sql: String) throws -> [SQLRow] { try query(sql, []) }

    package func first(_ sql: String, _ arguments: [SQLValue] = []) throws -> SQLRow? {
        try query(sql, arguments).first
    }

    /// Runs `statement` once for each row that `keys` selects, with that row's columns as its arguments.
    ///
    /// For deleting in batches: SQLite searches `(drive_id, id) IN (SELECT …)` by the first column alone, which is a whole
    /// drive for each batch.
    ///
    /// - Returns: how many rows were changed in all.
    package func executeEach(_ statement: String, of keys: String, _ arguments: [SQLValue]) throws -> Int {
        try query(keys, arguments).reduce(0) { try $0 + execute(statement, $1.values) }
    }
}

/// What a database engine refused.
package enum DatabaseError: Error {
    /// A unique index said no; for `INSERT` and `UPDATE` that may meet a name or key in use.
    case uniqueViolation(String)
    case foreignKeyViolation(String)
    /// The disk is full, or has only the room left that is kept for others; nothing of the transaction was kept.
    case diskFull
    /// Too many transactions wait already; the caller may come back.
    case busy
    /// The file is damaged, or not a database.
    case corrupt(String)
    /// A migration in the file is not known to this binary: the file is of a newer one.
    case newer(found: Int, known: Int)
    /// Anything else, with the engine's own words.
    case failed(String)
}
