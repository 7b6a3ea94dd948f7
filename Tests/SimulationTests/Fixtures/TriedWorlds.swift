import Foundation
import Simulation
import Testing

/// The worlds that the tests try: `BOTHY_SIMULATION_SEEDS` says how many, `…_FIRST` with which to begin, `…_STEPS` how long each is.
enum TriedWorlds {
    static let seeds = variable("SEEDS") ?? 200
    static let steps = variable("STEPS").map { Int($0) } ?? 40
    /// Worlds of a feed: a third as many, and 20 where nobody says.
    static let feedSeeds = variable("SEEDS").map { max(1, $0 / 3) } ?? 20
    private static let first = variable("FIRST") ?? 1

    private static func variable(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment["BOTHY_SIMULATION_\(name)"].flatMap(UInt64.init)
    }

    /// Records the first world in which something goes wrong, with the shortest way there.
    static func expectNothingLost(by simulator: Simulator, in count: UInt64) async {
        let width = ProcessInfo.processInfo.activeProcessorCount
        var failing: UInt64?
        await simulator.run(seeds: first..<first + count, width: width) { seed, finding in
            if finding != nil { failing = min(seed, failing ?? seed) }
            return failing == nil
        }
        guard let seed = failing, let failure = await simulator.failure(ofSeed: seed, shrinking: 600) else { return }
        let trace = failure.trace.joined(separator: "\n")
        Issue.record(
            "seed \(seed): \(failure.finding.rule): \(failure.finding.words)\n\(failure.shape)\n\(failure.schedule)\n\(trace)"
        )
    }

    /// The same of feeds.
    static func expectNothingWrong(with simulator: FeedSimulator, in count: UInt64) async {
        let width = ProcessInfo.processInfo.activeProcessorCount
        var failing: UInt64?
        await simulator.run(seeds: first..<first + count, width: width) { seed, finding in
            if finding != nil { failing = min(seed, failing ?? seed) }
            return failing == nil
        }
        guard let seed = failing, let failure = await simulator.failure(ofSeed: seed, shrinking: 300) else { return }
        let trace = failure.trace.joined(separator: "\n")
        Issue.record("seed \(seed): \(failure.finding.rule): \(failure.finding.words)\n\(failure.schedule)\n\(trace)")
    }
}
