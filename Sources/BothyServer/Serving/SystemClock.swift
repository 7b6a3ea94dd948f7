import BothyContract
import Foundation

/// The machine's own clocks.
package struct SystemClock: ServerClock {
    private let start = ContinuousClock.now

    package init() {}

    /// To the millisecond, which is what the wire tells of times that are ours.
    package func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    package func uptimeSeconds() -> Double {
        let lived = ContinuousClock.now - start
        return Double(lived.components.seconds) + Double(lived.components.attoseconds) / 1e18
    }
}
