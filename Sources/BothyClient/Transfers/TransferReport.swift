import Synchronization

/// Says when a transfer is worth telling of: every change of state at once, bytes at most ten times a second.
struct TransferReport {
    private let clock: any ClientClock
    private var state: TransferState?
    private var toldAt = -Double.infinity

    /// Seconds.
    private static let interval = 0.1

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
