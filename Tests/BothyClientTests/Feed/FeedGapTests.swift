import BothyContract
import Testing

@testable import BothyClient

@Suite struct FeedGapTests {
    private func part(_ before: Int64?, to end: Int64, next: String? = "n") -> FeedGap.Fetched {
        FeedGap.Fetched(before: before, end: end, next: next)
    }

    @Test func aPartThatReachesNothingThatIsKeptLeavesAGap() {
        let gap = FeedGap.left(by: part(nil, to: 40), lowest: nil, gaps: [], hasOlder: true)
        #expect(gap == FeedGap(entry: 40, remote: "n"))
    }

    @Test func aPartThatReachesWhatIsKeptLeavesNone() {
        #expect(FeedGap.left(by: part(nil, to: 40), lowest: 42, gaps: [], hasOlder: true) == nil)
        #expect(FeedGap.left(by: part(50, to: 40), lowest: nil, gaps: [], hasOlder: true) == nil)
    }

    @Test func belowTheLastPostOfAllNothingIsMissing() {
        #expect(FeedGap.left(by: part(nil, to: .min, next: nil), lowest: nil, gaps: [], hasOlder: false) == nil)
        #expect(FeedGap.left(by: part(nil, to: 40), lowest: nil, gaps: [], hasOlder: false) == nil)
    }

    @Test func aGapThatIsFilledInPartGoesOnBelowThatPart() {
        #expect(
            FeedGap.left(by: part(50, to: 40), lowest: nil, gaps: [50], hasOlder: true)
                == FeedGap(entry: 40, remote: "n"))
        #expect(
            FeedGap.left(by: part(nil, to: 40), lowest: 45, gaps: [45], hasOlder: true)
                == FeedGap(entry: 40, remote: "n"))
    }

    private func isJoined(_ top: Int64, isKept: Bool = true, next: Int64?, gaps: Set<Int64> = []) -> Bool {
        FeedGap.isJoined(rising: top, above: 10, isKept: isKept, next: next, gaps: gaps)
    }

    @Test func aPageFromBelowJoinsWhatItReachesOrWhatAGapIsKnownBefore() {
        #expect(isJoined(20, next: 20) && isJoined(.max, next: 20) && isJoined(20, next: nil))
        #expect(isJoined(15, next: 20, gaps: [20]))
        // The post above the gap was deleted.
        #expect(isJoined(15, next: 20, gaps: [18]))
    }

    @Test func aPageFromBelowThatLeavesAHoleNobodyIsToldOfJoinsNothing() {
        #expect(!isJoined(15, next: 20) && !isJoined(15, next: 20, gaps: [30]) && !isJoined(15, next: 20, gaps: [12]))
        #expect(!isJoined(20, isKept: false, next: 20) && !isJoined(15, isKept: false, next: nil))
    }

    @Test func aGapIsShownBelowThePostAboveItAlsoWhereItsOwnIsGone() {
        let gaps = [FeedGap(entry: 30, remote: "a", below: 25), FeedGap(entry: 10, remote: "b")]
        let placed = FeedGap.placed(gaps, among: [(40, 4), (30, 3), (20, 2), (5, 1)])
        #expect(placed == [3: FeedPage.Gap(older: "30.a", newer: 25), 2: FeedPage.Gap(older: "10.b", newer: nil)])
        #expect(FeedGap.placed(gaps, among: []).isEmpty)
    }
}
