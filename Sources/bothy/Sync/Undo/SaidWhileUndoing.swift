import BothySync
import Synchronization

/// What is told of what is taken back, while it is: the first few of what could be and of what could not, then how many more.
final class SaidWhileUndoing: Sendable {
    private struct Count {
        var done = 0
        var failed = 0
    }

    private let output: OutputOptions
    private let count = Mutex(Count())

    init(_ output: OutputOptions) { self.output = output }

    func tell(_ decision: Decision) throws {
        let number = count.withLock { count in
            if decision.trace.failure == nil { count.done += 1 } else { count.failed += 1 }
            return decision.trace.failure == nil ? count.done : count.failed
        }
        guard output.json || number <= SyncWords.shown else { return }
        if var failure = decision.trace.failure {
            // To a pass it is no end: it looks again. This is one.
            if decision.trace.mayGoWell != true { failure.remedy = "It is left unchanged." }
            return Complaint(failure, about: decision.places[0].text).print(json: output.json)
        }
        try output.tell(decision.act.words, SyncEventDocument(decision))
    }

    /// What was counted and not shown.
    func tellTheRest() {
        guard !output.json, !output.quiet else { return }
        let (done, failed) = count.withLock { ($0.done - SyncWords.shown, $0.failed - SyncWords.shown) }
        if done > 0 { output.print(line: "… and \(done) more; “bothy log” lists all") }
        if failed > 0 { output.print(line: "… and \(failed) more that could not be undone; “bothy log” lists all") }
    }
}
