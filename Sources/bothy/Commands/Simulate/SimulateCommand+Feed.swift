import Foundation
import Simulation

/// Worlds of a feed.
extension SimulateCommand {
    /// - Returns: what all the worlds came to, and the first that went wrong with the shortest way there.
    func triedFeed() async -> (SimulationTrial, FeedSimulator.Failure?) {
        var trial = SimulationTrial(of: asked)
        let simulator = FeedSimulator(size: FeedWorldSize(people: people ?? Self.usualPeople, steps: steps))
        let progress = SimulationProgress(output, of: trial.asked)
        await simulator.run(seeds: trial.seeds, width: ProcessInfo.processInfo.activeProcessorCount) { seed, finding in
            trial.take(seed, finding)
            progress.show(trial, seed, finding)
            return all || trial.failing.isEmpty
        }
        progress.end()
        var failure: FeedSimulator.Failure?
        if let seed = trial.failing.min() {
            failure = await simulator.failure(ofSeed: seed, shrinking: Self.shrinking)
        }
        trial.isInterrupted = Task.isCancelled
        return (trial, failure)
    }

    func runFeed() async throws {
        let clock = ContinuousClock()
        let began = clock.now
        let (trial, failure) = try await Interruption.guarding { await self.triedFeed() }
        if let failure {
            if output.json {
                try output.print(SimulationDocument(failure))
            } else {
                let story = lines(of: failure).map(TerminalText.safe).joined(separator: "\n")
                Terminal().writeOutput(story + "\n")
            }
        }
        let seconds = (clock.now - began) / .seconds(1)
        try output.tell(trial.words(seconds: seconds), SimulationDocument(trial, seconds: seconds))
        if trial.status != .done { throw Finished(status: trial.status) }
    }

    /// What went wrong, the shortest way there, and how to see it again.
    func lines(of failure: FeedSimulator.Failure) -> [String] {
        [
            "Seed \(failure.seed) goes wrong: \(failure.finding.words)",
            "Of its \(failure.events) steps these are enough:", "",
        ] + failure.trace.map { "  \($0)" } + [
            "",
            "See it again with: bothy simulate --feed --seed \(failure.seed) --steps \(steps)"
                + (people.map { " --people \($0)" } ?? ""),
        ]
    }
}
