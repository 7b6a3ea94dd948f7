import Synchronization

/// Writes that are between their first byte in a pack and their commit in the database.
///
/// Reclaiming asks the database what lives, and a backup copies what a snapshot of it knows; a block that is finished but not
/// committed is not known there yet. So both keep to what lies before the place where the oldest of these writes began, and
/// wait for none: a body may come slowly.
package final class BlockWrites: Sendable {
    private struct State {
        var next: UInt64 = 0
        /// Where each began: all that it writes lies behind.
        var underWay = [UInt64: ReclaimMark]()
    }

    private let state = Mutex(State())

    package init() {}

    /// Runs `body`, which writes blocks and commits or abandons them.
    package func during<Value>(in packs: any PackStore, _ body: () async throws -> Value) async rethrows -> Value {
        let number = begin(at: packs)
        defer { state.withLock { _ = $0.underWay.removeValue(forKey: number) } }
        return try await body()
    }

    private func begin(at packs: any PackStore) -> UInt64 {
        state.withLock { state in
            state.next += 1
            // Under the lock: a caller that asks for the lowest place sees this write, or comes before it.
            state.underWay[state.next] = packs.end
            return state.next
        }
    }

    /// The lowest place behind which a write may not be committed yet; `mark`, which was taken before, where there is none.
    package func lowest(below mark: ReclaimMark) -> ReclaimMark {
        state.withLock { $0.underWay.values.reduce(mark) { min($0, $1) } }
    }
}
