import BothyContract
import Dispatch
import Foundation
import GRDB

/// The database in one file: write-ahead log, `synchronous=FULL`, strict tables, foreign keys.
package final class SQLiteDatabase: Database {
    /// Readers that run beside the writer; the machine has few cores.
    private static let maximumReaders = 6
    /// Readers of ``readApart(_:)`` at once: the others stay for those who are done within a millisecond.
    private static let mostApart = 3
    /// More than that would wait for minutes.
    private static let mostWaitingApart = 256
    /// Milliseconds that a statement waits for another process, such as a person's `sqlite3`.
    private static let busyMilliseconds = 5000
    /// KiB of pages that a connection keeps, above SQLite's 2,000: the upper levels of every index of a busy drive.
    private static let cacheKibibytes = 8_192
    /// Pages after which the write-ahead log goes into the file, which keeps every writer waiting: files are spread over each index,
    /// and a page that many of them change is written once then.
    private static let checkpointPages = 8_000
    /// Bytes that the write-ahead log keeps on the disk after a checkpoint.
    private static let journalBytes = 64 << 20

    package let path: String
    private let pool: DatabasePool
    private let writer: GroupedWriter
    private let reads = OpenReads()
    private let apart = Turns(
        atOnce: SQLiteDatabase.mostApart, mostWaiting: SQLiteDatabase.mostWaitingApart,
        refusal: Problem(.busy, "Too many long looks at the data wait already. Try again in a moment."))

    private init(path: String, pool: DatabasePool, reserve: DiskReserve) {
        self.path = path
        self.pool = pool
        writer = GroupedWriter(pool: pool, reserve: reserve)
    }

    /// Opens the file, makes it where there is none, and brings its schema up to date; it is copied before.
    ///
    /// - Parameter reserve: the room on its disk that not every transaction may take.
    /// - Throws: ``DatabaseError/newer(found:known:)``, and what the engine refuses.
    package static func open(
        path: String, migrations: [Migration] = Migration.all, keeping reserve: DiskReserve = .none
    ) async throws -> SQLiteDatabase {
        let database = try refusalsTranslated {
            let pool = try DatabasePool(path: path, configuration: configuration)
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            return SQLiteDatabase(path: path, pool: pool, reserve: reserve)
        }
        try await MigrationRunner(migrations: migrations, spell: SQLiteDialect.spelled)
            .run(on: database, copyingBefore: { number in try await database.keepCopy(before: number) })
        try await database.write(from: .reserve) { try SQLiteStatistics.write($0) }
        return database
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "bothy.database"
        configuration.maximumReaderCount = maximumReaders
        configuration.busyMode = .timeout(Double(busyMilliseconds) / 1000)
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
            try database.execute(sql: "PRAGMA cache_size = -\(cacheKibibytes)")
            try database.execute(sql: "PRAGMA wal_autocheckpoint = \(checkpointPages)")
            try database.execute(sql: "PRAGMA journal_size_limit = \(journalBytes)")
        }
        return configuration
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try refusalsTranslated { try readHere(body) }
    }

    /// On the caller's thread: a read takes microseconds, and handing it to another thread and back costs several times that.
    func readHere<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value {
        try reads.run { try pool.read { try body(SQLiteConnection(database: $0)) } }
    }

    package func readApart<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await apart.run { try await self.onQueueOfItsOwn { try self.readHere(body) } }
    }

    @discardableResult
    package func write<Value: Sendable>(
        from room: WriteRoom, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            writer.submit([WaitingBody(body, from: room) { continuation.resume(with: $0) }])
        }
    }

    package func writeEach<Value: Sendable>(
        _ bodies: [@Sendable (any SQLConnection) throws -> Value]
    ) async throws -> [Result<Value, any Error>] {
        try Task.checkCancellation()
        guard !bodies.isEmpty else { return [] }
        return await withCheckedContinuation { continuation in
            let series = AnswerSeries<Value>(count: bodies.count) { continuation.resume(returning: $0) }
            writer.submit(
                bodies.enumerated().map { index, body in WaitingBody(body, from: .shared) { series.add($0, at: index) }
                })
        }
    }

    package func backup<Value: Sendable>(
        to path: String, reading body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await onQueueOfItsOwn { [pool] in
            guard !FileManager.default.fileExists(atPath: path) else {
                throw DatabaseError.failed("\(path) exists already; a backup of the database never replaces a file")
            }
            let copy = try DatabaseQueue(path: path)
            try pool.backup(to: copy)
            let value = try copy.read { try body(SQLiteConnection(database: $0)) }
            try copy.close()
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            try file.synchronize()
            try file.close()
            return value
        }
    }

    package func checkHealth() async throws {
        if let refusal = writer.refusal { throw refusal }
        _ = try await read { try $0.query("SELECT 1") }
    }

    package func close() async throws {
        writer.stop(.failed("the database is closed"))
        try await onQueueOfItsOwn { [pool, reads] in
            reads.close()
            // Stands in the queue behind the groups that still commit.
            try pool.writeWithoutTransaction { database in
                do {
                    try database.checkpoint(.truncate)
                } catch let error as GRDB.DatabaseError where error.resultCode == .SQLITE_BUSY {
                    // Somebody still reads; the log is brought in when the file is opened next.
                }
            }
            try pool.close()
        }
    }

    func onQueueOfItsOwn<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try refusalsTranslated(body) })
            }
        }
    }
}
