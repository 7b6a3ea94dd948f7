import ArgumentParser
import BothyPresentation
import Foundation
import Simulation

/// `bothy simulate`
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Test folder sync, offline work and the feed in simulated worlds.",
        discussion: """
            Each seed is a world: devices with disks, people, a bad network, crashes and clocks that jump. It runs this \
            program's own sync code; the server, the disks and the network are models. A seed always gives the same world. \
            With --feed it is a world of people who post, like, comment, share and follow: counts must be exact, nothing may \
            appear twice, and everyone must see exactly what is meant for them. A failing world is reported at once; the \
            shortest steps to it are printed at the end, and the status is 1. Ctrl-C ends the run with the results so far.
            """)

    @Option(help: "The first seed. Without a number of worlds, only this one is tried.")
    var seed: UInt64?

    @Option(help: "The number of worlds to try, with consecutive seeds.")
    var seeds: UInt64?

    @Option(parsing: .unconditional, help: "Devices in each world, 1 to 5. Default: three to five.")
    var devices: Int?

    @Option(parsing: .unconditional, help: "Steps in each world before it settles.")
    var steps = 200

    @Option(help: "What people do: work in folders, at replicas, or both. Default: chosen by the seed.")
    var work: WorldShape.Work?

    @Flag(help: "Test the feed instead of folders and replicas.")
    var feed = false

    @Option(parsing: .unconditional, help: "With --feed: people in each world, 2 to 1000. Default: 200.")
    var people: Int?

    @Flag(help: "Continue after a failing world, and try them all.")
    var all = false

    @OptionGroup var output: OutputOptions

    /// Worlds that are tried when nothing is said.
    private static let usualSeeds: UInt64 = 100
    /// Runs that may be spent on making one failing schedule small.
    static let shrinking = 1500
    /// People of a world of a feed when nothing is said.
    static let usualPeople = 200

    func validate() throws {
        if let devices, !SimulationSize.devicesAllowed.contains(devices) {
            throw ValidationError("A world has 1 to \(SimulationSize.devicesAllowed.upperBound) devices.")
        }
        guard SimulationSize.stepsAllowed.contains(steps) else {
            throw ValidationError("A world has 1 to \(SimulationSize.stepsAllowed.upperBound) steps.")
        }
        if let people, !FeedWorldSize.peopleAllowed.contains(people) {
            throw ValidationError("A world of a feed has 2 to \(FeedWorldSize.peopleAllowed.upperBound) people.")
        }
        guard feed || people == nil else { throw ValidationError("--people works only with --feed.") }
        guard !feed || (devices == nil && work == nil) else {
            throw ValidationError("--devices and --work do not work with --feed.")
        }
        guard seeds != 0 else { throw ValidationError("Try at least one world.") }
    }

    func run() async throws {
        if feed { return try await runFeed() }
        try await run { FolderSyncMaker(wording: Words.english.deed) }
    }

    /// - Parameter maker: makes what keeps folders in sync in a world.
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

    /// The seeds that are asked for.
    var asked: Range<UInt64> {
        let first = seed ?? 1
        let (last, tooFar) = first.addingReportingOverflow(seeds ?? (seed == nil ? Self.usualSeeds : 1))
        return first..<(tooFar ? .max : last)
    }

    private var size: SimulationSize { SimulationSize(devices: devices, steps: steps, work: work) }

    /// - Returns: what all the worlds came to, and the first that went wrong with the shortest way there.
    func tried(by maker: @escaping @Sendable () -> any EngineMaker) async -> (SimulationTrial, Simulator.Failure?) {
        var trial = SimulationTrial(of: asked)
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
