import BothyContract
import BothyServer
import Synchronization

/// A database that tells afterwards what was asked of it, and where.
final class WatchedDatabase: Database {
    private let base: any Database
    private let notes = StatementNotes()
    private let busyApart: Mutex<Int>

    /// - Parameter busyApart: how many of the first long looks find too many others waiting.
    init(_ base: any Database, busyApart: Int = 0) {
        self.base = base
        self.busyApart = Mutex(busyApart)
    }

    /// Every statement that was run, in order.
    var statements: [String] { notes.all.map(\.sql) }
    /// Those that were run on a thread of their own.
    var statementsApart: [String] { notes.all.filter { $0.place == .apart }.map(\.sql) }
    /// Those of transactions, for which everybody who writes waits.
    var statementsWriting: [String] { notes.all.filter { $0.place == .writing }.map(\.sql) }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await base.read { [notes] in try body(WatchedConnection(base: $0, notes: notes, place: .reading)) }
    }

    func readApart<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        let isBusy = busyApart.withLock { left -> Bool in
            left -= 1
            return left >= 0
        }
        if isBusy { throw Problem(.busy, "Too many others wait.") }
        return try await base.readApart { [notes] in
            try body(WatchedConnection(base: $0, notes: notes, place: .apart))
        }
    }

    @discardableResult
    func write<Value: Sendable>(
        from room: WriteRoom, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await base.write(from: room) { [notes] in
            try body(WatchedConnection(base: $0, notes: notes, place: .writing))
        }
    }

    func writeEach<Value: Sendable>(
        _ bodies: [@Sendable (any SQLConnection) throws -> Value]
    ) async throws -> [Result<Value, any Error>] {
        try await base.writeEach(bodies)
    }

    func backup<Value: Sendable>(
        to path: String, reading body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await base.backup(to: path, reading: body)
    }

    func checkHealth() async throws { try await base.checkHealth() }

    func faults() async throws -> [String] { try await base.faults() }

    func close() async throws { try await base.close() }
}

private final class StatementNotes: Sendable {
    enum Place { case reading, apart, writing }

    struct Note: Sendable {
        var sql: String
        var place: Place
    }

    private let notes = Mutex([Note]())

    var all: [Note] { notes.withLock { $0 } }

    func add(_ sql: String, _ place: Place) { notes.withLock { $0.append(Note(sql: sql, place: place)) } }
}

private struct WatchedConnection: SQLConnection {
    let base: any SQLConnection
    let notes: StatementNotes
    let place: StatementNotes.Place

    func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        notes.add(sql, place)
        return try base.execute(sql, arguments)
    }

    func query(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
        notes.add(sql, place)
        return try base.query(sql, arguments)
    }
}
