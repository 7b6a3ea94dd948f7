import GRDB

/// How long this device has lived, kept among its settings.
///
/// Counted by the machine's uptime, which nobody sets: what purges by it purges nothing when a calendar jumps.
package enum LivedTimeSetting {
    private static let (totalName, uptimeName) = ("lived-seconds", "lived-uptime")

    /// - Returns: the seconds lived by now.
    package static func advance(to uptime: Double, in db: Database) throws -> Int64 {
        let total = try value(totalName, in: db)
        let last = try value(uptimeName, in: db)
        // Less than the last time: the machine was started anew, and has lived at least its uptime since.
        let now = total + (uptime >= last ? uptime - last : uptime)
        for (name, value) in [(totalName, now), (uptimeName, uptime)] {
            try SettingTable.set(name, to: String(value), in: db)
        }
        return Int64(now)
    }

    private static func value(_ name: String, in db: Database) throws -> Double {
        try SettingTable.value(name, in: db).flatMap { Double($0) } ?? 0
    }
}
