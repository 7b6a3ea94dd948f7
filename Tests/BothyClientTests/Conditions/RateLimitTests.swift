import BothyClient
import Testing

@Suite struct RateLimitTests {
    @Test func aLimitOnTheRateIsKept() async throws {
        let clock = TestClock()
        let limit = RateLimit(bytesPerSecond: 1 << 20, clock: clock)
        let start = clock.uptime()
        for _ in 0..<288 { try await clock.sleep(seconds: limit.take(32 << 10)) }
        // Nine mebibytes, less what may go at once.
        #expect((8.5...9.1).contains(clock.uptime() - start))
    }

    @Test func withoutALimitNothingWaits() {
        let limit = RateLimit(bytesPerSecond: nil, clock: TestClock())
        #expect(limit.take(1 << 30) == 0)
    }

    @Test func aLimitCanBeSetAndLiftedWhileTransfersRun() {
        let limit = RateLimit(bytesPerSecond: 1000, clock: TestClock())
        _ = limit.take(10_000)
        #expect(limit.take(1) > 0)
        limit.bytesPerSecond = nil
        #expect(limit.take(10_000) == 0)
    }
}
