import ArgumentParser
import BothyClient
import BothyContract
import BothySync

/// `bothy resolve`
struct ResolveCommand: AsyncParsableCommand {
    enum Keeping: String, ExpressibleByArgument, CaseIterable {
        case mine, theirs, both, merge
    }

    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Resolve a conflict or an unsynced file, or undo a decision.",
        usage: """
            bothy resolve <file> --keep <keep>
            bothy resolve <file> --delete | --send
            bothy resolve --undo <number>
            """,
        discussion: """
            “mine” makes your version the newest; the server's version stays in the file's history. “theirs” discards your \
            version; its content stays in the local trash for 30 days (“bothy trash --local”). “both” keeps yours as a \
            conflict copy beside the other, or with a number if both files are new. “merge” merges two texts, based on their \
            common version; if that is not possible, nothing is decided.

            For a file in a synced folder that was deleted elsewhere and stays here unsynced: --delete moves it to the folder's \
            own trash, --send uploads it again.
            """)

    @Argument(
        help: """
            A file on the server (/path), a number that “bothy conflicts” shows, or a file in a synced folder; with --undo \
            the number of a decision.
            """)
    var file: String?

    @Option(help: "mine, theirs, both or merge.")
    var keep: Keeping?

    @Flag(help: "For an unsynced file: delete it here as well.")
    var delete = false

    @Flag(help: "For an unsynced file: upload it again.")
    var send = false

    @Flag(help: "Undo a decision, by its number in “bothy conflicts decided”.")
    var undo = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !undo else {
            if file == nil {
                throw ValidationError("Give the number of the decision to undo: “bothy conflicts decided” lists them.")
            }
            if taken == nil && takenInAFolder == nil || keep != nil || delete || send {
                throw ValidationError(
                    "--undo takes only the number of a decision: “bothy conflicts decided” lists them.")
            }
            return
        }
        guard file != nil, [keep != nil, delete, send].count(where: { $0 }) == 1 else {
            throw ValidationError("Name the file, and what to --keep; for an unsynced file, use --delete or --send.")
        }
    }

    /// What --undo takes back.
    private var taken: Int64? { file.flatMap { Int64($0) } }
    private var takenInAFolder: PassConflict.Number? { file.flatMap { PassConflict.Number($0) } }

    func run() async throws {
        try await Home.using(ending: OfflineEnding(output: output)) { home in
            guard let file else { return }
            if undo, let takenInAFolder {
                return try await Interruption.guarding {
                    try await FolderConflicts(home: home).takeBack(takenInAFolder, output: output)
                }
            }
            if undo, let taken { return try await takeBack(taken, home) }
            if delete || send {
                let choice: Choice = delete ? .confirmDeletion : .sendAgain
                return try await FolderConflicts(home: home).decideUnsynced(file, choice, output: output)
            }
            guard let keep else { return }
            let folders = FolderConflicts(home: home)
            if try await folders.resolve(file, keep: keep, output: output) { return }
            // What is there now is what is decided about.
            try await home.files.sendWhatWaits()
            guard let operation = try await waiting(file, home) else {
                let here = try await folders.file(under: file)
                if let here, try await folders.resolve(here, keep: keep, output: output) { return }
                throw Complaint(
                    .notThere, "There is no conflict about “\(file)”.",
                    remedy: "“bothy conflicts” lists the open conflicts.", status: .notThereOrInConflict)
            }
            let path = try await home.replica.place(of: operation)
            let decision = try await home.replica.resolve(operation.id, try await choice(keep, operation, home))
            try await home.files.sendWhatWaits()
            if let made = decision.made { home.files.reach.record(made.id) }
            let words = DecisionWords(decision)
            let isKept = decision.choice == .theirs && operation.content != nil
            let way = isKept ? "; it stays in “bothy trash --local” for 30 days" : ""
            try output.tell("\(path?.text ?? file): \(words.kept)\(way)", OperationDocument(operation, path: path))
        }
    }

    private func takeBack(_ number: Int64, _ home: DeviceHome) async throws {
        try await home.files.sendWhatWaits()
        let operation: JournalOperation
        do {
            operation = try await home.replica.undo(number)
        } catch let failure as ClientFailure where failure.code == .notFound {
            throw Complaint(
                .notThere, "There is no decision \(number), or it was already undone.",
                remedy: "“bothy conflicts decided” lists the decisions.", status: .notThereOrInConflict)
        }
        try await home.files.sendWhatWaits()
        let path = try await home.replica.place(of: operation)
        try output.tell(
            "\(path?.text ?? "It"): the decision is undone, and the conflict is open again as \(operation.id) in “bothy conflicts”.",
            OperationDocument(operation, path: path))
    }

    private func waiting(_ file: String, _ home: DeviceHome) async throws -> JournalOperation? {
        let conflicts = try await home.replica.conflicts()
        if let number = Int64(file), let operation = conflicts.first(where: { $0.id == number }) { return operation }
        if file.hasPrefix("/") {
            let path = try RemoteArgument(file).path
            for operation in conflicts where try await home.replica.place(of: operation) == path { return operation }
            // A move that could not be made is told with where it was to go.
            return try await home.replica.placed(conflicts).first { $0.destination == path }?.operation
        }
        return nil
    }

    private func choice(
        _ keep: Keeping, _ operation: JournalOperation, _ home: DeviceHome
    ) async throws -> ConflictChoice {
        switch keep {
        case .mine: return .mine
        case .theirs: return .theirs
        case .both: return .both(name: try await home.replica.nameBeside(operation))
        case .merge:
            if let merged = try await home.replica.merged(operation) { return .merged(merged) }
            throw Complaint(
                .held, "The two cannot be merged: they are not texts, or both changed the same lines.",
                remedy: "Keep mine, theirs or both.", status: .notThereOrInConflict)
        }
    }
}
