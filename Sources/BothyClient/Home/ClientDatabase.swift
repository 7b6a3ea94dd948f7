import Foundation
import GRDB

/// The one place that opens this device's database.
package final class ClientDatabase: Sendable {
    private let writer: any DatabaseWriter
    private let commits: SharedCommits
    private let log: SharedLogSync
    private let path: String
    private let isInMemory: Bool
    private let damaged: @Sendable () -> Void
    /// What to do about a file that is damaged.
    private let remedy: String

    /// Seconds to wait for another process of the same device.
    private static let busyTimeout = 20.0
    /// A transfer reads while another commits; more readers than this wait.
    private static let maximumReaders = 4
    /// KiB of pages that a connection keeps, above SQLite's 2,000: of a folder of ten thousand files, all that a pass writes.
    private static let cacheKibibytes = 8_192
    /// Pages after which the write-ahead log goes into the file. A page that many commits change is written once then.
    private static let checkpointPages = 4_000
    /// Bytes that SQLite's write-ahead log may have when the file is closed.
    private static let longLog = 512 << 10

    /// Of the device's own database: the sign-in and what waits to be sent are not in it, synced folders are.
    private static let bindAnew = """
        Move it away; you stay signed in, and everything that was sent is on the server. Then run “bothy sync DIR REMOTE \
        --confirm” for each synced folder: this deletes nothing, here or there. Transfers can be started again.
        """

    /// What a commit survives.
    package enum Durability: String, Sendable {
        /// A crash of this program. A power cut may cost the last commits.
        case normal = "NORMAL"
        /// A power cut.
        case full = "FULL"
    }

    /// - Parameters:
    ///   - remedy: what a person does about a damaged file.
    ///   - damaged: told when SQLite finds the file damaged while it is used.
    /// - Throws: `homeNewer` when a newer Bothy wrote it; else as ``ClientFailure`` tells what SQLite refuses: `homeUnusable`, `homeBusy`,
    ///   `diskFull`, `diskFailed`.
    package init(
        path: String, migrator: DatabaseMigrator = ClientMigrations.migrator, durability: Durability = .normal,
        remedy: String = ClientDatabase.bindAnew, damaged: @escaping @Sendable () -> Void = {}
    ) throws {
        self.damaged = damaged
        self.remedy = remedy
        var configuration = Configuration()
        configuration.busyMode = .timeout(Self.busyTimeout)
        configuration.maximumReaderCount = Self.maximumReaders
        configuration.prepareDatabase { db in
            // Of transfers, a commit lost to a power cut costs chunks sent twice and nothing else: what the server
            // acknowledged it still has, and a download is hashed whole before it counts.
            try db.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
            try db.execute(sql: "PRAGMA cache_size = -\(Self.cacheKibibytes)")
            try db.execute(sql: "PRAGMA wal_autocheckpoint = \(Self.checkpointPages)")
        }
        Self.createPrivately(path)
        self.path = path
        isInMemory = false
        do {
            let pool = try Self.whenFree { () throws -> DatabasePool in
                let pool = try DatabasePool(path: path, configuration: configuration)
                if try pool.read(migrator.hasBeenSuperseded) {
                    throw ClientFailure(.homeNewer, "A newer Bothy has written “\(path)”; this one cannot read it.")
                }
                try Self.migrate(pool, by: migrator)
                return pool
            }
            writer = pool
            commits = SharedCommits(pool)
            log = SharedLogSync(path: path + "-wal")
        } catch let error as DatabaseError {
            throw ClientFailure(error, path: path, remedy: remedy)
        }
    }

    /// To have a new file keep a write-ahead log SQLite needs it for itself, and where another process has it open it does not wait
    /// for that as it does for all else.
    private static func whenFree<Value>(_ open: () throws -> Value) throws -> Value {
        let deadline = ContinuousClock.now + .seconds(busyTimeout)
        while true {
            do {
                return try open()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && .now < deadline {
                usleep(10_000)
            }
        }
    }

    /// Each step is a transaction of its own, and several processes may open a new home at once: a step that another one
    /// has just made fails here, and is seen as made the next time.
    private static func migrate(_ pool: DatabasePool, by migrator: DatabaseMigrator) throws {
        for _ in migrator.migrations {
            do {
                return try migrator.migrate(pool)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
                continue
            }
        }
        try migrator.migrate(pool)
    }

    private init(memory: DatabaseQueue) {
        writer = memory
        commits = SharedCommits(memory)
        log = SharedLogSync(path: "")
        path = "memory"
        isInMemory = true
        damaged = {}
        remedy = Self.bindAnew
    }

    /// A database that is in memory alone: the simulated world's.
    package static func inMemory(migrator: DatabaseMigrator = ClientMigrations.migrator) throws -> ClientDatabase {
        let database = ClientDatabase(memory: try DatabaseQueue())
        try migrator.migrate(database.writer)
        return database
    }

    /// What is committed at this moment, in memory: what a crash would leave. Not from within a transaction.
    package func copyInMemory() throws -> ClientDatabase {
        let copy = try DatabaseQueue()
        try writer.backup(to: copy)
        return ClientDatabase(memory: copy)
    }

    /// SQLite gives its other files the permissions of this one, and makes it readable to all where nobody was first.
    /// What fails here fails again, in words, when it is opened.
    private static func createPrivately(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor >= 0 { _ = Foundation.close(descriptor) }
    }

    package func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await told {
            if isInMemory { return try readHere(body) }
            return try await writer.read(body)
        }
    }

    /// One transaction; what others write at the same time may be committed along with it.
    package func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await told {
            if isInMemory { return try writeHere(body) }
            return try await commits.write(body)
        }
    }

    /// What SQLite refuses becomes a failure in words. Damage is also reported through ``damaged``.
    private func told<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            throw CancellationError()
        } catch let error as DatabaseError {
            let failure = failure(error)
            if failure.isDamage == true { damaged() }
            throw failure
        }
    }

    /// Returns when what was committed survives a power cut, whatever durability it was opened with.
    package func makeDurable() async throws {
        if !isInMemory { try await log.sync() }
    }

    /// Blocks its thread: for what is done while it is opened.
    func writeNow(_ body: (Database) throws -> Void) throws { try writeHere(body) }

    // What is in memory blocks nobody: it needs no thread of its own. Its one connection is not made read-only for a read: each
    // change of that has SQLite compile every statement anew.
    private func readHere<Value>(_ body: (Database) throws -> Value) throws -> Value { try writer.unsafeRead(body) }
    private func writeHere<Value>(_ body: (Database) throws -> Value) throws -> Value { try writer.write(body) }

    /// A number that differs after each commit of another process.
    package func dataVersion() async throws -> Int64 {
        try await told { try await writer.read { db in try Int64.fetchOne(db, sql: "PRAGMA data_version") ?? 0 } }
    }

    /// Writes the file anew without its free pages. Where another process is in the way, it stays as it is.
    func vacuum() async throws {
        do {
            try await DiskQueue("vacuum").run { [writer] in try writer.vacuum() }
        } catch let error as DatabaseError
            where [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL].contains(error.resultCode)
        {
            // It costs room and nothing else.
        } catch let error as DatabaseError {
            throw failure(error)
        }
    }

    /// The next process to open the file, with no other there, reads SQLite's log of it from end to end: it may not stay long.
    private func foldLog() {
        // Where there is none, there is nothing to fold.
        let size = try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
        guard !isInMemory, let size, size > Self.longLog else { return }
        // Where another process is in the way, it stays as it is: nobody waits for that.
        try? writer.barrierWriteWithoutTransaction { db in
            try db.execute(sql: "PRAGMA busy_timeout = 0")
            try db.checkpoint(.truncate)
        }
    }

    /// Waits for those who still read; on a thread of its own, because they need the tasks' threads to come to their end.
    package func close() async throws {
        try await DiskQueue("closing").run { [self] in
            foldLog()
            try writer.close()
        }
    }

    /// Closes it with everything in the file itself. While nobody else uses it yet.
    package func closeWhole() throws {
        do {
            _ = try writer.barrierWriteWithoutTransaction { try $0.checkpoint(.truncate) }
            try writer.close()
        } catch let error as DatabaseError {
            throw failure(error)
        }
    }

    private func failure(_ error: DatabaseError) -> ClientFailure {
        ClientFailure(error, path: path, remedy: remedy)
    }
}
