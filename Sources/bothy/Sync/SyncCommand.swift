import ArgumentParser
import BothyClient
import BothyContract
import BothySync
import Foundation

/// `bothy sync`
struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Sync a local folder with a folder on the server.",
        discussion: """
            The first run links the two folders: files that exist on one side are copied to the other, and nothing is deleted. \
            From then on edits, moves and deletions are synced both ways.

            Nothing is lost: files replaced or deleted here go to the folder's own trash for 30 days (“bothy trash --local”), \
            files replaced or deleted on the server stay in its history and trash. If too much would be deleted at once, sync \
            stops and asks for --confirm or --bring-back. “bothy why FILE” explains a file's state, “bothy log” shows what was \
            done, and “bothy undo” undoes it.

            “.bothyignore” files in the folder exclude files, with the syntax of “.gitignore”; --exclude, --exclude-type and \
            --max-size exclude files on this device only.
            """)

    @Argument(help: "The local folder. It is created if needed.", completion: .directory)
    var directory: String

    @Argument(
        help: "The folder on the server. It is created if needed. Default: one of the same name.",
        completion: RemoteNames.completion)
    var remote: String?

    @Flag(help: "Sync once, without starting the agent. An agent that already runs keeps syncing all linked folders.")
    var once = false

    @Flag(help: "Sync each change as it happens, until Ctrl-C, without the agent.")
    var watch = false

    @Option(
        help:
            "What to do here with a file that was deleted elsewhere: mirror (move it to the local trash), documents (keep it)."
    )
    var policy: DeletionPolicy?

    @Option(help: "What to do with a file that was changed on both sides: \(ConflictOption.list).")
    var conflicts: ConflictOption?

    @Option(help: "Exclude files that match, with .gitignore syntax. Can be repeated.")
    var exclude: [String] = []

    @Option(help: "Exclude files with this extension, such as iso or mp4. Can be repeated.")
    var excludeType: [String] = []

    @Option(help: "Exclude larger files, such as 100M; “off” removes the limit.")
    var maxSize: SizeLimit?

    @Flag(help: "Remove all earlier --exclude, --exclude-type and --max-size options.")
    var noExclude = false

    @Flag(help: "Show what would be done, as a plan with an id.")
    var dryRun = false

    @Option(help: "Do exactly what this dry run showed, or report what has changed since.")
    var plan: String?

    @Flag(help: "Confirm the changes that sync stopped for.")
    var confirm = false

    @Flag(
        help:
            "Restore files that were deleted here and are still on the server, when sync has stopped for that or before it would."
    )
    var bringBack = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if bringBack, watch || dryRun || plan != nil || confirm {
            throw ValidationError("--bring-back cannot be combined with --watch, --dry-run, --plan or --confirm.")
        }
        if watch, once || dryRun || plan != nil {
            throw ValidationError("--watch cannot be combined with --once, --dry-run or --plan.")
        }
        if dryRun, plan != nil {
            throw ValidationError("--dry-run makes a plan and --plan executes one; use one of them.")
        }
        if dryRun, confirm {
            throw ValidationError(
                "--dry-run changes nothing, so there is nothing to --confirm: run it first, then confirm.")
        }
    }

    func run() async throws {
        try await Interruption.guarding {
            try await Home.using { home in
                // What was typed before comes before what the folder brings; an own change would overtake it, and meet it. But a
                // dry run has told of the folder alone, and its plan does that alone.
                if !dryRun, plan == nil { try await OfflineEnding.sendWhatWaits(home) }
                let bindings = FolderBindings(home: home)
                if dryRun { try await noteTyped(home) }
                let known = try await bindings.binding(of: directory)
                let terms = try await terms(known, bindings)
                if known == nil, let first = try await untied(bindings, home, terms) {
                    if dryRun { return try await first.tellFirst(under: terms) }
                    if let plan { try await first.expectFirst(plan) }
                }
                let (binding, isNew) = try await bound(known, bindings, home, terms)
                let isSeenTo = isLasting ? try await startAgent(for: binding, bindings) : false
                try await HomeAgent.borrowing(binding) {
                    if watch {
                        let watch = SyncWatch(bindings: bindings, home: home, output: output)
                        return try await watch.run(binding, confirming: confirm && !isNew)
                    }
                    let loan = try await bindings.borrow(binding)
                    let session = try SyncSession(
                        binding, isNew: isNew, bindings: bindings, home: home, output: output)
                    try await work(session, terms, isNew: isNew, isSeenTo: isSeenTo)
                    withExtendedLifetime(loan) {}
                }
            }
        }
    }

    /// What a dry run of a folder does not look at.
    private func noteTyped(_ home: DeviceHome) async throws {
        let count = try await home.replica.countOfOpen()
        guard count > 0 else { return }
        let what = count == 1 ? "1 unsent change is" : "\(count) unsent changes are"
        output.note("\(what) sent first, and not part of this plan: “bothy journal”.")
    }

    /// - Parameter isSeenTo: whether the agent continues it.
    private func work(_ session: SyncSession, _ terms: PlanTerms, isNew: Bool, isSeenTo: Bool) async throws {
        if dryRun {
            try await session.dryRun(under: terms)
        } else if let plan {
            try await isNew ? session.carryOutFirst(plan) : session.carryOut(plan, confirmed: confirm)
        } else {
            // What this pass could not do, the agent tries again.
            if isSeenTo, isNew {
                output.note("The agent keeps it synced from now on; “bothy status” shows its state.")
            }
            if confirm, !isNew { try await session.confirm() }
            let returning = bringBack && !isNew ? try await session.bringBack() : Returning()
            try await session.once(returning: returning)
        }
    }

    /// What somebody else keeps is not the agent's to continue: it would be refused that, and stay for nothing.
    private func startAgent(for binding: Binding, _ bindings: FolderBindings) async throws -> Bool {
        if bindings.isKept(binding), try await HomeAgent.launcher.client.hello() == nil { return false }
        return try await HomeAgent.goOn()
    }

    /// The agent continues it.
    private var isLasting: Bool { !once && !watch && !dryRun && plan == nil }

    // MARK: - The binding

    /// The directory's binding, made where it has none, and changed where it is asked for.
    private func bound(
        _ known: Binding?, _ bindings: FolderBindings, _ home: DeviceHome, _ terms: PlanTerms
    ) async throws -> (Binding, isNew: Bool) {
        guard var known else { return (try await tie(bindings, home, terms), true) }
        if let remote {
            let path = try RemoteArgument(remote).path
            // It may have been moved since it was linked.
            if path.text != known.remotePath, try await home.files.fileIfPresent(at: path)?.id != known.remoteId {
                throw Complaint(
                    .exists, "“\(known.localPath)” is already synced with “\(known.remotePath)”.",
                    remedy: "Unlink it first with “bothy unsync \(directory.asTyped)”.", status: .notThereOrInConflict)
            }
        }
        known.take(terms)
        // A plan that no longer holds leaves everything as it is.
        if !dryRun, plan == nil { try await bindings.keepChoices(of: known, output) }
        return (known, false)
    }

    /// What is asked for: by the plan that is carried out, and here.
    ///
    /// - Parameter known: the directory's binding, where it has one.
    private func terms(_ known: Binding?, _ bindings: FolderBindings) async throws -> PlanTerms {
        var terms = PlanTerms()
        if let plan {
            let id = known?.id ?? FolderBindings.idBeforeTying(FolderBindings.directory(directory))
            terms = try await bindings.store.plan(plan, of: id)?.terms ?? terms
        }
        terms.deletions = policy ?? terms.deletions
        terms.conflicts = conflicts?.policy ?? terms.conflicts
        let held = known?.leavesOut ?? LeftOut()
        let wanted = leavingOut(terms.leavesOut ?? held)
        terms.leavesOut = wanted == held ? nil : wanted
        return terms
    }

    /// - Parameter before: what was left out until now.
    private func leavingOut(_ before: LeftOut) -> LeftOut {
        var now = noExclude ? LeftOut() : before
        if !exclude.isEmpty { now.patterns = exclude }
        if !excludeType.isEmpty {
            now.endings = excludeType.map { String($0.trimmingPrefix("*").trimmingPrefix(".")).lowercased() }
        }
        if let maxSize { now.largestFile = maxSize.bytes }
        return now
    }

    /// What linking the directory would do.
    ///
    /// - Returns: nil where nobody asks to look at it first.
    private func untied(
        _ bindings: FolderBindings, _ home: DeviceHome, _ terms: PlanTerms
    ) async throws -> SyncSession? {
        guard dryRun || plan != nil else { return nil }
        let order = try await order(home, terms)
        let binding = try await bindings.untied(order, to: try await home.files.fileIfPresent(at: order.remotePath))
        return try SyncSession(binding, isNew: true, bindings: bindings, home: home, output: output)
    }

    private func tie(_ bindings: FolderBindings, _ home: DeviceHome, _ terms: PlanTerms) async throws -> Binding {
        let order = try await order(home, terms)
        let wasThere = FileManager.default.fileExists(atPath: FolderBindings.directory(directory))
        let binding = try await bindings.tie(order, hurry: HomeAgent.look)
        if !output.quiet, !output.json {
            if !wasThere { output.note("“\(binding.localPath)” was created.") }
            Terminal().writeError(
                TerminalText.safe(
                    "“\(binding.localPath)” is now synced with “\(binding.remotePath)” on the server.") + "\n")
            for other in try await bindings.sharing(with: binding) {
                output.note(
                    "“\(other.localPath)” is also synced with “\(other.remotePath)”: files in both are stored here twice."
                )
            }
        }
        return binding
    }

    /// What is asked for, where the directory is not linked yet.
    private func order(_ home: DeviceHome, _ terms: PlanTerms) async throws -> FolderBindings.Order {
        let place = try place()
        var resolution = terms.conflicts
        if resolution == nil { resolution = try await usual(place, home) }
        return FolderBindings.Order(
            directory: directory, remotePath: place, deletions: terms.deletions ?? .mirror,
            conflicts: resolution ?? ReplicaEngine.usualPolicy, leavingOut: terms.leavesOut ?? LeftOut(),
            takesOver: confirm)
    }

    /// The folder on the server that is meant.
    private func place() throws -> RemotePath {
        if let remote { return try RemoteArgument(remote).path }
        guard let name = FolderBindings.directory(directory).pathNames.last else { return .root }
        return try RemotePath.root.appending(name)
    }

    /// What the person has chosen for this folder of the server, for the nearest above it, or for the account.
    private func usual(_ place: RemotePath, _ home: DeviceHome) async throws -> ConflictResolution {
        var place = place
        while !place.isRoot {
            if let folder = try await home.files.fileIfPresent(at: place),
                let luid = try await home.replica.luid(ofServerId: folder.id)
            {
                return try await home.replica.conflictPolicy(of: luid)
            }
            place = place.parent
        }
        return try await home.replica.conflictPolicy(of: .root)
    }
}
