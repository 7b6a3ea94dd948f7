import BothyClient
import BothyContract
import Foundation

/// A moment as a person types it: `2026-11-20 14:00`, `yesterday 9:30`, `2 hours ago`, RFC 3339, or the place in the
/// log that a restore told.
struct MomentArgument: Equatable, Sendable {
    var moment: RestoresRepository.Moment

    static let examples = "“2026-11-20 14:00”, “yesterday 9:30”, “2 hours ago” or 2026-11-20T14:00:00Z"

    /// - Parameters:
    ///   - now: what «ago» counts from.
    ///   - zone: the person's own, where the text names none.
    /// - Throws: a `Complaint` of wrong usage.
    init(_ text: String, now: Timestamp, zone: TimeZone = .current) throws(Complaint) {
        let words = text.trimmingCharacters(in: .whitespaces)
        if words.hasPrefix("c1.") {
            moment = .cursor(words)
        } else if let at = Timestamp(rfc3339: words) {
            moment = .time(at)
        } else if let at = Self.ago(words, now) ?? Self.onAWall(words, now, zone) {
            moment = .time(at)
        } else {
            throw .usage("“\(text)” is no moment that can be read.", remedy: "Write it like \(Self.examples).")
        }
    }

    // MARK: So long ago

    private static let units: [String: Int64] = [
        "second": 1, "minute": 60, "hour": 3_600, "day": 86_400, "week": 604_800, "sec": 1, "min": 60, "h": 3_600,
    ]

    /// `2 hours ago`, `an hour ago`, `now`.
    private static func ago(_ text: String, _ now: Timestamp) -> Timestamp? {
        let words = text.lowercased().split(separator: " ")
        if words == ["now"] { return now }
        guard words.count == 3, words[2] == "ago" else { return nil }
        let count = words[0] == "a" || words[0] == "an" ? 1 : Int64(words[0])
        let unit = units[String(words[1])] ?? units[String(words[1].hasSuffix("s") ? words[1].dropLast() : words[1])]
        // Ten thousand weeks are two hundred years: past that a number is a slip of the hand.
        guard let count, let unit, (0...10_000).contains(count) else { return nil }
        return now.adding(seconds: -count * unit)
    }

    // MARK: As a clock on the wall shows it

    /// `2026-11-20`, `2026-11-20 14:00`, `2026-11-20T14:00:05`, `today 9:30`, `yesterday`, `14:00`.
    private static func onAWall(_ text: String, _ now: Timestamp, _ zone: TimeZone) -> Timestamp? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let words = text.lowercased().replacing("t", with: " ", maxReplacements: text.hasDigitsAroundT ? 1 : 0)
            .split(separator: " ").map(String.init)
        guard let first = words.first, words.count <= 2 else { return nil }
        let today = Date(timeIntervalSince1970: TimeInterval(now.seconds))
        if words.count == 1, let time = time(first) {
            // The last time that the clock showed it.
            let at = timestamp(day: today, time, calendar)
            guard let at, at > now else { return at }
            return calendar.date(byAdding: .day, value: -1, to: today).flatMap { timestamp(day: $0, time, calendar) }
        }
        guard let day = day(first, today, calendar) else { return nil }
        if words.count == 1 { return timestamp(day: day, (0, 0, 0), calendar) }
        return time(words[1]).flatMap { timestamp(day: day, $0, calendar) }
    }

    private static func day(_ text: String, _ today: Date, _ calendar: Calendar) -> Date? {
        switch text {
        case "today": return today
        case "yesterday": return calendar.date(byAdding: .day, value: -1, to: today)
        default: break
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, let year = Int(parts[0]), let month = Int(parts[1]),
            let number = Int(parts[2])
        else { return nil }
        let components = DateComponents(year: year, month: month, day: number, hour: 12)
        guard let date = calendar.date(from: components) else { return nil }
        // 30 February is no day, and not 2 March.
        let read = calendar.dateComponents([.year, .month, .day], from: date)
        return read.month == month && read.day == number ? date : nil
    }

    private typealias WallTime = (hour: Int, minute: Int, second: Int)

    private static func time(_ text: String) -> WallTime? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2 || parts.count == 3, let hour = parts[0], let minute = parts[1] else { return nil }
        let second = parts.count == 3 ? parts[2] : 0
        guard let second, (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else {
            return nil
        }
        return (hour, minute, second)
    }

    private static func timestamp(day: Date, _ time: WallTime, _ calendar: Calendar) -> Timestamp? {
        var components = calendar.dateComponents([.year, .month, .day], from: day)
        components.hour = time.hour
        components.minute = time.minute
        components.second = time.second
        return calendar.date(from: components).map { Timestamp(seconds: Int64($0.timeIntervalSince1970)) }
    }
}

extension String {
    /// `2026-11-20T14:00`, and not `yesterday`.
    fileprivate var hasDigitsAroundT: Bool { contains(#/\d[tT]\d/#) }
}
