/// Which old versions of a file are let go: after some days only the last one of each day is kept, then of each week, then of
/// each four weeks.
///
/// A file's newest version and its first are always kept, so that a file has content at every moment at which it was there. A
/// restore to the end of a day (week, four weeks) finds what was there; one to a moment in between, what was there at the
/// end of the day (week, four weeks) before, or the file's first version.
///
/// Days are days that the server lived, and spans lie inside one another: letting go every day comes to the same as
/// letting go once.
package struct VersionThinning: Equatable, Sendable {
    private static let day: Int64 = 86_400

    /// Days for which every version is kept.
    package let all: Int64
    /// Days until which the last version of each day is kept.
    package let daily: Int64
    /// Days until which the last version of each week is kept; from then on that of each four weeks, for good.
    package let weekly: Int64

    /// - Returns: nil unless the days grow, from 1 to a hundred years.
    package init?(all: Int64, daily: Int64, weekly: Int64) {
        guard all >= 1, all <= daily, daily <= weekly, weekly <= 36_500 else { return nil }
        self.all = all
        self.daily = daily
        self.weekly = weekly
    }

    /// - Parameters:
    ///   - made: when each version of one file was made, in lived seconds, the first version first; nil where that is not known.
    ///   - now: lived seconds.
    /// - Returns: indices of what is let go, ascending.
    package func thinned(_ made: [Int64?], now: Int64) -> [Int] {
        made.indices.dropFirst().dropLast().filter { index in
            guard let its = made[index], let next = made[index + 1] else { return false }
            return isReplaced(its, by: next, now: now)
        }
    }

    /// Whether the next version was made in the same span of time, and all of that span is old enough.
    private func isReplaced(_ made: Int64, by next: Int64, now: Int64) -> Bool {
        let grains: [(span: Int64, after: Int64)] = [
            (Self.day, all), (7 * Self.day, daily), (28 * Self.day, weekly),
        ]
        return grains.contains { grain in
            let number = made / grain.span
            return number == next / grain.span && (number + 1) * grain.span <= now - grain.after * Self.day
        }
    }
}

extension VersionThinning: CustomStringConvertible {
    /// `30, 90, 365`: as it is written in the settings.
    package init?(text: String) {
        let numbers = text.split { $0 == "," || $0 == " " }.map { Int64($0) }
        guard numbers.count == 3, let all = numbers[0], let daily = numbers[1], let weekly = numbers[2] else {
            return nil
        }
        self.init(all: all, daily: daily, weekly: weekly)
    }

    package var description: String { "\(all), \(daily), \(weekly)" }
}
