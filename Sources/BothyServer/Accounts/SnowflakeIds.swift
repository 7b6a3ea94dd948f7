import BothyContract
import Synchronization

/// Ids of 63 bits that grow with time: 41 bits of milliseconds, 10 of node, 12 of sequence, as Twitter's Snowflake.
///
/// Milliseconds count from 2024-01-01, which lasts until 2093. A clock that goes back is held at the latest
/// moment seen, so that ids of one process never repeat.
package final class SnowflakeIds: Sendable {
    private struct Last {
        var millisecond: Int64 = 0
        var sequence: Int64 = 0
    }

    private static let start: Int64 = 1_704_067_200_000
    private let node: Int64
    private let clock: any ServerClock
    private let last = Mutex(Last())

    /// - Parameter node: 0 to 1023, another one for each process that shares a database.
    package init(node: Int, clock: any ServerClock) {
        precondition((0..<1024).contains(node), "a node has 10 bits")
        self.node = Int64(node)
        self.clock = clock
    }

    package func next() -> Int64 {
        let now = max(0, clock.now().milliseconds - Self.start)
        return last.withLock { last in
            if now > last.millisecond {
                last = Last(millisecond: now, sequence: 0)
            } else if last.sequence < 4095 {
                last.sequence += 1
            } else {
                last = Last(millisecond: last.millisecond + 1, sequence: 0)
            }
            return last.millisecond << 22 | node << 12 | last.sequence
        }
    }
}
