import BothyClient
import BothySync
import Synchronization

/// What a guard has stopped at, in words, and what to do.
package typealias GuardWords = @Sendable (Guard.Sighting, Binding) -> (words: String, remedy: String)

/// How a bound folder stands, as its watch tells it.
final class FolderStanding: Sendable {
    private struct State {
        var line: AgentStatusLine
        /// The same for screens.
        var watched = WatchedFolder()
        var isResting = false
        /// Folders that the system has no room to watch.
        var unwatched = 0
    }

    private let binding: Binding
    private let state: Mutex<State>

    init(_ binding: Binding) {
        self.binding = binding
        state = Mutex(
            State(
                line: AgentStatusLine(
                    "folders", .working, "It is looked at for the first time.", subject: binding.localPath)))
    }

    var line: AgentStatusLine { state.withLock { $0.line } }
    var watched: WatchedFolder { state.withLock { $0.watched } }
    /// Something stands in the way that the watch itself does not wait out.
    var isResting: Bool { state.withLock { $0.isResting } }

    func rests(_ isResting: Bool) { state.withLock { $0.isResting = isResting } }

    func met(_ failure: ClientFailure) {
        state.withLock { $0.watched.state = .waiting(failure) }
        tell(AgentStatusLine("folders", failure, subject: binding.localPath))
    }

    func take(_ event: BindingWatch.Event, _ guardWords: GuardWords) {
        state.withLock { $0.watched.take(event) }
        switch event {
        case .waiting(let failure): met(failure)
        case .decided: tell(.working, "Changes are being carried to and from “\(binding.remotePath)”.")
        case .passed(let report): passed(report, guardWords)
        case .watching(let coverage):
            state.withLock { $0.unwatched = coverage.unwatched }
            if line.reason == nil { inStep() }
        }
    }

    private func passed(_ report: PassReport, _ guardWords: GuardWords) {
        if let sighting = report.plan.sighting {
            let (words, remedy) = guardWords(sighting, binding)
            tell(.held, words, reason: "guard", remedy: remedy)
        } else if !report.failed.isEmpty {
            tell(
                .waiting, "\(report.failed.count) could not be brought in step with “\(binding.remotePath)”.",
                reason: "partly_done", remedy: "“bothy why FILE” tells more; the next pass tries again.")
        } else {
            inStep()
        }
    }

    private func inStep() {
        let unwatched = state.withLock { $0.unwatched }
        let patrolled = unwatched > 0 ? " \(unwatched) of its folders are looked at now and then only." : ""
        tell(.idle, "In step with “\(binding.remotePath)”.\(patrolled)")
    }

    private func tell(
        _ state: AgentStatusLine.State, _ words: String, reason: String? = nil, remedy: String? = nil
    ) {
        tell(
            AgentStatusLine(
                "folders", state, words, subject: binding.localPath, reason: reason, remedy: remedy))
    }

    private func tell(_ line: AgentStatusLine) { state.withLock { $0.line = line } }
}
