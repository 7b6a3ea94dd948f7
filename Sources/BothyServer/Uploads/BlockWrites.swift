import Synchronization

/// Writes that are between their first byte in a pack and their commit in the database.
///
/// Reclaiming asks the database what lives; a block that is finished but not committed is not known there yet. So it takes
/// its mark first, then waits here until every write that was under way has ended.
package final class BlockWrites: Sendable {
    private struct State {
        var next: UInt64 = 0
        var underWay = Set<UInt64>()
        var waiting = [(last: UInt64, resume: CheckedContinuation<Void, Never>)]()

        /// Takes out those whose writes have all ended.
        mutating func settled() -> [CheckedContinuation<Void, Never>] {
            let oldest = underWay.min() ?? .max
            let ready = waiting.filter { $0.last < oldest }
            waiting.removeAll { $0.last < oldest }
            return ready.map(\.resume)
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// Runs `body`, which writes blocks and commits or abandons them.
    package func during<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        let number = begin()
        defer { end(number) }
        return try await body()
    }

    /// Returns when all writes that are under way now have ended.
    package func settled() async {
        await withCheckedContinuation { continuation in
            let isSettled = state.withLock { state in
                guard let last = state.underWay.max() else { return true }
                state.waiting.append((last, continuation))
                return false
            }
            if isSettled { continuation.resume() }
        }
    }

    private func begin() -> UInt64 {
        state.withLock { state in
            state.next += 1
            state.underWay.insert(state.next)
            return state.next
        }
    }

    private func end(_ number: UInt64) {
        let ready = state.withLock { state in
            state.underWay.remove(number)
            return state.settled()
        }
        for continuation in ready { continuation.resume() }
    }
}
