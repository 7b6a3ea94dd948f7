import Synchronization

/// Writes one transfer's record, the newest only: while one write is under way the next waits, replaced by newer ones.
///
/// What a record says of this disk must be true after a power cut, too: `before` makes it so.
final class TransferSaver: Sendable {
    private struct State {
        var waiting: TransferRecord?
        var writing: Task<Void, Never>?
        var failure: TransferFailure?
        var lostWrites = false
    }

    private let store: TransferStore
    private let before: @Sendable () async throws -> Void
    private let executor: LoopExecutor
    private let state = Mutex(State())

    /// Tries in a row while another program holds the database; each waits as long as ``ClientDatabase`` does.
    private static let mostTries = 30

    /// - Parameter before: runs before each record is written; where it fails the record is not.
    init(
        store: TransferStore, on executor: LoopExecutor, before: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.store = store
        self.before = before
        self.executor = executor
    }

    /// What the last write ended with, if badly.
    var failure: TransferFailure? { state.withLock { $0.failure } }
    /// Whether that was `before`.
    var lostWrites: Bool { state.withLock { $0.lostWrites } }

    func save(_ record: TransferRecord) {
        state.withLock { state in
            state.waiting = record
            if state.writing == nil { state.writing = Task(executorPreference: executor) { await self.write() } }
        }
    }

    /// Writes the last state of all, and returns when it is written.
    func finish(_ record: TransferRecord) async {
        save(record)
        await written()
    }

    /// Returns when what was saved so far is written.
    func written() async { await state.withLock { $0.writing }?.value }

    private func write() async {
        var busy = 0
        while let record = next() {
            do {
                try await before()
                try await store.save(record)
                busy = 0
            } catch let failure as TransferFailure where failure.code == .homeBusy && busy < Self.mostTries {
                busy += 1
                state.withLock { $0.waiting = $0.waiting ?? record }
            } catch let loss as WritesLost {
                state.withLock {
                    $0.failure = loss.failure
                    $0.lostWrites = true
                }
            } catch {
                let failure =
                    error as? TransferFailure
                    ?? TransferFailure(.unexpected, "An unexpected error occurred: \(error).")
                state.withLock { $0.failure = failure }
            }
        }
    }

    private func next() -> TransferRecord? {
        state.withLock { state in
            defer { state.waiting = nil }
            if state.waiting == nil { state.writing = nil }
            return state.waiting
        }
    }
}
