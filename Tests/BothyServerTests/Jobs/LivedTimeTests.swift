import Testing

@testable import BothyServer

@Suite struct LivedTimeTests {
    @Test func itGoesOnOverStartsAndTheCalendarDoesNotReachIt() async throws {
        let folder = try TemporaryFolder()
        let database = try await SQLiteDatabase.open(path: folder.file("bothy.sqlite"))
        let clock = TestClock()
        let first = try await LivedTime.load(database, clock: clock)
        #expect(first.now() == 0)
        clock.advance(seconds: 90)
        clock.jump(seconds: 365 * 86_400)
        #expect(first.now() == 90)
        try await first.keep()
        clock.jump(seconds: -800 * 86_400)

        let later = TestClock()
        let second = try await LivedTime.load(database, clock: later)
        #expect(second.now() == 90)
        later.advance(seconds: 10)
        #expect(second.milliseconds() == 100_000)
        try await database.close()
    }

    @Test func somethingElseThanANumberIsNamed() async throws {
        let folder = try TemporaryFolder()
        let database = try await SQLiteDatabase.open(path: folder.file("bothy.sqlite"))
        try await database.write { try $0.execute("INSERT INTO server_state (key, value) VALUES ('lived_ms', 'soon')") }
        await #expect(throws: DatabaseError.self) { _ = try await LivedTime.load(database, clock: TestClock()) }
        try await database.close()
    }
}
