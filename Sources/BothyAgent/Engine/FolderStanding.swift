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
        var watched: WatchedFolder
        var isResting = false
        /// What a person need not do anything about, and may wonder at; nil for nothing.
        var aside: String?
        /// Whether a large file is on its way beside the passes.
        var isUnderWay = false
        /// Folders that the system has no room to watch.
        var unwatched = 0
    }

    private let binding: Binding
    private let state: Mutex<State>

    /// - Parameter conflicts: what there is to decide, until it is looked at.
    init(_ binding: Binding, conflicts: [WatchedFolder.Conflict] = []) {
        self.binding = binding
        let line = AgentStatusLine(
            "folders", .working, "It is being scanned for the first time.", subject: binding.localPath)
        state = Mutex(State(line: line, watched: WatchedFolder(conflicts: conflicts)))
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

    /// Another process watches it, and is no trouble.
    func isKept(by watch: Int32) {
        tell(AgentStatusLine(of: binding, keptBy: watch))
    }

    func take(_ event: BindingWatch.Event, _ guardWords: GuardWords) {
        state.withLock { $0.watched.take(event) }
        switch event {
        case .waiting(let failure): met(failure)
        case .acting, .decided: tell(.working, "Syncing with “\(binding.remotePath)”.")
        case .passed(let report): passed(report, guardWords)
        case .watching(let coverage):
            state.withLock { $0.unwatched = coverage.unwatched }
            if line.reason == nil { inStep() }
        }
    }

    private func passed(_ report: PassReport, _ guardWords: GuardWords) {
        if report.plan.sighting == nil, report.plan.waitsForMore {
            // What a guard will say of all that is being deleted is not known yet; what it said of the rest stands.
            if line.reason != "guard" { tell(.working, "Something is being deleted in it.") }
            return
        }
        let waiting = Binding.Waiting(report)
        state.withLock {
            $0.aside = waiting.aside
            $0.isUnderWay = waiting.underWay > 0
        }
        if let line = AgentStatusLine(of: binding, waiting, guardWords) {
            tell(line)
        } else {
            inStep()
        }
    }

    private func inStep() {
        let (unwatched, aside, isUnderWay) = state.withLock { ($0.unwatched, $0.aside, $0.isUnderWay) }
        let patrolled = unwatched > 0 ? " \(unwatched) of its folders are only scanned now and then." : ""
        tell(
            isUnderWay ? .working : .idle,
            "Synced with “\(binding.remotePath)”\(aside.map { ", but \($0)" } ?? "").\(patrolled)")
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

extension AgentStatusLine {
    /// - Parameter watch: the process of a `bothy sync --watch`.
    package init(of binding: Binding, keptBy watch: Int32) {
        let aside = binding.waits.aside.map { ", but \($0)" } ?? ""
        self.init(
            "folders", .idle,
            "Being synced with “\(binding.remotePath)” by “bothy sync --watch” (process \(watch))\(aside).",
            subject: binding.localPath)
    }

    /// What waits for a person in a folder.
    ///
    /// - Returns: nil where nothing does.
    package init?(of binding: Binding, _ waiting: Binding.Waiting, _ guardWords: GuardWords) {
        let folder = binding.localPath
        if let sighting = waiting.sighting {
            let (words, remedy) = guardWords(sighting, binding)
            self.init("folders", .held, words, subject: folder, reason: "guard", remedy: remedy)
            return
        }
        guard waiting.asks, let words = waiting.words else { return nil }
        if waiting.failed > 0 {
            var others = waiting
            others.failed = 0
            let besides = others.words.map { "; \($0)" } ?? ""
            self.init(
                "folders", .waiting,
                "\(waiting.failed) could not be synced with “\(binding.remotePath)”\(besides).",
                subject: folder, reason: "partly_done",
                remedy: RemedyWords.filled(
                    "“bothy why DIR” says which and why; the next pass tries again.", folder: folder))
            return
        }
        let (reason, remedy) = Self.asked(waiting)
        self.init(
            "folders", .held, "Synced with “\(binding.remotePath)”, but \(words).", subject: folder,
            reason: reason, remedy: RemedyWords.filled(remedy, folder: folder, remote: binding.remotePath))
    }

    /// What is told first of all that waits.
    private static func asked(_ waiting: Binding.Waiting) -> (reason: String, remedy: String) {
        if waiting.conflicts > 0 {
            return (
                "conflict", "“bothy conflicts” lists the conflicts, “bothy resolve” resolves them."
            )
        }
        if waiting.unable > 0 {
            return ("cannot_be_synced", "“bothy sync DIR --dry-run” lists them, with what to do about each.")
        }
        return (
            "unsynced", "“bothy sync DIR --dry-run” lists them; use “bothy resolve” with --delete or --send for each."
        )
    }
}
