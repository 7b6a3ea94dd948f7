import BothyContract
import Foundation

/// A time as a person types it: `2026-11-20 14:00`, `tomorrow 9:30`, `in 2 hours`, `2 hours ago`, or RFC 3339. Pure.
struct TypedTime: Sendable {
    /// Where a time is looked for that may be before now or after.
    enum Direction: Sendable {
        case past, future
    }

    private let direction: Direction
    private let now: Timestamp
    private let calendar: Calendar

    /// - Parameters:
    ///   - now: what «ago» and «in» count from.
    ///   - zone: the person's own, where the text names none.
    init(_ direction: Direction, now: Timestamp, zone: TimeZone) {
        self.direction = direction
        self.now = now
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        self.calendar = calendar
    }

    /// - Returns: nil for what is no time.
    func read(_ text: String) -> Timestamp? {
        let text = text.trimmingCharacters(in: .whitespaces)
        return Timestamp(rfc3339: text) ?? span(text) ?? onAWall(text)
    }

    // MARK: So long from now

    private static let units: [String: Int64] = [
        "second": 1, "minute": 60, "hour": 3_600, "day": 86_400, "week": 604_800, "sec": 1, "min": 60, "h": 3_600,
    ]

    /// `2 hours ago`, `in an hour`, `now`.
    private func span(_ text: String) -> Timestamp? {
        let words = text.lowercased().split(separator: " ").map(String.init)
        if words == ["now"] { return now }
        guard words.count == 3 else { return nil }
        if direction == .past {
            guard words[2] == "ago" else { return nil }
            return Self.seconds(words[0], words[1]).map { now.adding(seconds: -$0) }
        }
        guard words[0] == "in" else { return nil }
        return Self.seconds(words[1], words[2]).map { now.adding(seconds: $0) }
    }

    private static func seconds(_ number: String, _ named: String) -> Int64? {
        let count = number == "a" || number == "an" ? 1 : Int64(number)
        let unit = units[named] ?? units[named.hasSuffix("s") ? String(named.dropLast()) : named]
        // Ten thousand weeks are two hundred years: past that a number is a slip of the hand.
        guard let count, let unit, (0...10_000).contains(count) else { return nil }
        return count * unit
    }

    // MARK: As a clock on the wall shows it

    /// `2026-11-20`, `2026-11-20 14:00`, `2026-11-20T14:00:05`, `today 9:30`, `yesterday`, `tomorrow 8:00`, `14:00`.
    private func onAWall(_ text: String) -> Timestamp? {
        let words = text.lowercased().replacing("t", with: " ", maxReplacements: text.hasDigitsAroundT ? 1 : 0)
            .split(separator: " ").map(String.init)
        guard let first = words.first, words.count <= 2 else { return nil }
        if words.count == 1, let time = Self.time(first) { return nearest(time) }
        guard let day = day(first) else { return nil }
        if words.count == 1 { return timestamp(day: day, (0, 0, 0)) }
        return Self.time(words[1]).flatMap { timestamp(day: day, $0) }
    }

    /// The last or the next time that the clock shows it.
    private func nearest(_ time: WallTime) -> Timestamp? {
        guard let at = timestamp(day: today, time) else { return nil }
        switch direction {
        case .past: return at <= now ? at : away(-1).flatMap { timestamp(day: $0, time) }
        case .future: return at > now ? at : away(1).flatMap { timestamp(day: $0, time) }
        }
    }

    private var today: Date { Date(timeIntervalSince1970: TimeInterval(now.seconds)) }

    private func away(_ days: Int) -> Date? { calendar.date(byAdding: .day, value: days, to: today) }

    private func day(_ text: String) -> Date? {
        switch (text, direction) {
        case ("today", _): return today
        case ("yesterday", .past): return away(-1)
        case ("tomorrow", .future): return away(1)
        default: break
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, let year = Int(parts[0]), let month = Int(parts[1]),
            let number = Int(parts[2])
        else { return nil }
        guard let date = calendar.date(from: DateComponents(year: year, month: month, day: number, hour: 12)) else {
            return nil
        }
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

    private func timestamp(day: Date, _ time: WallTime) -> Timestamp? {
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
