import GRDB
import Synchronization

/// Lets writes that come while one commit is under way share the next: a commit costs more than what most of them write.
///
/// Each is whole or not at all, whatever becomes of the others beside it, and returns when it is committed.
final class SharedCommits: Sendable {
    private struct Write: Sendable {
        var perform: @Sendable (Database) throws -> Void
        var settle: @Sendable (Result<Void, any Error>) -> Void
    }

    private struct State {
        var waiting = [Write]()
        var isUnderWay = false
    }

    private let writer: any DatabaseWriter
    private let state = Mutex(State())

    init(_ writer: any DatabaseWriter) { self.writer = writer }

    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let written = Mutex<Value?>(nil)
            add(
                Write { db in
                    let value = try body(db)
                    written.withLock { $0 = value }
                } settle: { result in
                    continuation.resume(
                        with: result.map {
                            guard let value = written.withLock({ $0 }) else { preconditionFailure("it was performed") }
                            return value
                        })
                })
        }
    }

    private func add(_ write: Write) {
        let isFirst = state.withLock { state in
            state.waiting.append(write)
            defer { state.isUnderWay = true }
            return !state.isUnderWay
        }
        guard isFirst else { return }
        writer.asyncWriteWithoutTransaction { db in
            while let writes = self.next() { Self.commit(writes, in: db) }
        }
    }

    private func next() -> [Write]? {
        state.withLock { state in
            defer { state.waiting = [] }
            if state.waiting.isEmpty { state.isUnderWay = false }
            return state.waiting.isEmpty ? nil : state.waiting
        }
    }

    private static func commit(_ writes: [Write], in db: Database) {
        var results = [Result<Void, any Error>]()
        do {
            try db.inTransaction {
                if writes.count == 1 {
                    try writes[0].perform(db)
                    results = [.success(())]
                } else {
                    for write in writes { results.append(try result(of: write, in: db)) }
                }
                return .commit
            }
        } catch {
            results = writes.map { _ in .failure(error) }
        }
        for (write, result) in zip(writes, results) { write.settle(result) }
    }

    /// - Throws: what ended the whole transaction: a full disk does.
    private static func result(of write: Write, in db: Database) throws -> Result<Void, any Error> {
        do {
            try db.inSavepoint {
                try write.perform(db)
                return .commit
            }
            return .success(())
        } catch {
            guard db.isInsideTransaction else { throw error }
            return .failure(error)
        }
    }
}
