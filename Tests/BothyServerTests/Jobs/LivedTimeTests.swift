import BothyContract
import Testing

@testable import BothyServer

@Suite struct LivedTimeTests {
    @Test func itGoesOnOverStartsAndTheCalendarDoesNotReachIt() async throws {
        let folder = try TemporaryFolder()
        let database = try await SQLiteDatabase.open(path: folder.file("bothy.sqlite"))
        let clock = ManualClock(uptime: 500)
        let first = try await LivedTime.load(database, clock: clock)
        #expect(first.now() == 0)
        clock.advance(by: 90)
        clock.set(calendar: Timestamp(seconds: 1_900_000_000))
        #expect(first.now() == 90)
        try await first.keep()
        clock.set(calendar: Timestamp(seconds: 0))

        let later = ManualClock(uptime: 3)
        let second = try await LivedTime.load(database, clock: later)
        #expect(second.now() == 90)
        later.advance(by: 10.5)
        #expect(second.milliseconds() == 100_500)
        try await database.close()
    }

    @Test func somethingElseThanANumberIsNamed() async throws {
        let folder = try TemporaryFolder()
        let database = try await SQLiteDatabase.open(path: folder.file("bothy.sqlite"))
        try await database.write { try $0.execute("INSERT INTO server_state (key, value) VALUES ('lived_ms', 'soon')") }
        await #expect(throws: DatabaseError.self) { _ = try await LivedTime.load(database, clock: ManualClock()) }
        try await database.close()
    }
}
