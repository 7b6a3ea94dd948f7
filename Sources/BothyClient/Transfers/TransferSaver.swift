import Synchronization

/// Writes one transfer's record, the newest only: while one write is under way the next waits, replaced by newer ones.
final class TransferSaver: Sendable {
    private struct State {
        var waiting: TransferRecord?
        var writing: Task<Void, Never>?
        var failure: TransferFailure?
    }

    private let store: TransferStore
    private let executor: LoopExecutor
    private let state = Mutex(State())

    init(store: TransferStore, on executor: LoopExecutor) {
        self.store = store
        self.executor = executor
    }

    /// What the last write ended with, if badly.
    var failure: TransferFailure? { state.withLock { $0.failure } }

    func save(_ record: TransferRecord) {
        state.withLock { state in
            state.waiting = record
            if state.writing == nil { state.writing = Task(executorPreference: executor) { await self.write() } }
        }
    }

    /// Writes the last state of all, and returns when it is written.
    func finish(_ record: TransferRecord) async {
        save(record)
        await state.withLock { $0.writing }?.value
    }

    private func write() async {
        while let record = next() {
            do {
                try await store.save(record)
            } catch {
                let failure = error as? TransferFailure ?? TransferFailure(.diskFailed, "\(error)")
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
