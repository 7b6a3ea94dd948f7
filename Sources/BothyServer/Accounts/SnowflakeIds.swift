import BothyContract
import Synchronization

/// Ids of 53 bits that grow with time, as Twitter's Snowflake: 41 bits of milliseconds since 2025-01-01, which last until 2094, 7 of
/// node, 5 of sequence. A number of JavaScript holds them exactly.
///
/// An id is that of the clock or the one after the last that was given, whichever is greater: it never waits, and none repeats when
/// the clock goes back.
package final class SnowflakeIds: Sendable {
    private struct Last {
        var millisecond: Int64 = 0
        var sequence: Int64 = 0
    }

    private static let start: Int64 = 1_735_689_600_000
    private static let sequenceBits: Int64 = 5
    private static let timeShift: Int64 = 12
    /// How far ids are apart that are given an hour apart: transactions end in another order than their ids, but within less than that.
    static let hour = Int64(3_600_000) << timeShift
    /// What ``keep(in:)`` reserves, in milliseconds: more than passes until it is called again.
    private static let reserve: Int64 = 120_000
    /// The same where ids are ahead of the clock, and go on by their sequence alone: 64,000 ids.
    private static let reserveAhead: Int64 = 2_000
    private static let stateKey = "last_id"

    private let node: Int64
    private let clock: any ServerClock
    private let last: Mutex<Last>

    /// - Parameters:
    ///   - node: 0 to 127, another one for each process that shares a database.
    ///   - id: no id that was given before is greater.
    package init(node: Int, clock: any ServerClock, after id: Int64 = 0) {
        precondition((0..<128).contains(node), "a node has 7 bits")
        self.node = Int64(node)
        self.clock = clock
        last = Mutex(Last(millisecond: id >> Self.timeShift, sequence: Self.mostSequence))
    }

    private static let mostSequence = (Int64(1) << sequenceBits) - 1

    /// The first id of a moment, in milliseconds since 1970.
    package static func first(at milliseconds: Int64) -> Int64 { (milliseconds - start) << timeShift }

    package func next() -> Int64 {
        let now = max(0, clock.now().milliseconds - Self.start)
        return last.withLock { last in
            if now > last.millisecond {
                last = Last(millisecond: now, sequence: 0)
            } else if last.sequence < Self.mostSequence {
                last.sequence += 1
            } else {
                last = Last(millisecond: last.millisecond + 1, sequence: 0)
            }
            return last.millisecond << Self.timeShift | node << Self.sequenceBits | last.sequence
        }
    }

    /// No id that is given at that time or later is less.
    static func least(of time: Timestamp) -> Int64 { max(0, time.milliseconds - start) << timeShift }

    // MARK: - Over restarts

    /// The ids of a server, which go on after those that it gave before it was started.
    static func load(node: Int, clock: any ServerClock, from database: any Database) async throws -> SnowflakeIds {
        let kept = try await database.read { try ServerStateTable($0).value(stateKey).flatMap(Int64.init) }
        let ids = SnowflakeIds(node: node, clock: clock, after: kept ?? 0)
        try await ids.keep(in: database)
        return ids
    }

    /// Writes down an id than which none of the next two minutes is greater; called every minute.
    package func keep(in database: any Database) async throws {
        let now = max(0, clock.now().milliseconds - Self.start)
        let millisecond = last.withLock { max(now + Self.reserve, $0.millisecond + Self.reserveAhead) }
        try await database.write(from: .reserve) {
            try ServerStateTable($0).set(Self.stateKey, String(millisecond << Self.timeShift))
        }
    }
}
