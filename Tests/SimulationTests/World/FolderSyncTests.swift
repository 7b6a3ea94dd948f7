import Foundation
import Simulation
import Testing

/// The engine in made-up worlds. `BOTHY_SIMULATION_SEEDS` says how many.
@Suite struct FolderSyncTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let first = environment["BOTHY_SIMULATION_FIRST"].flatMap(UInt64.init) ?? 1
    private static let seeds = environment["BOTHY_SIMULATION_SEEDS"].flatMap(UInt64.init) ?? 200
    private static let steps = environment["BOTHY_SIMULATION_STEPS"].flatMap(Int.init) ?? 40

    private var simulator: Simulator {
        Simulator(size: SimulationSize(steps: Self.steps)) { FolderSyncMaker() }
    }

    @Test func nothingIsLostInAnyWorld() async {
        let width = ProcessInfo.processInfo.activeProcessorCount
        await simulator.run(seeds: Self.first..<Self.first + Self.seeds, width: width, shrinking: 600) {
            seed, failure in
            guard let failure else { return true }
            let trace = failure.trace.joined(separator: "\n")
            Issue.record(
                "seed \(seed): \(failure.finding.rule): \(failure.finding.words)\n\(failure.shape)\n\(failure.schedule)\n\(trace)"
            )
            return false
        }
    }

    @Test func aSeedIsReplayedExactly() async {
        for seed: UInt64 in 1...5 {
            let (first, second) = (await simulator.run(seed: seed), await simulator.run(seed: seed))
            #expect(first.trace == second.trace && first.finding == second.finding)
        }
    }
}
