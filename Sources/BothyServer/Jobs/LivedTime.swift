import BothyContract

/// Time that the server has run, over all its starts: what purges and expires counts in it, so that a calendar that
/// jumps by a year purges nothing.
///
/// It is kept in `server_state` once a minute; a kill sets it back by a minute at most.
package final class LivedTime: Sendable {
    private static let key = "lived_ms"

    private let database: any Database
    private let clock: any ServerClock
    private let lived: Int64
    private let uptime: Double

    private init(database: any Database, clock: any ServerClock, lived: Int64, uptime: Double) {
        self.database = database
        self.clock = clock
        self.lived = lived
        self.uptime = uptime
    }

    /// Resumes at the last start's count.
    package static func load(_ database: any Database, clock: any ServerClock) async throws -> LivedTime {
        let kept = try await database.read { try ServerStateTable($0).value(key) }
        guard let lived = kept.map({ Int64($0) }) ?? 0, lived >= 0 else {
            throw DatabaseError.corrupt("server_state: \(key) is no number")
        }
        return LivedTime(database: database, clock: clock, lived: lived, uptime: clock.uptimeSeconds())
    }

    /// Seconds.
    package func now() -> Int64 { milliseconds() / 1000 }

    package func milliseconds() -> Int64 { lived + Int64((clock.uptimeSeconds() - uptime) * 1000) }

    package func keep() async throws {
        let now = String(milliseconds())
        try await database.write(from: .reserve) { try ServerStateTable($0).set(Self.key, now) }
    }
}
