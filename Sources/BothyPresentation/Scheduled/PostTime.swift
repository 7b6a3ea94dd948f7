import BothyContract
import Foundation

/// When a post shall come out, as a form's field has it: `2026-12-24T18:00`, by the clock on the person's wall. Pure.
public enum PostTime: Equatable, Sendable {
    case atOnce
    case at(Timestamp)
    /// No time that can be read.
    case unreadable
    /// A time that is over.
    case over

    /// What is typed where somebody posts later and has not said when: no time.
    public static let unchosen = "-"

    /// - Parameter typed: empty for at once.
    public init(_ typed: String, at clock: PersonsClock) {
        let typed = typed.trimmingCharacters(in: .whitespaces)
        guard !typed.isEmpty else {
            self = .atOnce
            return
        }
        guard let time = Self.read(typed, in: clock.zone) else {
            self = .unreadable
            return
        }
        self = time > clock.now ? .at(time) : .over
    }

    /// - Returns: nil for what is no time, as 30 February.
    private static func read(_ typed: String, in zone: TimeZone) -> Timestamp? {
        guard let match = typed.wholeMatch(of: #/(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?/#) else {
            return nil
        }
        let numbers = [match.1, match.2, match.3, match.4, match.5].compactMap { Int($0) }
        guard numbers.count == 5, numbers[3] < 24, numbers[4] < 60 else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let asked = DateComponents(
            year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4])
        guard let date = calendar.date(from: asked) else { return nil }
        let read = calendar.dateComponents([.month, .day], from: date)
        guard read.month == numbers[1], read.day == numbers[2] else { return nil }
        return Timestamp(seconds: Int64(date.timeIntervalSince1970))
    }

    /// A time as such a field shows it.
    public static func text(_ time: Timestamp, at clock: PersonsClock) -> String {
        let day = clock.civil(time)
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        return "\(day.year)-\(padded(day.month))-\(padded(day.day))T\(day.time)"
    }
}
