import Simulation
import Testing

@testable import bothy

/// Who types `bothy simulate` hears of what went wrong, and so does a script by the status.
@Suite struct SimulateCommandTests {
    @Test func aWorldThatGoesWrongIsToldWithItsSeedAndEndsInStatusOne() async throws {
        let command = try SimulateCommand.parse(["--seed", "7", "--steps", "5", "--devices", "2", "--work", "folders"])
        let (trial, failure) = await command.tried { RestlessMaker() }
        #expect(trial.failing == [7] && trial.status == .failed && trial.status.rawValue == 1)
        #expect(trial.words(seconds: 1).hasSuffix("1 went wrong (7)."))
        let lines = command.lines(of: try #require(failure))
        #expect(lines.first?.hasPrefix("Seed 7 goes wrong: ") == true, "\(lines)")
        #expect(lines.contains("Of its 5 steps these are enough:"))
        #expect(
            lines.last == "See it again with: bothy simulate --seed 7 --steps 5 --devices 2 --work folders", "\(lines)")
    }

    @Test func theCommandEndsByWhatItsWorldsCameTo() async throws {
        let command = try SimulateCommand.parse([
            "--seeds", "3", "--steps", "2", "--devices", "1", "--work", "folders", "--quiet",
        ])
        try await command.run { FolderSyncMaker() }
        let ended = await #expect(throws: Finished.self) { try await command.run { RestlessMaker() } }
        #expect(ended?.status == .failed)
    }

    @Test func aFeedIsTriedWhereThatIsAskedFor() async throws {
        let command = try SimulateCommand.parse([
            "--feed", "--people", "3", "--seeds", "2", "--steps", "5", "--quiet",
        ])
        let (trial, failure) = await command.triedFeed()
        #expect(trial.tried == 2 && trial.status == .done && failure == nil)
        #expect(throws: (any Error).self) { try SimulateCommand.parse(["--people", "3"]) }
        #expect(throws: (any Error).self) { try SimulateCommand.parse(["--feed", "--devices", "3"]) }
    }

    @Test func theFirstWorldThatGoesWrongEndsTheRunUnlessAllAreAskedFor() async throws {
        let few = ["--seed", "3", "--seeds", "40", "--steps", "2", "--devices", "1", "--work", "folders", "--quiet"]
        let (first, _) = try await SimulateCommand.parse(few).tried { RestlessMaker() }
        #expect(first.failing.contains(3) && first.tried < 40)
        let (all, failure) = try await SimulateCommand.parse(few + ["--all"]).tried { RestlessMaker() }
        #expect(all.failing == Set(3..<43) && failure?.seed == 3)
    }
}

/// Always says that it did something, so that its world never comes to rest.
private final class RestlessEngine: DeviceEngine {
    func pass(confirming: Bool, told: @escaping @Sendable (String) -> Void) async throws -> PassEnd {
        PassEnd(done: 1, left: 0, isLinked: true)
    }

    func keptApart() async throws -> [KeptApart] { [] }
    func decide(_ thing: Int, _ choice: Int) async throws -> Decided? { nil }
}

private struct RestlessMaker: EngineMaker {
    func engine(for device: SimulatedDevice) async throws -> any DeviceEngine { RestlessEngine() }
}
