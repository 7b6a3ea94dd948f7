@testable import BothyServer
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
        #expect(made.allSatisfy { $0 > 0 && $0 < 1 << 53 && $0 >> 5 & 127 == 5 })
    }

    @Test func idsHave53BitsUntil2094() {
        let clock = TestClock()
        clock.jump(seconds: 3_900_000_000 - clock.now().seconds)
        #expect(SnowflakeIds(node: 127, clock: clock).next() < 1 << 53)
    }

    /// The clock goes back while the server is down.
    @Test func idsGoOnAfterARestart() async throws {
        let folder = try TemporaryFolder()
        let database = try await SQLiteDatabase.open(path: folder.file("a.sqlite"))
        let clock = TestClock()
        var greatest: Int64 = 0
        for _ in 0..<4 {
            let ids = try await SnowflakeIds.load(node: 3, clock: clock, from: database)
            for _ in 0..<500 {
                let id = ids.next()
                #expect(id > greatest)
                greatest = id
            }
            clock.jump(seconds: -86_400)
        }
        try await database.close()
    }
}
