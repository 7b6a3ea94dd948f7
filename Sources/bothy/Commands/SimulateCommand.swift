import ArgumentParser
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
            world each time. When something goes wrong, the shortest way there is printed, and the status is 1.
            """)

    @Option(help: "The first seed; alone, only this world is tried.")
    var seed: UInt64?

    @Option(help: "How many worlds to try, one seed after the other.")
    var seeds: UInt64?

    @Option(help: "Devices in each world, 1 to 5; three to five where this is not given.")
    var devices: Int?

    @Option(help: "Things that happen in each world before it comes to rest.")
    var steps = 200

    @Option(help: "What people do: work in folders, at replicas, or both; as the seed has it where this is not given.")
    var work: WorldShape.Work?

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

    func run() async throws {
        let first = seed ?? 1
        let (last, tooFar) = first.addingReportingOverflow(seeds ?? (seed == nil ? Self.usualSeeds : 1))
        let range = first..<(tooFar ? .max : last)
        let simulator = Simulator(size: SimulationSize(devices: devices, steps: steps, work: work)) {
            FolderSyncMaker()
        }
        let clock = ContinuousClock()
        let began = clock.now
        var (tried, failure): (UInt64, Simulator.Failure?) = (0, nil)
        let width = ProcessInfo.processInfo.activeProcessorCount
        await simulator.run(seeds: range, width: width, shrinking: Self.shrinking) { _, found in
            tried += 1
            if let found, found.seed < failure?.seed ?? .max { failure = found }
            showProgress(tried, of: range)
            return failure == nil
        }
        let seconds = (clock.now - began) / .seconds(1)
        if let failure {
            try tell(failure)
            throw Finished(status: .failed)
        }
        try output.tell(
            "\(tried) \(tried == 1 ? "world" : "worlds") in \(DurationText.words(seconds)): nothing was lost, and all came to rest.",
            SimulationDocument(event: "summary", worlds: tried, seconds: seconds))
    }

    private func showProgress(_ tried: UInt64, of range: Range<UInt64>) {
        let terminal = Terminal()
        guard terminal.errorIsTerminal, !output.quiet, !output.json, range.count > 1 else { return }
        let line = "\(tried) of \(range.count) worlds"
        terminal.writeError("\r\(TerminalText.padded(line, to: 40))\(tried == range.count ? "\r\u{1B}[K" : "")")
    }

    private func tell(_ failure: Simulator.Failure) throws {
        if output.json { return try output.print(SimulationDocument(failure)) }
        let lines =
            [
                "Seed \(failure.seed) goes wrong: \(failure.finding.words)",
                "Of its \(failure.events) steps these are enough:", "",
            ] + failure.trace.map { "  \($0)" } + [
                "",
                "See it again with: bothy simulate --seed \(failure.seed) --steps \(steps)"
                    + (devices.map { " --devices \($0)" } ?? "") + (work.map { " --work \($0.rawValue)" } ?? ""),
            ]
        Terminal().writeOutput("\r" + lines.map(TerminalText.safe).joined(separator: "\n") + "\n")
    }
}

extension WorldShape.Work: ExpressibleByArgument {}

/// What `bothy simulate --json` prints.
struct SimulationDocument: Encodable {
    var event: String
    var worlds: UInt64?
    var seconds: Double?
    var seed: UInt64?
    var rule: String?
    var message: String?
    var steps: Int?
    var trace: [String]?

    init(event: String, worlds: UInt64, seconds: Double) {
        self.event = event
        self.worlds = worlds
        self.seconds = seconds
    }

    init(_ failure: Simulator.Failure) {
        event = "failure"
        seed = failure.seed
        rule = failure.finding.rule.rawValue
        message = failure.finding.words
        steps = failure.events
        trace = failure.trace
    }
}
