import BothyContract
import Synchronization

@testable import BothyServer

/// A clock that a test moves.
final class ManualClock: ServerClock {
    private struct Reading {
        var calendar: Timestamp
        var uptime: Double
    }

    private let reading: Mutex<Reading>

    init(calendar: Timestamp = Timestamp(seconds: 1_790_000_000), uptime: Double = 0) {
        reading = Mutex(Reading(calendar: calendar, uptime: uptime))
    }

    func now() -> Timestamp { reading.withLock { $0.calendar } }
    func uptimeSeconds() -> Double { reading.withLock { $0.uptime } }

    /// Time passes.
    func advance(by seconds: Double) {
        reading.withLock { reading in
            reading.uptime += seconds
            reading.calendar = reading.calendar.adding(seconds: Int64(seconds))
        }
    }

    /// Somebody sets the calendar.
    func set(calendar: Timestamp) { reading.withLock { $0.calendar = calendar } }
}
