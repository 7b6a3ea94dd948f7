import ArgumentParser
import BothyClient
import BothyContract
import BothySync

/// `bothy conflicts`
struct ConflictsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "List conflicts between changes on this device and on the server.",
        discussion: """
            No version is lost. “bothy resolve” resolves a conflict, “bothy conflicts policy” sets which ones are resolved \
            automatically, and “bothy conflicts decided” lists past decisions and how to undo them.
            """,
        subcommands: [List.self, Policy.self, Decided.self], defaultSubcommand: List.self)

    /// `bothy conflicts list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List open conflicts.")

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Home.looking { home in
                var hasNumbers = false
                var table = Table([.init("NUMBER"), .init("SINCE"), .init("WHAT"), .init("WHY")])
                var example: FolderConflicts.Waiting?
                for operation in try await home.replica.conflicts() {
                    if output.json {
                        let path = try await home.replica.place(of: operation)
                        try output.print(OperationDocument(operation, path: path))
                        continue
                    }
                    hasNumbers = true
                    table.add([
                        String(operation.id), MomentText.text(operation.createdAt),
                        try await OperationWords(operation, in: home.replica).deed, operation.lastError?.words ?? "",
                    ])
                }
                let cache = LastKnownCache(home.replica)
                for conflict in try await FolderConflicts(home: home).all(by: cache) {
                    if output.json {
                        try output.print(conflict)
                        continue
                    }
                    table.add(["", conflict.since.map { MomentText.text($0) } ?? "", conflict.path, conflict.message])
                    example = example ?? conflict
                }
                output.print(table)
                if let example {
                    let theirs =
                        example.theirs.map { ", “bothy cat \($0.asTyped)” shows the server’s" } ?? ""
                    output.note(
                        "Conflicts without a number are in synced folders: the file here is your version\(theirs). Resolve one with “bothy resolve FILE --keep …”."
                    )
                }
                if hasNumbers { output.note("“bothy open” shows both versions of a numbered conflict side by side.") }
                if table.isEmpty { output.note("There are no open conflicts.") }
                if cache.offline != nil {
                    output.note("There is no connection. This is the last state that this device knows.")
                }
            }
        }
    }

    /// `bothy conflicts policy`
    struct Policy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "policy",
            abstract: "Show or set how conflicts are resolved.",
            usage: "bothy conflicts policy [<policy> [<path>]]",
            discussion: """
                \(ConflictOption.list). A folder's policy applies to everything in it, that of “/” to the account; the \
                nearest folder's counts. “inherit” removes a setting. Synced folders use it as well, unless “bothy sync DIR \
                --conflicts” sets their own.
                """)

        @Argument(help: "\(ConflictOption.names), or inherit.")
        var policy: String?

        @Argument(help: "A file or folder on the server.", completion: RemoteNames.completion)
        var path = "/"

        @OptionGroup var output: OutputOptions

        private struct Document: Encodable {
            var path: String
            var policy: String
        }

        func run() async throws {
            try await Home.using(ending: OfflineEnding(output: output)) { home in
                guard let policy else { return try await show(home) }
                let chosen = ConflictOption(rawValue: policy)
                guard chosen != nil || policy == "inherit" else {
                    throw Complaint.usage(
                        "There is no policy “\(policy)”.", remedy: "Choose \(ConflictOption.names), or inherit.")
                }
                let place = try RemoteArgument(path).path
                let luid = place.isRoot ? LUID.root : try await home.known(place)
                try await home.replica.setConflictPolicy(chosen?.policy, of: luid)
                let now = ConflictOption(try await home.replica.conflictPolicy(of: luid))
                try output.tell("\(place): \(now.words)", Document(path: place.text, policy: now.rawValue))
            }
        }

        private func show(_ home: DeviceHome) async throws {
            let root = ConflictOption(try await home.replica.conflictPolicy(of: .root))
            try output.tell("/: \(root.words)", Document(path: "/", policy: root.rawValue))
            for (luid, policy) in try await home.replica.conflictPolicies() where luid != .root {
                guard let path = try await home.replica.path(of: luid) else { continue }
                let option = ConflictOption(policy)
                try output.tell("\(path): \(option.words)", Document(path: path.text, policy: option.rawValue))
            }
        }
    }

    /// `bothy conflicts decided`
    struct Decided: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "decided",
            abstract: "List conflicts that were resolved on this device, the newest first.",
            discussion: """
                “bothy resolve --undo NUMBER” undoes one: the conflict is open again. A number with a point is from a \
                synced folder: 23.1 is the first conflict that pass 23 resolved, and “bothy undo 23” undoes all of that pass.
                """)

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await Home.using { home in
                var table = Table([.init("NUMBER"), .init("DECIDED"), .init("WHAT"), .init("KEPT"), .init("BY")])
                for decision in try await home.replica.decisions() {
                    if output.json {
                        try output.print(DecisionDocument(decision))
                        continue
                    }
                    let words = DecisionWords(decision)
                    table.add([
                        String(decision.id), MomentText.text(decision.decidedAt), words.deed, words.kept, words.by,
                    ])
                }
                for (binding, conflict) in try await FolderBindings(home: home).decided() {
                    let decision = conflict.decision
                    if output.json {
                        var document = SyncEventDocument(decision)
                        document.number = conflict.number.description
                        try output.print(document)
                        continue
                    }
                    let words = FolderDecisionWords(decision)
                    table.add([
                        conflict.number.description, MomentText.text(decision.at), binding.absolute(conflict.place),
                        words.kept, words.by,
                    ])
                }
                output.print(table)
                output.note(
                    table.isEmpty
                        ? "No conflicts have been resolved." : "“bothy resolve --undo NUMBER” undoes one of them.")
            }
        }
    }
}
