import Foundation
import Testing

/// The second tier of the simulation: nothing is made up but the faults.
///
/// `BOTHY_TEST_SEED` says with which seed to begin, or which one alone; `BOTHY_TEST_SEEDS` how many.
@Suite(.serialized, .timeLimit(.minutes(10))) struct HouseholdTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let asked = environment["BOTHY_TEST_SEED"].flatMap(UInt64.init)
    private static let count = environment["BOTHY_TEST_SEEDS"].flatMap(UInt64.init) ?? (asked == nil ? 4 : 1)
    private static let seeds = (asked ?? 1)..<(asked ?? 1) + count

    @Test(arguments: seeds)
    func nothingIsLostBetweenRealDevicesAndTheRealServer(seed: UInt64) async throws {
        // The number of the process: two may run with the same seed at the same time.
        let name = "household-\(seed)-\(ProcessInfo.processInfo.processIdentifier).txt"
        let story = try Story(path: FileManager.default.temporaryDirectory.appending(path: name).path)
        var household = try await Household(seed: seed, story: story)
        do {
            try await household.live(steps: 40)
            try await household.rest()
            try await household.judge()
            try story.forget()
        } catch {
            Issue.record(
                """
                seed \(seed): \(error)
                What happened: \(story.path)
                Again: BOTHY_TEST_SEED=\(seed) swift test --skip-build --filter HouseholdTests
                """)
        }
        try await household.end()
    }
}
