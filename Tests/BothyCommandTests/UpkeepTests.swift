import BothyAgent
import BothyClient
import BothyContract
import Synchronization
import Testing

@testable import bothy

/// What an agent lets go of now and then, and what it says where it cannot.
@Suite struct UpkeepTests {
    private final class Hands: ClientClock, Sendable {
        let time = Mutex(1_000.0)
        let failure = Mutex<ClientFailure?>(nil)
        let done = Mutex(0)

        func now() -> Timestamp { Timestamp(seconds: Int64(uptime())) }
        func uptime() -> Double { time.withLock { $0 } }
        func sleep(seconds: Double) async throws { pass(seconds) }
        func pass(_ seconds: Double) { time.withLock { $0 += seconds } }

        func work() throws {
            done.withLock { $0 += 1 }
            if let failure = failure.withLock({ $0 }) { throw failure }
        }
    }

    /// It failed each time, and nobody was told.
    @Test func whatKeepsItFromItsWorkIsToldAndTriedAgain() async {
        let hands = Hands()
        let upkeep = Upkeep(clock: hands) { try hands.work() }
        hands.failure.withLock { $0 = ClientFailure(.diskFailed, "The disk failed.") }
        await upkeep.run()
        let line = await upkeep.status().first
        #expect(line?.part == "upkeep" && line?.words == "The disk failed." && line?.since == Timestamp(seconds: 1_000))
        hands.pass(30)
        await upkeep.run()
        #expect(hands.done.withLock { $0 } == 1, "and not at every turn")
        hands.pass(31)
        await upkeep.look()
        #expect(hands.done.withLock { $0 } == 2)
        #expect(await upkeep.status().first?.since == Timestamp(seconds: 1_000))
        hands.failure.withLock { $0 = nil }
        hands.pass(61)
        await upkeep.run()
        #expect(await upkeep.status().isEmpty)
        hands.pass(300)
        await upkeep.run()
        await upkeep.look()
        #expect(hands.done.withLock { $0 } == 3)
        hands.pass(301)
        await upkeep.run()
        #expect(hands.done.withLock { $0 } == 4)
    }
}
