import GRDB
import Synchronization

/// A transaction that waits for the writer, and what it came to.
protocol WaitingTransaction: AnyObject, Sendable {
    /// The room on the disk that it may take.
    var room: WriteRoom { get }

    /// Runs the body and keeps its outcome. It may run again: the last outcome counts.
    ///
    /// - Returns: whether the body returned.
    func run(on connection: SQLiteConnection) -> Bool

    /// Answers who waits: with the outcome of the last run, or with `failure`.
    func answer(failure: (any Error)?)
}

/// Unchecked because only the writer's queue touches `outcome`.
final class WaitingBody<Value: Sendable>: WaitingTransaction, @unchecked Sendable {
    let room: WriteRoom
    private let body: @Sendable (any SQLConnection) throws -> Value
    private let tell: @Sendable (Result<Value, any Error>) -> Void
    private var outcome: Result<Value, any Error>?

    init(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value, from room: WriteRoom,
        tell: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        self.room = room
        self.body = body
        self.tell = tell
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
            tell(.failure(failure))
        } else if let outcome {
            tell(outcome)
        } else {
            preconditionFailure("a transaction is answered after it ran")
        }
    }
}

/// The answers of transactions that one caller waits for together.
final class AnswerSeries<Value: Sendable>: Sendable {
    private struct State {
        var answers: [Result<Value, any Error>?]
        var missing: Int
    }

    private let state: Mutex<State>
    private let whole: @Sendable ([Result<Value, any Error>]) -> Void

    /// - Parameter whole: called once, with the last answer.
    init(count: Int, whole: @escaping @Sendable ([Result<Value, any Error>]) -> Void) {
        state = Mutex(State(answers: Array(repeating: nil, count: count), missing: count))
        self.whole = whole
    }

    func add(_ answer: Result<Value, any Error>, at index: Int) {
        let answers = state.withLock { state -> [Result<Value, any Error>]? in
            precondition(state.answers[index] == nil, "a transaction is answered once")
            state.answers[index] = answer
            state.missing -= 1
            return state.missing == 0 ? state.answers.compactMap { $0 } : nil
        }
        if let answers { whole(answers) }
    }
}
