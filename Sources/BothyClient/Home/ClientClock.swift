import BothyContract
import Foundation

/// What time it is, and waiting. Handed in, so that tests and the simulated world own it.
package protocol ClientClock: Sendable {
    /// The calendar's time, which may jump.
    func now() -> Timestamp
    /// Seconds since some moment, which never jump.
    func uptime() -> Double
    /// - Throws: `CancellationError` when the task is cancelled meanwhile.
    func sleep(seconds: Double) async throws
}

/// The machine's own clocks.
package struct SystemClock: ClientClock {
    package init() {}

    package func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
    }

    package func uptime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    package func sleep(seconds: Double) async throws {
        try await Task.sleep(for: .milliseconds(Int64(max(0, seconds) * 1000)))
    }
}
