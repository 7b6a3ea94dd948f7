/// Which spans of time hold one version of a file and no more: the whole days, weeks and four weeks that were thinned so far.
///
/// Letting versions go and going back to a moment ask the same function, ``span(of:)``: of the versions that were made in one span the
/// last is kept, so the end of a span is a moment to go back to, and what lies inside it is none. Times are lived seconds.
///
/// A day lies in one week and a week in one four weeks, so that spans never overlap; what is kept by longer ones was kept by shorter ones.
struct ThinnedSpans: Equatable, Sendable {
    private static let day: Int64 = 86_400

    /// Every whole day before this is thinned to its last version.
    var days: Int64
    /// The same for every whole week.
    var weeks: Int64
    /// The same for every whole four weeks.
    var fourWeeks: Int64

    /// Nothing was thinned yet.
    static let none = ThinnedSpans(days: 0, weeks: 0, fourWeeks: 0)

    /// The span that a moment lies in, the longest of those that are thinned; nil where everything is kept.
    func span(of moment: Int64) -> Range<Int64>? {
        let kinds = [(28 * Self.day, fourWeeks), (7 * Self.day, weeks), (Self.day, days)]
        for (length, end) in kinds {
            let start = moment / length * length
            if start + length <= end { return start..<start + length }
        }
        return nil
    }

    /// The span that both lie in, so that only the later one, if any, is the last of it; nil where there is none.
    ///
    /// - Parameter later: what came next.
    func span(of moment: Int64, holding later: Int64) -> Range<Int64>? {
        span(of: moment).flatMap { $0.contains(later) ? $0 : nil }
    }

    /// What was thinned by either.
    func joined(_ other: Self) -> Self {
        Self(
            days: max(days, other.days), weeks: max(weeks, other.weeks), fourWeeks: max(fourWeeks, other.fourWeeks))
    }
}

/// What was thinned stays so, whatever the settings say later: it is written down in `server_state` before the first version goes.
extension ThinnedSpans {
    private static let key = "thinned_lived"

    static func read(_ db: any SQLConnection) throws -> Self {
        guard let kept = try ServerStateTable(db).value(key) else { return none }
        let numbers = kept.split(separator: " ").map { Int64($0) }
        guard numbers.count == 3, let days = numbers[0], let weeks = numbers[1], let fourWeeks = numbers[2] else {
            throw DatabaseError.corrupt("server_state: \(key) is no three numbers")
        }
        return Self(days: days, weeks: weeks, fourWeeks: fourWeeks)
    }

    func keep(in db: any SQLConnection) throws {
        try ServerStateTable(db).set(Self.key, "\(days) \(weeks) \(fourWeeks)")
    }
}
