import Dispatch
import Synchronization

/// The reads that run: closing waits for them, and lets no other begin. SQLite ends the process where a connection goes under a read,
/// such as one that somebody began in the background just before a server stops.
final class OpenReads: Sendable {
    private let running = DispatchGroup()
    private let isClosed = Mutex(false)

    /// - Throws: ``DatabaseError/failed(_:)`` once ``close()`` was called.
    func run<Value>(_ read: () throws -> Value) throws -> Value {
        try isClosed.withLock { isClosed in
            guard !isClosed else { throw DatabaseError.failed("the database is closed") }
            running.enter()
        }
        defer { running.leave() }
        return try read()
    }

    /// Blocks until the last read has ended.
    func close() {
        isClosed.withLock { $0 = true }
        running.wait()
    }
}
