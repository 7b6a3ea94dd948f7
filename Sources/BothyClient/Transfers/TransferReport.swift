import Synchronization

/// Says when a transfer is worth telling of: every change of state at once, bytes at most ten times a second.
struct TransferReport {
    private let clock: any ClientClock
    private var state: TransferState?
    private var toldAt = -Double.infinity

    /// Seconds.
    static let interval = 0.1

    init(clock: any ClientClock) { self.clock = clock }

    /// A state that rests is not told on the way: first it is written.
    mutating func isDue(_ snapshot: TransferSnapshot) -> Bool {
        guard !snapshot.state.rests else { return false }
        let now = clock.uptime()
        guard snapshot.state != state || now - toldAt >= Self.interval else { return false }
        toldAt = now
        state = snapshot.state
        return true
    }
}

/// Bytes that this process has moved for one transfer, counted from whichever thread moves them.
final class MovedBytes: Sendable {
    private let count = Mutex<Int64>(0)

    var value: Int64 { count.withLock { $0 } }
    func add(_ bytes: Int) { count.withLock { $0 += Int64(bytes) } }
}

/// Bytes of one request that the connection has taken, counted on its thread, and told of ten times a second at most.
final class HandedBytes: Sendable {
    private struct State {
        var count: Int64 = 0
        var toldAt = -Double.infinity
    }

    private let state = Mutex(State())
    private let clock: any ClientClock

    init(clock: any ClientClock) { self.clock = clock }

    /// - Returns: all so far, where it is time to tell of them.
    func add(_ bytes: Int) -> Int64? {
        let now = clock.uptime()
        return state.withLock { state in
            state.count += Int64(bytes)
            guard now - state.toldAt >= TransferReport.interval else { return nil }
            state.toldAt = now
            return state.count
        }
    }
}
