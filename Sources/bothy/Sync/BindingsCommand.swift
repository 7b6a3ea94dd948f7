import ArgumentParser
import BothyClient
import BothyContract
import BothySync

/// `bothy bindings`
struct BindingsCommand: AsyncParsableCommand {
    private struct Document: Encodable {
        var local: String
        var remote: String
        var policy: String
        var conflicts: String
        var exclude: [String]
        var excludeTypes: [String]
        var maxSize: Int64?
        var createdAt: Timestamp
        var inStepAt: Timestamp?
        /// What the last pass ended with, where it did not come to its end.
        var error: ClientFailure?
        /// What the last pass stopped at, in words.
        var held: String?
        var waitingConflicts: Int
        var unsynced: Int
        /// What one side has and the other cannot have as it is.
        var cannotBeSynced: Int
        /// What stays here alone since it was taken back that it was sent.
        var takenBack: Int
        /// Files that wait until a program closes them.
        var inUse: Int
        /// What else could not be synced, and is tried again.
        var failed: Int
        /// Large files that were on their way when the last pass ended.
        var underWay: Int
    }

    static let configuration = CommandConfiguration(
        commandName: "bindings", abstract: "List the synced folders.")

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let bindings = try await Home.using { try await FolderBindings(home: $0).all() }
        if output.json {
            return try bindings.forEach {
                try output.print(
                    Document(
                        local: $0.localPath, remote: $0.remotePath, policy: $0.deletions.rawValue,
                        conflicts: ConflictOption($0.conflicts).rawValue, exclude: $0.leavesOut.patterns,
                        excludeTypes: $0.leavesOut.endings, maxSize: $0.leavesOut.largestFile, createdAt: $0.createdAt,
                        inStepAt: $0.inStepAt, error: $0.failure, held: $0.waits.sighting.map(SyncWords.words),
                        waitingConflicts: $0.waits.conflicts, unsynced: $0.waits.unsynced,
                        cannotBeSynced: $0.waits.unable, takenBack: $0.waits.takenBack, inUse: $0.waits.inUse,
                        failed: $0.waits.failed, underWay: $0.waits.underWay))
            }
        }
        if bindings.isEmpty, !output.quiet {
            return Terminal().writeOutput("No folders are synced. “bothy sync DIR” syncs one.\n")
        }
        var table = Table([
            .init("HERE"), .init("ON THE SERVER"), .init("POLICY"), .init("CONFLICTS"), .init("SYNCED AT"), .init(""),
        ])
        for binding in bindings {
            table.add([
                binding.localPath, binding.remotePath, binding.deletions.rawValue,
                ConflictOption(binding.conflicts).rawValue,
                binding.inStepAt.map { MomentText.text($0) } ?? "–", Self.standing(binding),
            ])
        }
        output.print(table)
        if bindings.contains(where: { $0.waits.failed > 0 }) {
            output.note("“bothy why DIR” explains what could not be synced. It will be retried.")
        }
        if bindings.contains(where: \.waits.isUnsettled) {
            output.note("“bothy sync DIR --dry-run” lists what is waiting in a folder.")
        }
        for binding in bindings where !binding.leavesOut.rules.isEmpty && !output.quiet {
            let patterns = binding.leavesOut.rules.map { "“\($0.words)”" }.joined(separator: ", ")
            Terminal().writeOutput(TerminalText.safe("\(binding.localPath) excludes \(patterns).") + "\n")
        }
    }
}

extension BindingsCommand {
    /// How its last pass left it.
    private static func standing(_ binding: Binding) -> String {
        if let failure = binding.failure { return "the last pass failed: \(failure.words)" }
        return binding.waits.words ?? ""
    }
}

/// `bothy unsync`
struct UnsyncCommand: AsyncParsableCommand {
    private struct Document: Encodable {
        var local: String
        var remote: String
    }

    static let configuration = CommandConfiguration(
        commandName: "unsync",
        abstract: "Unlink a synced folder.",
        discussion:
            "All files stay on both sides. The folder's own trash is deleted; in a terminal you are asked first.")

    @Argument(help: "The local folder.", completion: .directory)
    var directory: String

    @Flag(help: "Keep the folder's own trash, in “.bothy/trash”.")
    var keepTrash = false

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await Home.using { home in
            let bindings = FolderBindings(home: home)
            let binding = try await bindings.named(directory)
            let trash = try await bindings.store.trash(of: binding.id)
            if !trash.isEmpty, !keepTrash, !yes {
                try Confirmation.ask(
                    "Delete \(Self.things(trash.count)) in the trash of “\(binding.localPath)” for good?",
                    otherwise: "Use --keep-trash to keep it, or --yes to delete it.")
            }
            try await HomeAgent.borrowing(binding) { try await bindings.untie(binding, keepingTrash: keepTrash) }
            try output.tell(
                "“\(binding.localPath)” and “\(binding.remotePath)” are no longer synced; all files stay.",
                Document(local: binding.localPath, remote: binding.remotePath))
            if keepTrash, !trash.isEmpty {
                output.note("Its trash stays in “\(binding.localPath)/.bothy/trash”.")
            }
        }
    }
}

extension UnsyncCommand {
    private static func things(_ count: Int) -> String { count == 1 ? "the one thing" : "the \(count) things" }
}

extension FolderBindings {
    /// The binding of a directory that was typed.
    func named(_ directory: String) async throws -> Binding {
        guard let binding = try await binding(of: directory) else {
            throw Complaint(
                .notThere, "“\(directory)” is not synced.",
                remedy: "“bothy bindings” lists the synced folders.",
                status: .notThereOrInConflict)
        }
        return binding
    }
}
