import BothyServer
import Testing

@Suite struct SnowflakeIdsTests {
    @Test func idsGrowAndNeverRepeatAlsoWhenTheClockGoesBack() {
        let clock = TestClock()
        let ids = SnowflakeIds(node: 5, clock: clock)
        var made: [Int64] = []
        for round in 0..<10_000 {
            made.append(ids.next())
            if round == 5_000 { clock.jump(seconds: -3600) }
        }
        #expect(zip(made, made.dropFirst()).allSatisfy { $0 < $1 })
        #expect(made.allSatisfy { $0 > 0 && $0 >> 12 & 1023 == 5 })
    }
}
