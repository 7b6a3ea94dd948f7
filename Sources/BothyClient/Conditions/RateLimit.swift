import Foundation
import Synchronization

/// Bytes a second that transfers may use, each way, in this process. A token bucket of a tenth of a second.
package final class RateLimit: Sendable {
    private struct State {
        var bytesPerSecond: Int64?
        /// When the next byte may go, in the clock's uptime.
        var nextFree = 0.0
    }

    private let state: Mutex<State>
    private let clock: any ClientClock

    package init(bytesPerSecond: Int64?, clock: any ClientClock) {
        state = Mutex(State(bytesPerSecond: bytesPerSecond))
        self.clock = clock
    }

    package var bytesPerSecond: Int64? {
        get { state.withLock { $0.bytesPerSecond } }
        set { state.withLock { $0.bytesPerSecond = newValue } }
    }

    /// Takes `bytes` from the budget.
    ///
    /// - Returns: seconds to wait before they may move.
    package func take(_ bytes: Int) -> Double {
        let now = clock.uptime()
        return state.withLock { state in
            guard let rate = state.bytesPerSecond, rate > 0 else { return 0 }
            let start = max(now - 0.1, state.nextFree)
            state.nextFree = start + Double(bytes) / Double(rate)
            return max(0, start - now)
        }
    }
}
