import ArgumentParser
import BothyClient
import BothyContract
import BothySync

/// `bothy sync`
struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Keep a folder here and a folder on the server in step.",
        discussion: """
            The first time it ties the two: what is the same on both sides is only noted, what is on one side goes to the \
            other, and nothing is deleted. From then on it carries edits, moves and deletions both ways.

            Nothing is lost by it: what it replaces or deletes here goes to the folder's own trash for 30 days (“bothy \
            trash --local”), what it replaces or deletes there stays in the server's history and trash. When too much would \
            go at once it stops and asks for --confirm. “bothy why FILE” tells why something is as it is, “bothy log” \
            what was done, and “bothy undo” takes it back.

            “.bothyignore” files in the folder leave things out, in the language of “.gitignore”.
            """)

    @Argument(help: "The folder here; made where it is missing.", completion: .directory)
    var directory: String

    @Argument(
        help: "The folder on the server; made where it is missing. Without it, one of the same name.",
        completion: RemoteNames.completion)
    var remote: String?

    @Flag(help: "One pass, then end: nothing goes on by itself.")
    var once = false

    @Flag(help: "Stay, and carry each change as it happens, until Ctrl-C, without the agent.")
    var watch = false

    @Option(
        help:
            "What becomes of a file here that was deleted elsewhere: mirror (to the local trash), documents (it stays)."
    )
    var policy: DeletionPolicy?

    @Option(help: "What becomes of a file changed on both sides: \(ConflictOption.list).")
    var conflicts: ConflictOption?

    @Option(help: "Leave out what matches, in the language of .gitignore; may be given several times.")
    var exclude: [String] = []

    @Flag(help: "Leave out no more what --exclude named before.")
    var noExclude = false

    @Flag(help: "Only tell what would be done, and give that plan an id.")
    var dryRun = false

    @Option(help: "Do exactly what this dry run told, or say what has changed since.")
    var plan: String?

    @Flag(help: "Do what it stopped and asked about.")
    var confirm = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if watch, once || dryRun || plan != nil {
            throw ValidationError("--watch goes with none of --once, --dry-run and --plan.")
        }
        if dryRun, plan != nil { throw ValidationError("--dry-run makes a plan, --plan carries one out.") }
    }

    func run() async throws {
        try await Interruption.guarding {
            try await Home.using { home in
                let bindings = FolderBindings(home: home)
                if dryRun, let preview = try await preview(bindings, home) { return try await preview.tellFirst() }
                let (binding, isNew) = try await bound(bindings, home)
                if isLasting { try await HomeAgent.launcher.ensure() }
                try await HomeAgent.borrowing(binding) {
                    let lock = try bindings.takeLock(binding)
                    let session = try SyncSession(
                        binding, isNew: isNew, bindings: bindings, home: home, output: output)
                    try await work(session, isNew: isNew)
                    withExtendedLifetime(lock) {}
                }
            }
        }
    }

    private func work(_ session: SyncSession, isNew: Bool) async throws {
        if confirm, !isNew { try await session.confirm() }
        if dryRun {
            try await session.dryRun()
        } else if let plan {
            try await session.carryOut(plan)
        } else if watch {
            try await session.watch()
        } else {
            // What this pass could not do, the agent tries again.
            if isLasting, isNew {
                output.note("From now on the agent keeps it in step; “bothy status” shows how it stands.")
            }
            try await session.once()
        }
    }

    /// The agent goes on with it.
    private var isLasting: Bool { !once && !watch && !dryRun && plan == nil }

    // MARK: - The binding

    /// The directory's binding, made where it has none, and changed where it is asked for.
    private func bound(_ bindings: FolderBindings, _ home: DeviceHome) async throws -> (Binding, isNew: Bool) {
        let path = FolderBindings.resolved(directory)
        guard var known = try await bindings.all().first(where: { $0.localPath == path }) else {
            if let plan {
                throw Complaint(
                    .notThere, "“\(directory)” is not kept in step, so there is no plan “\(plan)” for it.",
                    remedy: "See what tying it would do with --dry-run; without an option it is tied.",
                    status: .notThereOrInConflict)
            }
            return (try await tie(bindings, home), true)
        }
        if let remote, try RemoteArgument(remote).path.text != known.remotePath {
            throw Complaint(
                .exists, "“\(path)” is in step with “\(known.remotePath)” already.",
                remedy: "Untie it first with “bothy unsync \(directory)”.", status: .notThereOrInConflict)
        }
        let before = known
        if let policy { known.deletions = policy }
        if let conflicts { known.conflicts = conflicts.policy }
        if noExclude { known.exclude = [] }
        if !exclude.isEmpty { known.exclude = exclude }
        if known != before, !dryRun { try await bindings.store.save(known) }
        return (known, false)
    }

    /// The folder on the server that is meant.
    private func place() throws -> RemotePath {
        if let remote { return try RemoteArgument(remote).path }
        let name = FolderBindings.resolved(directory).pathNames.last ?? ""
        return try RemotePath.root.appending(name)
    }

    /// - Returns: nil for a directory that is tied.
    private func preview(_ bindings: FolderBindings, _ home: DeviceHome) async throws -> SyncSession? {
        let path = FolderBindings.resolved(directory)
        if try await bindings.all().contains(where: { $0.localPath == path }) { return nil }
        let place = try place()
        let binding = try await bindings.untied(
            directory, try await home.files.fileIfPresent(at: place), place,
            conflicts: conflicts?.policy ?? .fork, exclude: exclude)
        return try SyncSession(binding, isNew: true, bindings: bindings, home: home, output: output)
    }

    private func tie(_ bindings: FolderBindings, _ home: DeviceHome) async throws -> Binding {
        let place = try place()
        let folder = try await home.files.makeFolders(at: place)
        var resolution = conflicts?.policy
        if resolution == nil { resolution = try await usual(folder, home) }
        let binding = try await bindings.tie(
            FolderBindings.Order(
                directory: directory, remote: folder, remotePath: place, deletions: policy ?? .mirror,
                conflicts: resolution ?? ReplicaEngine.usualPolicy, exclude: exclude, takesOver: confirm))
        if !output.quiet, !output.json {
            Terminal().writeError(
                TerminalText.safe("“\(binding.localPath)” and “\(place)” on the server are in step from now on.") + "\n"
            )
        }
        return binding
    }

    /// What the person has chosen for this folder of the server, or for the account.
    private func usual(_ folder: File, _ home: DeviceHome) async throws -> ConflictResolution {
        guard let luid = try await home.replica.luid(ofServerId: folder.id) else {
            return try await home.replica.conflictPolicy(of: .root)
        }
        return try await home.replica.conflictPolicy(of: luid)
    }
}

extension DeletionPolicy: ExpressibleByArgument {}

/// A conflict policy as it is typed.
enum ConflictOption: String, ExpressibleByArgument, CaseIterable {
    case fork, ask, merge
    case lastWrite = "last-write"

    var policy: ConflictResolution {
        switch self {
        case .fork: .fork
        case .ask: .ask
        case .merge: .merge
        case .lastWrite: .lastWriteWins
        }
    }

    init(_ policy: ConflictResolution) {
        self =
            switch policy {
            case .fork: .fork
            case .ask: .ask
            case .merge: .merge
            case .lastWriteWins: .lastWrite
            }
    }

    /// `fork, both are kept`.
    var words: String {
        let meaning =
            switch self {
            case .fork: "both are kept"
            case .ask: "it waits for you"
            case .merge: "texts are merged, what cannot be is kept beside"
            case .lastWrite: "the last one is the newest, the other stays in the history"
            }
        return "\(rawValue), \(meaning)"
    }

    static let names = allCases.map(\.rawValue).joined(separator: ", ")

    static let list =
        "fork (both are kept), ask (it waits for you), merge (texts are merged), last-write (the other stays in the history)"
}
