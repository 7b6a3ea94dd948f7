import Testing

@testable import BothyServer

@Suite struct VersionThinningTests {
    private static let day: Int64 = 86_400
    private let thinning = VersionThinning(all: 30, daily: 90, weekly: 365)!

    /// Moments in order, some of them close together, over up to three years.
    private func madeUp(_ dice: inout SeededGenerator) -> [Int64] {
        var moment = Int64.random(in: 0...100 * Self.day, using: &dice)
        return (0..<Int.random(in: 1...120, using: &dice)).map { _ in
            moment += [
                Int64.random(in: 0...600, using: &dice), .random(in: 0...Self.day, using: &dice),
                .random(in: 0...40 * Self.day, using: &dice),
            ].randomElement(using: &dice)!
            return moment
        }
    }

    private func kept(_ made: [Int64?], now: Int64) -> [Int64?] {
        let gone = Set(thinning.thinned(made, now: now))
        return made.indices.filter { !gone.contains($0) }.map { made[$0] }
    }

    private func head(_ made: [Int64?], at moment: Int64) -> Int64? { made.compactMap { $0 }.last { $0 <= moment } }

    @Test(arguments: 0..<400 as Range<UInt64>)
    func whatARestoreCanAskForIsThere(_ seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let made = madeUp(&dice)
        let now = made[made.count - 1] + Int64.random(in: 0...500 * Self.day, using: &dice)
        let left = kept(made, now: now)
        #expect(left.first == made.first && left.last == made.last)
        // Every moment of the days of which all is kept.
        for moment in made where moment > now - 30 * Self.day {
            #expect(head(left, at: moment) == moment)
        }
        // The end of each day, week and four weeks, as far as each goes.
        for moment in stride(from: made[0] / Self.day * Self.day, to: now, by: Int(Self.day)) {
            let span = grain(of: moment, now: now)
            let end = (moment / span + 1) * span - 1
            #expect(head(left, at: end) == head(made, at: end))
        }
        // And at every moment at which the file was there it had content, from before then.
        for moment in made { #expect(head(left, at: moment) != nil) }
    }

    private func grain(of moment: Int64, now: Int64) -> Int64 {
        let age = now - moment
        if age < 90 * Self.day { return Self.day }
        return age < 365 * Self.day ? 7 * Self.day : 28 * Self.day
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func lettingGoEveryDayComesToTheSameAsLettingGoOnce(_ seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        let made: [Int64?] = madeUp(&dice)
        let last = made[made.count - 1]! + Int64.random(in: 0...800 * Self.day, using: &dice)
        var left = made
        for now in stride(from: made[0]!, through: last, by: Int(Self.day * 3)) {
            // What was not made yet is not there to be looked at.
            let there = left.prefix { $0! <= now }
            left = kept(Array(there), now: now) + left.dropFirst(there.count)
        }
        #expect(kept(left, now: last) == kept(made, now: last))
        #expect(kept(kept(made, now: last), now: last) == kept(made, now: last))
    }

    @Test func aVersionOfWhichTheAgeIsNotKnownStays() {
        let now = 900 * Self.day
        #expect(thinning.thinned([1, 2, 3, 4], now: now) == [1, 2])
        #expect(thinning.thinned([1, nil, 3, 4], now: now) == [2])
        #expect(thinning.thinned([1, 2, nil, 4], now: now) == [])
    }

    @Test func aSpanBeginsAndEndsToTheSecond() {
        let spans = ThinnedSpans(days: 3 * Self.day, weeks: 0, fourWeeks: 0)
        #expect(spans.span(of: Self.day - 1) == 0..<Self.day && spans.span(of: Self.day) == Self.day..<2 * Self.day)
        #expect(spans.span(of: 3 * Self.day - 1) == 2 * Self.day..<3 * Self.day && spans.span(of: 3 * Self.day) == nil)
        #expect(spans.span(of: 5, holding: Self.day - 1) == 0..<Self.day && spans.span(of: 5, holding: Self.day) == nil)
        #expect(ThinnedSpans(days: 3 * Self.day - 1, weeks: 0, fourWeeks: 0).span(of: 2 * Self.day) == nil, "not whole")
        let longer = ThinnedSpans(days: 30 * Self.day, weeks: 28 * Self.day, fourWeeks: 28 * Self.day)
        #expect(
            longer.span(of: 8 * Self.day) == 0..<28 * Self.day
                && longer.span(of: 28 * Self.day) == 28 * Self.day..<29 * Self.day)
        #expect(ThinnedSpans.none.span(of: 0) == nil)
    }

    @Test func fewVersionsAndYoungOnesStay() {
        let now = 900 * Self.day
        #expect(thinning.thinned([], now: now) == [] && thinning.thinned([1], now: now) == [])
        #expect(thinning.thinned([1, 2], now: now) == [])
        let young = (0..<50).map { now - 29 * Self.day + $0 * 60 }
        #expect(thinning.thinned(young, now: now) == [])
    }

    @Test(arguments: [
        "", "30", "30, 90", "30, 90, 365, 400", "0, 90, 365", "90, 30, 365", "a, b, c", "1, 2, 40000", "-1,2,3",
    ])
    func whatIsNoThinningIsNone(_ text: String) { #expect(VersionThinning(text: text) == nil) }

    @Test func itsTextIsItself() {
        #expect(VersionThinning(text: "30, 90, 365") == thinning && VersionThinning(text: "30,90 365") == thinning)
        #expect(VersionThinning(text: thinning.description) == thinning)
    }
}
