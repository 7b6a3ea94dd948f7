import BothyContract
import Synchronization
import Testing

@testable import BothyAgent
@testable import BothyClient

@Suite struct ServerPartTests {
    private struct Unforeseen: Error {}

    /// Waits for nothing.
    private struct QuickClock: ClientClock {
        func now() -> Timestamp { Timestamp(seconds: 1) }
        func uptime() -> Double { 0 }
        func sleep(seconds: Double) async throws {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// It ended without a word, and nothing was heard of until the agent was started anew.
    @Test func whatPassesByItselfEndsNoListening() async throws {
        let place = try AgentHome()
        var environment = ClientEnvironment.live
        environment.clock = QuickClock()
        let home = try await DeviceHome.open(at: place.path, environment: environment)
        let asked = Atomic(0)
        let part = ServerPart(changes: home.changes, environment: environment) {
            switch asked.add(1, ordering: .relaxed).newValue {
            case 1: throw Unforeseen()
            case 2: throw ClientFailure(.homeUnusable, "The database cannot be opened.")
            case 3: throw ClientFailure(.homeBusy, "The database was busy for long.")
            case 4: throw ClientFailure(.unexpected, "The moon was in the way.")
            default: throw ClientFailure(.signInNeeded, "Nobody is signed in.")
            }
        }
        await part.start()
        while await part.way().failure?.code != .signInNeeded { await Task.yield() }
        #expect(asked.load(ordering: .relaxed) == 5, "and what needs a person ends it")
        await part.stop()
        try await home.close()
    }
}
