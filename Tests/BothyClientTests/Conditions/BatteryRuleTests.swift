import BothyClient
import BothyContract
import Testing

/// A device that is to rest on its battery rests there, and nowhere else.
@Suite struct BatteryRuleTests {
    private let clock = TestClock()
    private let settings: DeviceSettings

    init() throws {
        settings = DeviceSettings(
            database: try .inMemory(), conditions: TrafficConditions(bytesPerSecond: nil, clock: clock), clock: clock)
    }

    private func rule(_ power: MadeUpPower) -> BatteryRule {
        BatteryRule(settings: settings, power: power, clock: clock)
    }

    @Test func itHoldsWhatGoesOnByItselfWhereThePersonWantsThat() async throws {
        let power = MadeUpPower(.unplugged)
        let conditions = WorkConditions([PauseRule(settings: settings), rule(power)], clock: clock)
        #expect(try await settings.choice(of: .battery) == .go)
        #expect(try await conditions.standing().isEmpty)
        #expect(power.looks == 0, "nobody asked about the battery")
        try await settings.set(.rest, of: .battery)
        let hold = try #require(try await conditions.hold(on: .byItself))
        #expect(hold.rule == "battery" && hold.effect == .holds(until: nil))
        #expect(hold.words.contains("battery") && hold.remedy.contains("bothy config on-battery go"))
        #expect(try await conditions.hold(on: .typed) == nil)
        for reading in [PowerReading.pluggedIn, .noBattery] {
            power.set(reading)
            #expect(try await conditions.standing().isEmpty)
        }
        power.set(.unplugged)
        try await settings.set(.go, of: .battery)
        #expect(try await conditions.standing().isEmpty)
    }

    @Test func aPauseIsToldBeforeIt() async throws {
        let conditions = WorkConditions(
            [PauseRule(settings: settings), rule(MadeUpPower(.unplugged))], clock: clock)
        try await settings.set(.rest, of: .battery)
        _ = try await settings.setPause(seconds: nil)
        #expect(try await conditions.hold(on: .byItself)?.rule == "pause")
        try await settings.liftPause()
        #expect(try await conditions.hold(on: .byItself)?.rule == "battery")
    }

    @Test func itIsWaitedForInSomeSeconds() async throws {
        try await settings.set(.rest, of: .battery)
        let pulled = MadeUpPower(.pluggedIn, .pluggedIn, .pluggedIn, .unplugged)
        #expect(try await rule(pulled).turns(wasResting: false))
        #expect(clock.slept == [3, 3])
        let back = MadeUpPower(.unplugged, .unplugged, .pluggedIn)
        #expect(try await rule(back).turns(wasResting: true))
        #expect(clock.slept == [3, 3, 3])
        #expect(try await rule(MadeUpPower(.unplugged)).turns(wasResting: false), "it was pulled before anybody waited")
        #expect(clock.slept.count == 3)
    }

    @Test func withoutABatteryOrAWishNothingIsWaitedFor() async throws {
        let power = MadeUpPower(.pluggedIn)
        #expect(try await !rule(power).turns(wasResting: false))
        #expect(power.looks == 0)
        try await settings.set(.rest, of: .battery)
        #expect(try await !rule(MadeUpPower(.noBattery)).turns(wasResting: false))
        #expect(clock.slept.isEmpty)
    }

    @Test func aHomeSaysThatItRestsAndOnAScreenItIsSwitched() async throws {
        let power = MadeUpPower(.unplugged)
        let device = try await TestDevice("http://127.0.0.1:1", power: power)
        let (changed, told) = AsyncStream<Void>.makeStream()
        let screen = HomeRests(home: device.home) { told.yield() }
        let standing = HomeStanding(
            home: device.home, clock: device.clock,
            transfers: HomeTransfers(home: device.home, clock: device.clock) { false },
            conflicts: HomeConflicts(replica: device.home.replica) { _ in nil }, folders: SomeFolders([]),
            way: { HomeStanding.Way() }, changed: {})
        #expect(try await standing.line().kind == .inStep)
        #expect(try await screen.choice(of: .battery) == .go)
        #expect(await screen.isPossible(.battery))
        try await screen.set(.rest, of: .battery)
        for await _ in changed { break }
        #expect(try await standing.line().kind == .paused(rule: "battery", until: nil))
        #expect(try await device.home.rest() == .battery)
        try await standing.pause(seconds: nil)
        #expect(try await standing.line().kind == .paused(rule: "pause", until: nil))
        #expect(try await device.home.rest() == nil)
        try await standing.resume()
        power.set(.pluggedIn)
        #expect(try await standing.line().kind == .inStep)
        try await device.close()
    }
}
