import ArgumentParser
import BothyClient
import BothyContract
import BothySync
import Foundation

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
            go at once it stops and asks for --confirm, or --bring-back. “bothy why FILE” tells why something is as it is, “bothy log” \
            what was done, and “bothy undo” takes it back.

            “.bothyignore” files in the folder leave things out, in the language of “.gitignore”; --exclude, --exclude-type \
            and --max-size do so for this device alone.
            """)

    @Argument(help: "The folder here; made where it is missing.", completion: .directory)
    var directory: String

    @Argument(
        help: "The folder on the server; made where it is missing. Without it, one of the same name.",
        completion: RemoteNames.completion)
    var remote: String?

    @Flag(help: "One pass now, and start no agent; one that runs keeps every folder in step that is tied.")
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

    @Option(help: "Leave out files that end so, as iso or mp4; may be given several times.")
    var excludeType: [String] = []

    @Option(help: "Leave out files that are larger, as 100M; “off” takes it away.")
    var maxSize: SizeLimit?

    @Flag(help: "Leave out no more what --exclude and --exclude-type named before, nor for its size.")
    var noExclude = false

    @Flag(help: "Only tell what would be done, and give that plan an id.")
    var dryRun = false

    @Option(help: "Do exactly what this dry run told, or say what has changed since.")
    var plan: String?

    @Flag(help: "Do what it stopped and asked about.")
    var confirm = false

    @Flag(help: "Fetch again what was deleted here and is on the server still: where it stopped and asked, or before.")
    var bringBack = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if bringBack, watch || dryRun || plan != nil || confirm {
            throw ValidationError("--bring-back goes with none of --watch, --dry-run, --plan and --confirm.")
        }
        if watch, once || dryRun || plan != nil {
            throw ValidationError("--watch goes with none of --once, --dry-run and --plan.")
        }
        if dryRun, plan != nil { throw ValidationError("--dry-run makes a plan, --plan carries one out.") }
        if dryRun, confirm {
            throw ValidationError(
                "--dry-run changes nothing, so there is nothing to --confirm: look first, then say it.")
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
        let what = count == 1 ? "1 change that you typed waits and is" : "\(count) changes that you typed wait and are"
        output.note("\(what) sent first, which this does not look at; a plan leaves them waiting: “bothy journal”.")
    }

    /// - Parameter isSeenTo: whether the agent goes on with it.
    private func work(_ session: SyncSession, _ terms: PlanTerms, isNew: Bool, isSeenTo: Bool) async throws {
        if dryRun {
            try await session.dryRun(under: terms)
        } else if let plan {
            try await isNew ? session.carryOutFirst(plan) : session.carryOut(plan, confirmed: confirm)
        } else {
            // What this pass could not do, the agent tries again.
            if isSeenTo, isNew {
                output.note("From now on the agent keeps it in step; “bothy status” shows how it stands.")
            }
            if confirm, !isNew { try await session.confirm() }
            let returning = bringBack && !isNew ? try await session.bringBack() : Returning()
            try await session.once(returning: returning)
        }
    }

    /// What somebody else keeps is not the agent's to go on with: it would be refused that, and stay for nothing.
    private func startAgent(for binding: Binding, _ bindings: FolderBindings) async throws -> Bool {
        if bindings.isKept(binding), try await HomeAgent.launcher.client.hello() == nil { return false }
        return try await HomeAgent.goOn()
    }

    /// The agent goes on with it.
    private var isLasting: Bool { !once && !watch && !dryRun && plan == nil }

    // MARK: - The binding

    /// The directory's binding, made where it has none, and changed where it is asked for.
    private func bound(
        _ known: Binding?, _ bindings: FolderBindings, _ home: DeviceHome, _ terms: PlanTerms
    ) async throws -> (Binding, isNew: Bool) {
        guard var known else { return (try await tie(bindings, home, terms), true) }
        if let remote {
            let path = try RemoteArgument(remote).path
            // It may have been moved since it was tied.
            if path.text != known.remotePath, try await home.files.fileIfPresent(at: path)?.id != known.remoteId {
                throw Complaint(
                    .exists, "“\(known.localPath)” is in step with “\(known.remotePath)” already.",
                    remedy: "Untie it first with “bothy unsync \(directory.asTyped)”.", status: .notThereOrInConflict)
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

    /// What tying the directory would do.
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
            if !wasThere { output.note("“\(binding.localPath)” was not there, and is made.") }
            Terminal().writeError(
                TerminalText.safe(
                    "“\(binding.localPath)” and “\(binding.remotePath)” on the server are in step from now on.") + "\n")
            for other in try await bindings.sharing(with: binding) {
                output.note(
                    "“\(other.localPath)” is in step with “\(other.remotePath)”: what both have of the server is here twice."
                )
            }
        }
        return binding
    }

    /// What is asked for, where the directory is not tied yet.
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
