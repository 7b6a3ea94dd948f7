import BothyContract
import Foundation

/// The machine's own clocks.
package struct SystemClock: ServerClock {
    private let start = ContinuousClock.now

    package init() {}

    package func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
    }

    package func uptimeSeconds() -> Double {
        let lived = ContinuousClock.now - start
        return Double(lived.components.seconds) + Double(lived.components.attoseconds) / 1e18
    }
}
