import BothyContract
import BothyServer
import Synchronization

/// Time that stands until the test moves it.
final class TestClock: ServerClock {
    private struct Time {
        var now = Timestamp(seconds: 1_763_650_800)
        var uptime = 100.0
    }

    private let time = Mutex(Time())

    func now() -> Timestamp { time.withLock { $0.now } }
    func uptimeSeconds() -> Double { time.withLock { $0.uptime } }

    /// Both the calendar and the process go on.
    func advance(seconds: Int64) {
        time.withLock {
            $0.now = $0.now.adding(seconds: seconds)
            $0.uptime += Double(seconds)
        }
    }

    /// The calendar alone jumps.
    func jump(seconds: Int64) { time.withLock { $0.now = $0.now.adding(seconds: seconds) } }
}
