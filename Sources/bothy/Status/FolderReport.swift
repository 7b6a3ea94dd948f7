import BothyAgent
import BothyClient
import BothyContract
import BothySync

/// How the synced folders stand: as the agent tells, as a watch keeps them, or as their last passes left them.
struct FolderReport {
    private let folders: [(binding: Binding, watch: Int32?)]
    /// What keeps the server from being heard; nil where nothing does.
    private let away: AgentStatusLine?

    /// - Parameter server: how it stands, as the page tells it.
    init(_ bindings: FolderBindings, server: [AgentStatusLine]) async throws {
        folders = try await bindings.all().map { ($0, bindings.watch(of: $0)) }
        away = server.first { $0.state == .waiting || $0.state == .held }
    }

    /// The processes of `bothy sync --watch`.
    var watches: [Int32] { folders.compactMap(\.watch) }

    /// - Parameter told: what the agent says of folders. It says nothing of one that it has lent, and of one that a watch no longer keeps
    ///   than that.
    func lines(_ told: [AgentStatusLine]) -> [AgentStatusLine] {
        let watched = Set(folders.filter { $0.watch != nil }.map { String?.some($0.binding.localPath) })
        let kept = told.filter { !watched.contains($0.subject) }
        let toldOf = Set(kept.map(\.subject))
        let others = folders.filter { !toldOf.contains($0.binding.localPath) }
        return kept.map(asFarAsHeard) + others.map { line($0.binding, $0.watch) }
    }

    private func line(_ binding: Binding, _ watch: Int32?) -> AgentStatusLine {
        guard let failure = binding.failure else {
            if let watch, !binding.waits.asks { return asFarAsHeard(AgentStatusLine(of: binding, keptBy: watch)) }
            let waiting = AgentStatusLine(of: binding, binding.waits) {
                (SyncWords.words($0), SyncWords.remedy($0, $1))
            }
            let words = "\(last(binding))\(aside(binding))."
            return waiting ?? AgentStatusLine("folders", .idle, words, subject: binding.localPath)
        }
        var line = AgentStatusLine("folders", failure, subject: binding.localPath)
        line.words += " \(last(binding))."
        return line
    }

    /// A folder counts as synced only while the server can confirm that. While it is away, the folder was synced as of the last answer.
    private func asFarAsHeard(_ line: AgentStatusLine) -> AgentStatusLine {
        guard let away, line.state == .idle,
            let binding = folders.first(where: { $0.binding.localPath == line.subject })?.binding
        else { return line }
        let words = "\(last(binding, heard: away.since))\(aside(binding))."
        let until = away.state == .waiting ? "until the server answers again" : "until that is settled"
        return AgentStatusLine(
            "folders", away.state, "\(words) Nothing is synced \(until).",
            subject: line.subject, reason: away.reason)
    }

    /// - Parameter heard: when the server was last heard, where somebody listened.
    private func last(_ binding: Binding, heard: Timestamp? = nil) -> String {
        guard let inStepAt = binding.inStepAt else { return "Not synced with “\(binding.remotePath)” yet" }
        return "Last synced with “\(binding.remotePath)” on \(MomentText.text(heard ?? inStepAt))"
    }

    private func aside(_ binding: Binding) -> String { binding.waits.aside.map { ", but \($0)" } ?? "" }
}
