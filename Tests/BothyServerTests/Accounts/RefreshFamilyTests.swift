import BothyServer
import Testing

/// The rule for refresh tokens, without a database.
@Suite struct RefreshFamilyTests {
    /// The generations that hold, as the table keeps them.
    private struct Holder {
        var family = RefreshFamily()
        var holding: [Int64] = [1]

        /// - Returns: the new generation; nil when the family ended.
        mutating func use(_ generation: Int64) -> Int64? {
            switch family.use(holding.contains(generation) ? generation : nil, holding: holding) {
            case .revoke: return nil
            case .issue(let new, let forget):
                holding.removeAll { forget.contains($0) }
                holding.append(new)
                return new
            }
        }
    }

    @Test func eachUseMakesASuccessor() {
        var holder = Holder()
        #expect(holder.use(1) == 2)
        #expect(holder.use(2) == 3)
        #expect(holder.holding == [2, 3])
    }

    @Test func aTokenHoldsUntilItsSuccessorIsUsed() {
        var holder = Holder()
        #expect(holder.use(1) == 2, "its answer is lost")
        #expect(holder.use(1) == 3, "so it is used again")
        #expect(holder.use(3) == 4)
        #expect(holder.use(1) == nil, "its successor was used")
    }

    @Test func aSiblingThatWasReplacedEndsTheFamily() {
        var thief = Holder()
        let stolen = thief.use(1)
        let owners = thief.use(1)
        #expect(thief.use(stolen ?? 0) != nil)
        #expect(thief.use(owners ?? 0) == nil, "two hold the family, and both lose it")
    }

    @Test func lostAnswersAreBounded() {
        var holder = Holder()
        _ = holder.use(1)
        for _ in 0..<100 { _ = holder.use(1) }
        #expect(holder.holding.count == RefreshFamily.mostChildren + 1)
        #expect(holder.use(holder.family.latest) != nil)
    }

    @Test func whatWasNeverIssuedEndsTheFamily() {
        var holder = Holder()
        #expect(holder.use(17) == nil)
    }
}
