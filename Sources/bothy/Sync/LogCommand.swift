import ArgumentParser
import BothyClient
import BothyContract
import BothySync

/// `bothy log`
struct LogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Show what sync did in synced folders, and why.",
        discussion: "The newest sync pass comes last. Give a file or folder to show only its history.")

    @Argument(help: "Only entries about this file or folder, here or on the server (/path).", completion: .file())
    var path: String?

    @Option(name: .shortAndLong, help: "The maximum number of passes, or of entries about one file.")
    var number = 20

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.using { home in
            let bindings = FolderBindings(home: home)
            guard let path else { return try await tellPasses(of: nil, bindings) }
            var found = try await bindings.binding(holding: path)
            // What is no path on the server was meant as one here, which is told of below.
            if found == nil, path.hasPrefix("/"), let there = try? RemoteArgument(path).path {
                let id = try await home.replica.file(at: there)?.serverId
                found = try await bindings.binding(holding: there, withId: id)
            }
            guard let (binding, place) = found else {
                throw Complaint(
                    .notThere, "“\(path)” is not in a synced folder.",
                    remedy: "“bothy bindings” lists the synced folders.", status: .notThereOrInConflict)
            }
            if place.isRoot { return try await tellPasses(of: binding.id, bindings) }
            let decisions = try await bindings.store.decisions(
                about: place, in: binding, limit: max(number, Explanation.mostLookedThrough))
            let listed = RepeatedDecision.failures(in: decisions.filter { output.json || $0.isTold })
            try listed.prefix(max(0, number)).reversed().forEach(tell)
            if decisions.isEmpty { output.note("Nothing has been done with “\(path)” yet.") }
        }
    }

    private func tellPasses(of binding: String?, _ bindings: FolderBindings) async throws {
        let passes = try await bindings.store.passes(of: binding, limit: number)
        if passes.isEmpty { output.note("Nothing has been synced yet.") }
        let folders = Dictionary(uniqueKeysWithValues: try await bindings.all().map { ($0.id, $0.localPath) })
        for pass in passes.reversed() {
            let decisions = try await bindings.store.decisions(of: pass.id)
            guard output.json || decisions.contains(where: \.isTold) else { continue }
            if !output.json { Terminal().writeOutput(heading(pass, of: folders[pass.bindingId]) + "\n") }
            for decision in decisions where output.json || decision.isTold {
                try tell(RepeatedDecision(decision: decision))
            }
        }
    }

    private func heading(_ pass: SyncPass, of folder: String?) -> String {
        var text = "Pass \(pass.id)"
        if let folder { text += " of \(TerminalText.safe(folder))" }
        text += ", \(MomentText.text(pass.startedAt))"
        if let undone = pass.undoneBy {
            let words = pass.isUndoneInPart ? "partly undone" : "undone"
            text += ", \(words) by pass \(undone)"
        }
        if let undoes = pass.undoes {
            text += ", undoing \(pass.undoesConflict == nil ? "" : "one conflict of ")pass \(undoes)"
        }
        return text + ":"
    }

    private func tell(_ repeated: RepeatedDecision) throws {
        let decision = repeated.decision
        try output.tell(
            "  \(MomentText.time(decision.at))  \(decision.told)\(repeated.times())", SyncEventDocument(repeated))
    }
}
