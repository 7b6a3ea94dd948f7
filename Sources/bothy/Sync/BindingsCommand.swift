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
        var createdAt: Timestamp
        var inStepAt: Timestamp?
        var error: ClientFailure?
    }

    static let configuration = CommandConfiguration(
        commandName: "bindings", abstract: "List the folders that are kept in step.")

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let bindings = try await Home.using { try await FolderBindings(home: $0).all() }
        if output.json {
            return try bindings.forEach {
                try output.print(
                    Document(
                        local: $0.localPath, remote: $0.remotePath, policy: $0.deletions.rawValue,
                        conflicts: $0.conflicts.rawValue, exclude: $0.exclude, createdAt: $0.createdAt,
                        inStepAt: $0.passedAt, error: $0.failure))
            }
        }
        if bindings.isEmpty, !output.quiet {
            return Terminal().writeOutput("No folder is kept in step. “bothy sync DIR” begins.\n")
        }
        var table = Table([.init("HERE"), .init("ON THE SERVER"), .init("POLICY"), .init("IN STEP AT"), .init("")])
        for binding in bindings {
            table.add([
                binding.localPath, binding.remotePath, binding.deletions.rawValue,
                binding.passedAt.map { MomentText.text($0) } ?? "–", binding.failure?.words ?? "",
            ])
        }
        output.print(table)
        for binding in bindings where !binding.exclude.isEmpty && !output.quiet {
            let patterns = binding.exclude.map { "“\($0)”" }.joined(separator: ", ")
            Terminal().writeOutput(TerminalText.safe("\(binding.localPath) leaves out \(patterns).\n"))
        }
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
        abstract: "Keep a folder in step no longer.",
        discussion:
            "The files stay as they are on both sides. The folder's own trash goes; on a terminal it asks first.")

    @Argument(help: "The folder here.", completion: .directory)
    var directory: String

    @Flag(help: "Leave the folder's own trash where it is, in “.bothy/trash”.")
    var keepTrash = false

    @Flag(name: .shortAndLong, help: "Ask nothing.")
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
                    otherwise: "Say --keep-trash to leave it where it is, or --yes to delete it.")
            }
            try await HomeAgent.borrowing(binding) { try await bindings.untie(binding, keepingTrash: keepTrash) }
            try output.tell(
                "“\(binding.localPath)” and “\(binding.remotePath)” are no longer in step; all files stay.",
                Document(local: binding.localPath, remote: binding.remotePath))
        }
    }
}

extension UnsyncCommand {
    private static func things(_ count: Int) -> String { count == 1 ? "the one thing" : "the \(count) things" }
}

extension FolderBindings {
    /// The binding of a directory that was typed.
    func named(_ directory: String) async throws -> Binding {
        let path = FolderBindings.resolved(directory)
        guard let binding = try await all().first(where: { $0.localPath == path }) else {
            throw Complaint(
                .notThere, "“\(directory)” is not kept in step.",
                remedy: "“bothy bindings” lists the folders that are.",
                status: .notThereOrInConflict)
        }
        return binding
    }
}
