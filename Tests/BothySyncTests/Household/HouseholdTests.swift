import Foundation
import Synchronization
import Testing

/// The second tier of the simulation: nothing is made up but the faults.
///
/// `BOTHY_TEST_SEED` says with which seed to begin; `BOTHY_TEST_SEEDS` how many, one unless it does. `make test-long` runs 200.
@Suite(.serialized, .timeLimit(.minutes(10))) struct HouseholdTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let first = environment["BOTHY_TEST_SEED"].flatMap(UInt64.init) ?? 1
    private static let count = environment["BOTHY_TEST_SEEDS"].flatMap(UInt64.init) ?? 1
    /// Seeds from which on each way to spare bytes has to be met.
    private static let tellingCount: UInt64 = 4
    private static let all = Mutex((seeds: UInt64(0), uses: Uses()))
    private static let seeds = first..<first + count

    @Test(arguments: seeds)
    func nothingIsLostBetweenRealDevicesAndTheRealServer(seed: UInt64) async throws {
        // The number of the process: two may run with the same seed at the same time.
        let name = "household-\(seed)-\(ProcessInfo.processInfo.processIdentifier).txt"
        let story = try Story(path: FileManager.default.temporaryDirectory.appending(path: name).path)
        var household = try await Household(seed: seed, story: story)
        do {
            try await household.live(steps: 40)
            try await household.rest()
            try await household.edit()
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
        Self.sum(household.uses)
    }

    /// After the last seed: what none of them used is not tested here, whatever holds.
    private static func sum(_ uses: Uses) {
        let (isLast, all) = Self.all.withLock { all in
            all.seeds += 1
            all.uses.add(uses)
            return (all.seeds == count, all.uses)
        }
        guard isLast else { return }
        print("households: \(all)")
        if count >= tellingCount { #expect(all.never.isEmpty, "never used by any seed") }
    }
}
