import Simulation

/// What `bothy simulate --json` prints.
struct SimulationDocument: Encodable {
    var event: String
    var worlds: Int?
    var seconds: Double?
    /// The seeds that went wrong, of a summary.
    var failing: [UInt64]?
    /// Not all worlds were tried.
    var interrupted: Bool?
    var seed: UInt64?
    var rule: String?
    var message: String?
    var steps: Int?
    var trace: [String]?

    init(_ trial: SimulationTrial, seconds: Double) {
        event = "summary"
        worlds = trial.tried
        failing = trial.failing.sorted()
        interrupted = trial.isInterrupted
        self.seconds = seconds
    }

    /// What is told at once.
    init(_ finding: Simulation.Finding, of seed: UInt64) {
        event = "found"
        self.seed = seed
        rule = finding.rule.rawValue
        message = finding.words
    }

    /// What is told in the end.
    init(_ failure: Simulator.Failure) {
        event = "failure"
        seed = failure.seed
        rule = failure.finding.rule.rawValue
        message = failure.finding.words
        steps = failure.events
        trace = failure.trace
    }

    init(_ failure: FeedSimulator.Failure) {
        event = "failure"
        seed = failure.seed
        rule = failure.finding.rule.rawValue
        message = failure.finding.words
        steps = failure.events
        trace = failure.trace
    }
}
