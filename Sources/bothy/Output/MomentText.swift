import BothyContract
import Foundation

/// Moments as people read them, in their own time zone.
enum MomentText {
    /// `2026-11-20 14:03`.
    static func text(_ moment: Timestamp, in zone: TimeZone = .current) -> String {
        let parts = components(of: moment, in: zone)
        return "\(padded(parts.year, 4))-\(padded(parts.month, 2))-\(padded(parts.day, 2)) "
            + "\(padded(parts.hour, 2)):\(padded(parts.minute, 2))"
    }

    /// Seconds from now within which a moment is told to the second.
    private static let near: Int64 = 300

    /// The same of what is to come: `2026-11-20 14:03:59` where it is so near that a minute says too little.
    static func text(_ moment: Timestamp, seenAt now: Timestamp, in zone: TimeZone = .current) -> String {
        let text = text(moment, in: zone)
        guard moment.seconds(since: now) < near else { return text }
        return "\(text):\(padded(components(of: moment, in: zone).second, 2))"
    }

    /// `14:03:59`, for a stream of events.
    static func time(_ moment: Timestamp, in zone: TimeZone = .current) -> String {
        let parts = components(of: moment, in: zone)
        return "\(padded(parts.hour, 2)):\(padded(parts.minute, 2)):\(padded(parts.second, 2))"
    }

    private static func components(of moment: Timestamp, in zone: TimeZone) -> DateComponents {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second],
            from: Date(timeIntervalSince1970: TimeInterval(moment.seconds)))
    }

    private static func padded(_ value: Int?, _ width: Int) -> String {
        let digits = String(value ?? 0)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
