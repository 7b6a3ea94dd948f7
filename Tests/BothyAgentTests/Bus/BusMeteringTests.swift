import Synchronization
import Testing

@testable import BothyAgent

/// What NetworkManager answers, byte for byte.
@Suite struct BusMeteringTests {
    private func answer(_ signature: String, _ type: String, _ word: UInt32) -> BusMessage {
        var message = BusMessage()
        message.kind = .answer
        message.signature = signature
        var body = BusWriter()
        body.signature(type)
        body.number(word)
        message.body = body.bytes
        return message
    }

    @Test(arguments: [(0, false), (1, true), (2, false), (3, true), (4, false), (77, false)])
    func yesAndWhatIsGuessedToBeAreMetered(_ word: UInt32, _ isMetered: Bool) {
        #expect(BusMetering.isMetered(answer("v", "u", word)) == isMetered)
    }

    @Test func nobodyIsStartedToTell() {
        #expect(BusMetering.question.bytes[2] == 2)
    }

    /// A bus that is asked, and a clock that a test moves.
    private final class Bus: Sendable {
        private let state = Mutex((answers: [BusMetering.Answer](), asked: 0, now: ContinuousClock.now))

        var asked: Int { state.withLock { $0.asked } }
        var now: ContinuousClock.Instant { state.withLock { $0.now } }

        func will(_ answers: BusMetering.Answer...) { state.withLock { $0.answers = answers } }
        func wait(_ seconds: Int) { state.withLock { $0.now += .seconds(seconds) } }

        func answer() -> BusMetering.Answer {
            state.withLock { state in
                state.asked += 1
                return state.answers.count > 1 ? state.answers.removeFirst() : state.answers[0]
            }
        }
    }

    private func metering(_ bus: Bus) -> BusMetering { BusMetering(now: { bus.now }, ask: { bus.answer() }) }

    @Test func whatWasToldHoldsForAMomentAndOneQuestionIsEnoughForAll() async {
        let bus = Bus()
        bus.will(.told(isMetered: true))
        let metering = metering(bus)
        await withTaskGroup(of: Bool?.self) { group in
            for _ in 0..<50 { group.addTask { await metering.isMetered() } }
            for await told in group { #expect(told == true) }
        }
        #expect(bus.asked == 1)
        bus.wait(3)
        bus.will(.told(isMetered: false))
        #expect(await metering.isMetered() == false && bus.asked == 2)
    }

    @Test func oneLateAnswerEndsNoRest() async {
        let bus = Bus()
        bus.will(.told(isMetered: true), .silence)
        let metering = metering(bus)
        #expect(await metering.isMetered() == true)
        bus.wait(5)
        #expect(await metering.isMetered() == true, "it was so a moment ago")
        bus.wait(61)
        #expect(await metering.isMetered() == nil)
    }

    @Test func whereNobodyIsThereItIsNotAskedAgainAndAgain() async {
        let bus = Bus()
        bus.will(.told(isMetered: true), .nobody)
        let metering = metering(bus)
        #expect(await metering.isMetered() == true)
        for _ in 0..<9 {
            bus.wait(3)
            #expect(await metering.isMetered() == nil)
        }
        #expect(bus.asked == 2)
    }

    @Test func whatIsNoNumberTellsNothing() {
        #expect(BusMetering.isMetered(answer("v", "i", 1)) == nil)
        #expect(BusMetering.isMetered(answer("u", "u", 1)) == nil)
        var cut = answer("v", "u", 1)
        for count in 0..<cut.body.count {
            cut.body.removeLast(cut.body.count - count)
            #expect(BusMetering.isMetered(cut) == nil)
            cut = answer("v", "u", 1)
        }
    }
}
