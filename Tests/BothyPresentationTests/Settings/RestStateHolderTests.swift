import BothyClient
import BothyPresentation
import Testing

/// The switches for what a device does on its battery, and in a metered network.
@MainActor @Suite struct RestStateHolderTests {
    private let rests = MadeUpRests()

    private func opened(_ rest: DeviceRest = .battery) async -> RestStateHolder {
        let holder = RestStateHolder(rest, rests, words: .english)
        await holder.open()
        return holder
    }

    @Test func itIsSwitchedAndKept() async {
        let holder = await opened()
        #expect(holder.state.standing == .shown && !holder.state.rests)
        await holder.set(rests: true)
        #expect(rests.chosen == [.battery: .rest] && holder.state.rests && holder.state.notice?.tone == .plain)
        #expect(await opened().state.rests)
        await holder.set(rests: false)
        #expect(
            rests.chosen == [.battery: .go]
                && holder.state.notice?.text == "Syncing now continues on battery.")
    }

    @Test func eachHasItsOwn() async {
        let holder = await opened(.metered)
        await holder.set(rests: true)
        #expect(rests.chosen == [.metered: .rest] && holder.state.title == "Metered networks")
        #expect(holder.state.notice?.text == "Syncing now pauses on metered networks.")
        #expect(await !opened(.battery).state.rests)
    }

    @Test func withoutABatteryThereIsNothingToSwitchButWhatWasSwitched() async {
        rests.isThere = false
        #expect(await opened().state.standing == .pointless)
        rests.chosen[.battery] = .rest
        #expect(await opened().state.standing == .shown)
    }

    @Test func aFailureIsSaidAndChangesNothing() async {
        let holder = await opened()
        rests.failure = ClientFailure(.diskFull, "There is no room.")
        await holder.set(rests: true)
        #expect(holder.state.notice?.text == "There is no room." && !holder.state.rests)
        guard case .failed(let notice) = await opened().state.standing else {
            Issue.record("it opened all the same")
            return
        }
        #expect(notice.text == "There is no room.")
    }
}

@MainActor final class MadeUpRests: DeviceRests {
    var isThere = true
    var chosen = [DeviceRest: RestChoice]()
    var failure: ClientFailure?

    func isPossible(_ rest: DeviceRest) async -> Bool { isThere }

    func choice(of rest: DeviceRest) async throws -> RestChoice {
        if let failure { throw failure }
        return chosen[rest] ?? .go
    }

    func set(_ choice: RestChoice, of rest: DeviceRest) async throws {
        if let failure { throw failure }
        chosen[rest] = choice
    }
}
