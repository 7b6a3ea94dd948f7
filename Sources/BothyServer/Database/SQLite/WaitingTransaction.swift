import GRDB

/// A transaction that waits for the writer, and what it came to.
protocol WaitingTransaction: AnyObject, Sendable {
    /// Runs the body and keeps its outcome. It may run again: the last outcome counts.
    ///
    /// - Returns: whether the body returned.
    func run(on connection: SQLiteConnection) -> Bool

    /// Answers who waits: with the outcome of the last run, or with `failure`.
    func answer(failure: (any Error)?)
}

/// Unchecked because only the writer's queue touches `outcome`.
final class WaitingBody<Value: Sendable>: WaitingTransaction, @unchecked Sendable {
    private let body: @Sendable (any SQLConnection) throws -> Value
    private let continuation: CheckedContinuation<Value, any Error>
    private var outcome: Result<Value, any Error>?

    init(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value,
        _ continuation: CheckedContinuation<Value, any Error>
    ) {
        self.body = body
        self.continuation = continuation
    }

    func run(on connection: SQLiteConnection) -> Bool {
        do {
            outcome = .success(try body(connection))
            return true
        } catch {
            outcome = .failure(error)
            return false
        }
    }

    func answer(failure: (any Error)?) {
        if let failure {
            continuation.resume(throwing: failure)
        } else if let outcome {
            continuation.resume(with: outcome)
        } else {
            preconditionFailure("a transaction is answered after it ran")
        }
    }
}
