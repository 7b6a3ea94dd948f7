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
        abstract: "Decide a conflict, or what becomes of an unsynced file, or take a decision back.",
        usage: """
            bothy resolve <file> --keep <keep>
            bothy resolve <file> --delete | --send
            bothy resolve --undo <number>
            """,
        discussion: """
            “mine” makes what was done here the newest; what is there stays in the file's history. “theirs” gives up what \
            was done here; for 30 days its content is in the trash on this machine (“bothy trash --local”). “both” puts it \
            beside, under a name that says where it is from, or with a number where both were new. “merge” puts two texts \
            together, from the version that both had; where they cannot be, nothing is decided.

            A file in a folder in step that was deleted elsewhere and stays here unsynced goes with --delete, to the folder's \
            own trash, and comes into step again with --send.
            """)

    @Argument(
        help: """
            A file on the server (/path), a number that “bothy conflicts” shows, or a file in a folder in step; with --undo \
            the number of a decision.
            """)
    var file: String?

    @Option(help: "mine, theirs, both or merge.")
    var keep: Keeping?

    @Flag(help: "Of an unsynced file: delete it here too.")
    var delete = false

    @Flag(help: "Of an unsynced file: send it again.")
    var send = false

    @Flag(help: "Take back what was decided, by its number in “bothy conflicts decided”.")
    var undo = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !undo else {
            if file == nil {
                throw ValidationError("Say which decision to take back: “bothy conflicts decided” numbers them.")
            }
            if taken == nil && takenInAFolder == nil || keep != nil || delete || send {
                throw ValidationError(
                    "--undo takes the number of a decision, and nothing else: “bothy conflicts decided” numbers them.")
            }
            return
        }
        guard file != nil, [keep != nil, delete, send].count(where: { $0 }) == 1 else {
            throw ValidationError("Say which file, and what to --keep; or, of an unsynced one, --delete or --send.")
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
                    remedy: "“bothy conflicts” lists what there is.", status: .notThereOrInConflict)
            }
            let path = try await home.replica.place(of: operation)
            let decision = try await home.replica.resolve(operation.id, try await choice(keep, operation, home))
            try await home.files.sendWhatWaits()
            if let made = decision.made { home.files.reach.record(made.id) }
            let words = DecisionWords(decision)
            let isKept = decision.choice == .theirs && operation.content != nil
            let way = isKept ? "; for 30 days “bothy trash --local” has it" : ""
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
                .notThere, "Nothing was decided under \(number), or it was taken back already.",
                remedy: "“bothy conflicts decided” lists what was.", status: .notThereOrInConflict)
        }
        try await home.files.sendWhatWaits()
        let path = try await home.replica.place(of: operation)
        try output.tell(
            "\(path?.text ?? "It"): it is as before, and waits for you again as \(operation.id) of “bothy conflicts”.",
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
                .held, "The two cannot be merged: they are no texts, or both changed the same lines.",
                remedy: "Keep mine, theirs or both.", status: .notThereOrInConflict)
        }
    }
}
