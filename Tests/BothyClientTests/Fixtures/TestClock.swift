import BothyClient
import BothyContract
import Synchronization

/// Time that passes only by being waited for.
final class TestClock: ClientClock {
    private struct State {
        var milliseconds: Int64 = 1_700_000_000_000
        var slept = [Double]()
    }

    private let state = Mutex(State())

    /// Every wait that was asked for, in seconds.
    var slept: [Double] { state.withLock { $0.slept } }

    func now() -> Timestamp { state.withLock { Timestamp(milliseconds: $0.milliseconds) } }
    func uptime() -> Double { state.withLock { Double($0.milliseconds) / 1000 } }

    func jump(seconds: Int64) { state.withLock { $0.milliseconds += seconds * 1000 } }

    func sleep(seconds: Double) async throws {
        try Task.checkCancellation()
        state.withLock {
            $0.slept.append(seconds)
            $0.milliseconds += Int64(seconds * 1000)
        }
        await Task.yield()
    }
}
