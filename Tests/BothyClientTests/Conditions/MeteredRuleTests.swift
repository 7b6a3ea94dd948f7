import BothyClient
import BothyContract
import Synchronization
import Testing

/// A device that is to rest in metered networks rests there, and nowhere else.
@Suite struct MeteredRuleTests {
    private let clock = TestClock()
    private let settings: DeviceSettings

    init() throws {
        settings = DeviceSettings(
            database: try .inMemory(), conditions: TrafficConditions(bytesPerSecond: nil, clock: clock), clock: clock)
    }

    /// Tells one after the other; the last from then on.
    private final class MadeUpNetwork: NetworkMetering {
        private let told: Mutex<[Bool?]>

        init(_ told: Bool?...) { self.told = Mutex(told) }

        func isMetered() async -> Bool? {
            told.withLock { told in told.count > 1 ? told.removeFirst() : told[0] }
        }
    }

    private func rule(_ told: Bool?...) -> MeteredRule {
        let network = told.count == 1 ? MadeUpNetwork(told[0]) : MadeUpNetwork(told[0], told[1], told[2])
        return MeteredRule(settings: settings, network: network, clock: clock)
    }

    @Test func itHoldsWhatGoesOnByItselfWhereThePersonWantsThat() async throws {
        let conditions = WorkConditions([rule(true)], clock: clock)
        #expect(try await conditions.standing().isEmpty)
        try await settings.set(.rest, of: .metered)
        let hold = try #require(try await conditions.hold(on: .byItself))
        #expect(hold.rule == "metered" && hold.effect == .holds(until: nil))
        #expect(try await conditions.hold(on: .typed) == nil)
        for told in [false, nil] {
            #expect(try await WorkConditions([rule(told)], clock: clock).standing().isEmpty)
        }
        #expect(try await settings.choice(of: .battery) == .go, "each is a choice of its own")
    }

    @Test func itIsWaitedForInSomeSeconds() async throws {
        #expect(try await !rule(true).turns(wasResting: true), "nobody wants it to rest")
        try await settings.set(.rest, of: .metered)
        #expect(try await rule(false, nil, true).turns(wasResting: false))
        #expect(clock.slept == [5, 5])
        // Whoever knew of the network is gone: nothing says that it costs any more.
        #expect(try await rule(true, true, nil).turns(wasResting: true))
        #expect(clock.slept == [5, 5, 5, 5])
    }
}
