import BothyServer
import Testing

@Suite struct RateLimitTests {
    /// Takes as often as it can for so many milliseconds.
    private func passes(_ limits: [RateLimit], milliseconds: Int64) -> [Int64] {
        var times: [Int64] = []
        var empty = [Int64?](repeating: nil, count: limits.count)
        for now in stride(from: 0, to: milliseconds, by: 250) {
            for (index, limit) in limits.enumerated() {
                while case .pass(let emptyAt) = limit.take(now: now, emptyAt: empty[index]) {
                    empty[index] = emptyAt
                    times.append(now)
                }
            }
        }
        return times
    }

    @Test func atMostTenGuessesAMinuteAreEvaluated() {
        let times = passes(LoginThrottle.Share.allCases.map(\.limit), milliseconds: 600_000)
        for start in times { #expect(times.filter { (start..<start + 60_000).contains($0) }.count <= 10) }
        #expect(times.count > 40, "and who waits gets through")
    }

    @Test func aWaitIsAsLongAsItSays() {
        let limit = RateLimit(burst: 1, interval: 20_000)
        #expect(limit.take(now: 0, emptyAt: nil) == .pass(emptyAt: 20_000))
        #expect(limit.take(now: 5_000, emptyAt: 20_000) == .wait(15_000))
        #expect(limit.take(now: 20_000, emptyAt: 20_000) == .pass(emptyAt: 40_000))
    }

    @Test func aClockThatStandsEarlierAfterARestartLocksNobodyOut() {
        let limit = RateLimit(burst: 2, interval: 30_000)
        #expect(limit.take(now: 0, emptyAt: 1_000_000) == .wait(30_000))
    }

    @Test func whatWasTakenIsForgottenOneByOne() {
        let limit = RateLimit(burst: 3, interval: 1_000)
        var empty: Int64?
        #expect(limit.taken(now: 0, emptyAt: empty) == 0)
        for expected in [1, 2, 3, 3] as [Int64] {
            empty = limit.filling(now: 0, emptyAt: empty)
            #expect(limit.taken(now: 0, emptyAt: empty) == expected)
        }
        #expect(limit.taken(now: 1_000, emptyAt: empty) == 2)
        #expect(limit.taken(now: 2_999, emptyAt: empty) == 1)
        #expect(limit.taken(now: 3_000, emptyAt: empty) == 0)
    }

    @Test func aRefundTakesOneAttemptBack() {
        let limit = RateLimit(burst: 1, interval: 20_000)
        #expect(limit.take(now: 0, emptyAt: limit.refund(emptyAt: 20_000)) == .pass(emptyAt: 20_000))
    }
}
