/// Which old versions of a file are let go: after some days only the last one of each day is kept, then of each week, then of
/// each four weeks.
///
/// A file's newest version and its first are always kept. Which span a moment lies in is told by ``ThinnedSpans`` alone, here and where a
/// restore goes back to a moment (``KeptMoments``): the last version of a span is never let go, and a restore asks for no other.
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

    /// The spans that are old enough to hold one version of a file.
    ///
    /// - Parameter now: lived seconds.
    func spans(at now: Int64) -> ThinnedSpans {
        ThinnedSpans(days: now - all * Self.day, weeks: now - daily * Self.day, fourWeeks: now - weekly * Self.day)
    }

    /// - Parameters:
    ///   - made: when each version of one file was made, in lived seconds, the first version first; nil where that is not known.
    ///   - now: lived seconds.
    /// - Returns: indices of what is let go, ascending.
    package func thinned(_ made: [Int64?], now: Int64) -> [Int] {
        let spans = spans(at: now)
        return made.indices.dropFirst().dropLast().filter { index in
            guard let its = made[index], let next = made[index + 1] else { return false }
            return spans.span(of: its, holding: next) != nil
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
