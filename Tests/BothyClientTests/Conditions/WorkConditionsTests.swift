import BothyClient
import BothyContract
import Testing

/// What holds work back on a device: one answer for the journal, transfers and folders in step.
@Suite struct WorkConditionsTests {
    private let clock = TestClock()

    private func settings() throws -> DeviceSettings {
        DeviceSettings(
            database: try .inMemory(), conditions: TrafficConditions(bytesPerSecond: nil, clock: clock), clock: clock)
    }

    private func conditions(_ settings: DeviceSettings) -> WorkConditions {
        WorkConditions([PauseRule(settings: settings), RateRule(settings: settings)], clock: clock)
    }

    @Test func nothingHoldsWorkBackUnlessSomebodySaysSo() async throws {
        let conditions = conditions(try settings())
        #expect(try await conditions.standing().isEmpty)
        for work in Work.allCases { #expect(try await conditions.hold(on: work) == nil) }
    }

    @Test func aPauseHoldsWhatGoesOnByItselfAndNotWhatIsTyped() async throws {
        let settings = try settings()
        let conditions = conditions(settings)
        let pause = try await settings.setPause(seconds: 60)
        let hold = try #require(try await conditions.hold(on: .byItself))
        #expect(hold.rule == "pause" && hold.effect == .holds(until: pause.until))
        #expect(!hold.words.isEmpty && hold.remedy.contains("bothy resume"))
        #expect(try await conditions.hold(on: .typed) == nil)
        clock.jump(seconds: 61)
        #expect(try await conditions.hold(on: .byItself) == nil, "it ends by itself")
    }

    @Test func aRateSlowsAndHoldsNothing() async throws {
        let settings = try settings()
        let conditions = conditions(settings)
        try await settings.setRateLimit(1000)
        #expect(try await conditions.standing().map(\.effect) == [.slows(to: 1000)])
        for work in Work.allCases { #expect(try await conditions.hold(on: work) == nil) }
    }

    /// What comes later (a metered network) is one more rule, and everything that works asks it.
    @Test func oneMoreRuleHoldsLikeTheOthers() async throws {
        struct Metered: ConditionRule {
            func condition(now: Timestamp) async throws -> Condition? {
                var condition = PauseRule.condition(of: DevicePause(until: nil))
                condition.rule = "metered"
                return condition
            }
        }
        let conditions = WorkConditions([PauseRule(settings: try settings()), Metered()], clock: clock)
        #expect(try await conditions.hold(on: .byItself)?.rule == "metered")
    }
}
