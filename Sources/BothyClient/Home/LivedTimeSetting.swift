import GRDB

/// How long this device has lived, kept among its settings.
///
/// Counted by the machine's uptime, which nobody sets: what purges by it purges nothing when a calendar jumps.
package enum LivedTimeSetting {
    private static let (totalName, uptimeName) = ("lived-seconds", "lived-uptime")

    /// - Returns: the seconds lived by now.
    package static func advance(to uptime: Double, in db: Database) throws -> Int64 {
        let now = try total(at: uptime, in: db)
        for (name, value) in [(totalName, now), (uptimeName, uptime)] {
            try SettingTable.set(name, to: String(value), in: db)
        }
        return Int64(now)
    }

    /// The same, where nothing can be written: it is counted the next time.
    package static func now(at uptime: Double, in db: Database) throws -> Int64 { Int64(try total(at: uptime, in: db)) }

    private static func total(at uptime: Double, in db: Database) throws -> Double {
        let total = try value(totalName, in: db)
        let last = try value(uptimeName, in: db)
        // Less than the last time: the machine was started anew, and has lived at least its uptime since.
        return total + (uptime >= last ? uptime - last : uptime)
    }

    private static func value(_ name: String, in db: Database) throws -> Double {
        try SettingTable.value(name, in: db).flatMap { Double($0) } ?? 0
    }
}
