import ArgumentParser
import BothyPresentation
import Foundation
import Simulation

/// `bothy simulate`
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Try folder sync and offline work in made-up worlds, and see that nothing is lost.",
        discussion: """
            Each seed is a world: some devices with disks, people, a bad network, crashes and clocks that jump. The sync that \
            runs in it is the one of this program; the server, the disks and the network are models. A seed gives the same \
            world each time. A world that goes wrong is told of at once; the shortest way there is printed in the end, and the \
            status is 1. Ctrl-C ends it with what was found so far.
            """)

    @Option(help: "The first seed; alone, only this world is tried.")
    var seed: UInt64?

    @Option(help: "How many worlds to try, one seed after the other.")
    var seeds: UInt64?

    @Option(parsing: .unconditional, help: "Devices in each world, 1 to 5; three to five where this is not given.")
    var devices: Int?

    @Option(parsing: .unconditional, help: "Things that happen in each world before it comes to rest.")
    var steps = 200

    @Option(help: "What people do: work in folders, at replicas, or both; as the seed has it where this is not given.")
    var work: WorldShape.Work?

    @Flag(help: "Go on after a world that goes wrong, and try them all.")
    var all = false

    @OptionGroup var output: OutputOptions

    /// Worlds that are tried when nothing is said.
    private static let usualSeeds: UInt64 = 100
    /// Runs that may be spent on making one failing schedule small.
    private static let shrinking = 1500

    func validate() throws {
        if let devices, !SimulationSize.devicesAllowed.contains(devices) {
            throw ValidationError("A world has 1 to \(SimulationSize.devicesAllowed.upperBound) devices.")
        }
        guard SimulationSize.stepsAllowed.contains(steps) else {
            throw ValidationError("A world has 1 to \(SimulationSize.stepsAllowed.upperBound) steps.")
        }
        guard seeds != 0 else { throw ValidationError("Try at least one world.") }
    }

    func run() async throws { try await run { FolderSyncMaker(wording: Words.english.deed) } }

    /// - Parameter maker: makes what keeps folders in step in a world.
    func run(by maker: @escaping @Sendable () -> any EngineMaker) async throws {
        let clock = ContinuousClock()
        let began = clock.now
        let (trial, failure) = try await Interruption.guarding { await self.tried(by: maker) }
        let seconds = (clock.now - began) / .seconds(1)
        if let failure { try tell(failure) }
        if let only = trial.only, failure == nil {
            output.note("Seed \(only): \(WorldSummary(seed: only, size: size).words)")
        }
        try output.tell(trial.words(seconds: seconds), SimulationDocument(trial, seconds: seconds))
        if trial.status != .done { throw Finished(status: trial.status) }
    }

    private var size: SimulationSize { SimulationSize(devices: devices, steps: steps, work: work) }

    /// - Returns: what all the worlds came to, and the first that went wrong with the shortest way there.
    func tried(by maker: @escaping @Sendable () -> any EngineMaker) async -> (SimulationTrial, Simulator.Failure?) {
        let first = seed ?? 1
        let (last, tooFar) = first.addingReportingOverflow(seeds ?? (seed == nil ? Self.usualSeeds : 1))
        var trial = SimulationTrial(of: first..<(tooFar ? .max : last))
        let simulator = Simulator(size: size, maker: maker)
        let progress = SimulationProgress(output, of: trial.asked)
        let width = ProcessInfo.processInfo.activeProcessorCount
        await simulator.run(seeds: trial.seeds, width: width) { seed, finding in
            trial.take(seed, finding)
            progress.show(trial, seed, finding)
            return all || trial.failing.isEmpty
        }
        progress.end()
        var failure: Simulator.Failure?
        if let seed = trial.failing.min() {
            failure = await simulator.failure(ofSeed: seed, shrinking: Self.shrinking)
        }
        trial.isInterrupted = Task.isCancelled
        return (trial, failure)
    }

    private func tell(_ failure: Simulator.Failure) throws {
        if output.json { return try output.print(SimulationDocument(failure)) }
        Terminal().writeOutput(lines(of: failure).map(TerminalText.safe).joined(separator: "\n") + "\n")
    }

    /// What went wrong, the shortest way there, and how to see it again.
    func lines(of failure: Simulator.Failure) -> [String] {
        [
            "Seed \(failure.seed) goes wrong: \(failure.finding.words)",
            "Of its \(failure.events) steps these are enough:", "",
        ] + failure.trace.map { "  \($0)" } + [
            "",
            "See it again with: bothy simulate --seed \(failure.seed) --steps \(steps)"
                + (devices.map { " --devices \($0)" } ?? "") + (work.map { " --work \($0.rawValue)" } ?? ""),
        ]
    }
}

extension WorldShape.Work: ExpressibleByArgument {}
