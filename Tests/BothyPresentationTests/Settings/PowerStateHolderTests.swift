import BothyClient
import BothyPresentation
import Testing

/// The switch for what a device does on its battery.
@MainActor @Suite struct PowerStateHolderTests {
    private let power = MadeUpDevicePower()

    private func opened() async -> PowerStateHolder {
        let holder = PowerStateHolder(power, words: .english)
        await holder.open()
        return holder
    }

    @Test func itIsSwitchedAndKept() async {
        let holder = await opened()
        #expect(holder.state.standing == .shown && !holder.state.rests)
        await holder.set(rests: true)
        #expect(power.chosen == .rest && holder.state.rests && holder.state.notice?.tone == .plain)
        #expect(await opened().state.rests)
        await holder.set(rests: false)
        #expect(power.chosen == .go && holder.state.notice?.text == "On its battery this device goes on as ever.")
    }

    @Test func withoutABatteryThereIsNothingToSwitchButWhatWasSwitched() async {
        power.isThere = false
        #expect(await opened().state.standing == .pointless)
        power.chosen = .rest
        #expect(await opened().state.standing == .shown)
    }

    @Test func aFailureIsSaidAndChangesNothing() async {
        let holder = await opened()
        power.failure = ClientFailure(.diskFull, "There is no room.")
        await holder.set(rests: true)
        #expect(holder.state.notice?.text == "There is no room." && !holder.state.rests)
        guard case .failed(let notice) = await opened().state.standing else {
            Issue.record("it opened all the same")
            return
        }
        #expect(notice.text == "There is no room.")
    }
}

@MainActor final class MadeUpDevicePower: DevicePower {
    var isThere = true
    var chosen = OnBattery.go
    var failure: ClientFailure?

    func hasBattery() async -> Bool { isThere }

    func onBattery() async throws -> OnBattery {
        if let failure { throw failure }
        return chosen
    }

    func set(_ onBattery: OnBattery) async throws {
        if let failure { throw failure }
        chosen = onBattery
    }
}
