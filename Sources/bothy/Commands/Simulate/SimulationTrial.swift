import Simulation

/// What the worlds that were tried so far came to.
struct SimulationTrial: Sendable {
    let seeds: Range<UInt64>
    private(set) var tried = 0
    /// The seeds that went wrong.
    private(set) var failing = Set<UInt64>()
    /// Somebody ended it before all were tried, or before the first that went wrong was made short.
    var isInterrupted = false

    init(of seeds: Range<UInt64>) { self.seeds = seeds }

    /// How many are to be tried.
    var asked: UInt64 { seeds.upperBound - seeds.lowerBound }

    /// The one seed that was asked for; nil where there were more.
    var only: UInt64? { asked == 1 ? seeds.lowerBound : nil }

    mutating func take(_ seed: UInt64, _ finding: Simulation.Finding?) {
        tried += 1
        if finding != nil { failing.insert(seed) }
    }

    /// How the command ends.
    var status: ExitStatus {
        if isInterrupted { return .interrupted }
        return failing.isEmpty ? .done : .failed
    }

    /// For a person, in the end.
    func words(seconds: Double) -> String {
        let worlds = "\(tried) \(tried == 1 ? "world" : "worlds") in \(DurationText.words(seconds))"
        let ended = isInterrupted ? " It was ended before its time: \(asked) were asked for." : ""
        if failing.isEmpty { return "\(worlds): nothing was lost, and all came to rest.\(ended)" }
        let numbers = failing.sorted().map { "\($0)" }.joined(separator: ", ")
        return "\(worlds): \(failing.count) went wrong (\(numbers)).\(ended)"
    }
}

/// Tells how far the worlds are, beside the result: on a terminal in one line that is drawn over, elsewhere in a line now and then.
struct SimulationProgress {
    private let output: OutputOptions
    private let asked: UInt64
    private let terminal = Terminal()

    /// Worlds from one line to the next where each stays.
    private static let step = 100
    /// Columns of the line that is drawn over.
    private static let width = 60

    init(_ output: OutputOptions, of asked: UInt64) {
        self.output = output
        self.asked = asked
    }

    /// - Parameter finding: what the seed that ended now came to.
    func show(_ trial: SimulationTrial, _ seed: UInt64, _ finding: Simulation.Finding?) {
        if let finding { tell(finding, of: seed) }
        guard asked > 1, !output.quiet, !output.json else { return }
        let wrong = trial.failing.isEmpty ? "" : ", \(trial.failing.count) went wrong"
        let line = "\(trial.tried) of \(asked) worlds\(wrong)"
        if terminal.errorIsTerminal {
            draw(trial.tried == asked ? "" : line)
        } else if trial.tried.isMultiple(of: Self.step) {
            output.note(line)
        }
    }

    /// The line that is drawn over goes.
    func end() {
        if asked > 1, !output.quiet, !output.json, terminal.errorIsTerminal { draw("") }
    }

    private func tell(_ finding: Simulation.Finding, of seed: UInt64) {
        if output.json {
            // Text and numbers of our own: that can always be written as JSON.
            try? output.print(SimulationDocument(finding, of: seed))
        } else {
            end()
            output.note("Seed \(seed) goes wrong: \(finding.words)")
        }
    }

    private func draw(_ line: String) {
        terminal.writeError("\r\(TerminalText.padded(line, to: Self.width))\(line.isEmpty ? "\r" : "")")
    }
}
