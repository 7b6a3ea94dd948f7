import BothyClient
import BothyContract

/// Keeps one binding in sync: looks at both sides, plans, and takes one action after the other, each written down
/// before the next. A crash anywhere is answered by planning again.
package actor BindingEngine {
    var binding: Binding
    let disk: any FolderDisk
    let cache: any RemoteCache
    let store: BindingStore
    let environment: SyncEnvironment
    var performer: ActionPerformer
    /// What a guard saw and a person confirmed.
    var confirmed = Set<Guard.Sighting>()
    let rules: BindingRules
    let queues: DiskQueues
    /// Transfers that go on side by side; 1 takes strictly one action at a time.
    let width: Int
    /// What the last look saw; nil where the next one has to look at everything.
    var sight: Sight?
    /// The folder as it was last seen, where that is kept alone: so that what has not changed since is not read again.
    var lastLocal: LocalTree?
    /// What is known of folders in it beside what a look tells, as of the last look at everything.
    var knownFolders = KnownFolders()
    /// Whether the folder is on another disk than the one whose traits were written down, and its own was not tried out yet.
    var isOnNewDisk = false
    /// What is taken of a disk that cannot be tried out now, where nothing was written down of it.
    var cautiousTraits: DiskTraits?
    /// What has changed here since, as far as anybody told.
    var untold = Sight.Untold()
    /// Folders that a look found, and nobody has begun to watch yet.
    var found = FoldersToWatch.new([])
    /// How often each file was sent lately.
    var pace = SavePace()
    /// How what was deleted on either side waits for more; nil where it goes at once.
    var lulls: DeletionLulls?
    /// What this pass's own actions have made of files on the server, as it said itself; nil where it has to be asked what it is like now.
    var answered: [String: File]?
    /// As of when the last look's server side was.
    var cursor: String?
    /// What goes on beside the passes,
    var long = LongTransfers()
    /// and who is told when one of it has come to its end; nil where nothing does.
    var wakeAfterTransfer: (@Sendable () -> Void)?
    /// What this folder has heard and done, and is not known of the whole drive yet.
    var cacheLack = CacheLack.nothing

    /// Plans in one pass: each round meets what changed here while the one before was carried out. The server is asked again where
    /// its answers to this pass do not tell all.
    static let mostRounds = 10
    /// Side by side, small files share requests and commits; how many bytes are under way is the transfers' to decide.
    package static let usualWidth = 64
    /// Files that are put in their places at the same time: each of them waits for the disk twice.
    private static let syncsSideBySide = 16

    package init(
        _ binding: Binding, disk: any FolderDisk, drive: any DriveProvider, cache: any RemoteCache,
        store: BindingStore, rules: BindingRules, environment: SyncEnvironment, width: Int = usualWidth,
        queues: DiskQueues = DiskQueues("folder", count: syncsSideBySide)
    ) {
        self.binding = binding
        self.disk = disk
        self.cache = cache
        self.store = store
        self.rules = rules
        self.environment = environment
        self.width = width
        self.queues = queues
        performer = ActionPerformer(
            binding: binding, disk: disk, drive: drive, store: store, environment: environment, queues: queues)
    }

    // MARK: - What a look stands on

    /// A cache that began anew knows nothing of what is absent: the two sides are linked again.
    func noticeLink(_ link: Int64) async throws {
        guard binding.link != link else { return }
        if binding.link != nil { binding.isLinking = true }
        binding.link = link
        try await store.write(.link, of: binding)
    }

    /// What the server remembers as deleted, and what lies in its trash: asked for only while linking.
    ///
    /// - Parameter remote: what is below the bound folder.
    func memory(beside remote: RemoteTree) async throws -> DeletionMemory {
        let drive = performer.drive
        var deletions = [Deletion]()
        var next: String?
        repeat {
            guard drive.capabilities.contains(.deletionMemory), !cache.isCutOff else { break }
            let page = try await drive.deletions(since: nil, page: next)
            deletions += page.deletions
            guard page.pagination.next != next else { break }
            next = page.pagination.next
        } while next != nil
        var memory = DeletionMemory(deletions, below: binding.remotePath)
        memory.remember(trashed: try await cache.trashed(), in: remote)
        return memory
    }

    func policy() async throws -> SyncPolicy {
        var policy = SyncPolicy(
            deletions: binding.deletions, conflicts: binding.conflicts, isLinking: binding.isLinking,
            deviceName: rules.deviceName, day: environment.day(), disk: knownTraits,
            choices: try await store.choices(of: binding.id))
        policy.conflictsBelow = try await cache.conflictPolicies()
        policy.conflictsBelow[binding.remoteId] = nil
        for id in try await store.reopened(of: binding.id) { policy.conflictsBelow[id] = .ask }
        return policy
    }

    /// What the disk is like, as far as was found out; nothing is planned where it was not.
    var knownTraits: DiskTraits { rules.disk ?? binding.disk ?? cautiousTraits ?? .exact }

    /// Found out once on each disk, and written down with the binding; see ``DiskTraits/untried(known:because:)`` for where it cannot be.
    ///
    /// - Parameter root: nothing is found out in what stands in the folder's place, and nothing is planned in it.
    /// - Throws: what else the probe failed with, where nothing was known: it is made again in the next pass.
    func diskTraits(of root: Guard.LocalRoot) async throws -> DiskTraits {
        guard root == .same, rules.disk == nil, binding.disk == nil || isOnNewDisk else { return knownTraits }
        let measured: DiskTraits
        do {
            measured = try await performer.onDisk { try DiskProbe.traits(of: $0) }
        } catch let failure as ClientFailure {
            let traits = try DiskTraits.untried(known: binding.disk, because: failure)
            if binding.disk == nil { cautiousTraits = traits }
            return knownTraits
        }
        binding.disk = measured
        isOnNewDisk = false
        cautiousTraits = nil
        try await store.write(.disk, .diskNumber, of: binding)
        return knownTraits
    }

    // MARK: - A pass

    /// Plans and acts until there is nothing left that can be done now.
    ///
    /// - Parameters:
    ///   - news: what has changed here since the last pass, as far as anybody told. What changed on the server is asked.
    ///   - seesAll: false where changes in some folders are told by nobody: what went from a folder that is watched may be there.
    ///   - only: the actions of a dry run: nothing else is done.
    ///   - patiently: what was deleted waits until nothing more is: for a caller that comes back after ``secondsToQuiet()``.
    ///   - begins: something is about to be done.
    package func pass(
        _ news: FolderNews = .everything, seesAll: Bool = true, only: Set<Action>? = nil, patiently: Bool = false,
        tell: @escaping @Sendable (Decision) -> Void = { _ in }, begins: @escaping @Sendable () -> Void = {}
    ) async throws -> PassReport {
        untold.take(news)
        lulls = patiently ? lulls ?? DeletionLulls() : nil
        answered = nil
        var course = PassCourse(seesAll: seesAll, only: only, isPatient: patiently, tell: tell, begins: begins)
        do {
            for number in 0..<Self.mostRounds {
                guard try await round(number, of: &course) else { break }
            }
            for decision in course.report.surprised { try await tellAsFailed(decision, &course.report, tell) }
            try await end(course.journal, course.report)
        } catch {
            // What ended the pass is told; a journal that cannot be written is the next pass's to end.
            try? await fail(course.journal, error)
            // Work on the disk that was given up says so in its own way.
            try Task.checkCancellation()
            throw error
        }
        course.report.passId = course.journal?.id
        return course.report
    }

    /// What a pass was asked for, and how far it has come.
    private struct PassCourse {
        let seesAll: Bool
        let only: Set<Action>?
        let isPatient: Bool
        let tell: @Sendable (Decision) -> Void
        let begins: @Sendable () -> Void
        var report = PassReport()
        /// Nil until something is done.
        var journal: SyncPass?
    }

    /// Looks, plans, and does what can be done of that now.
    ///
    /// - Returns: whether there may be more to do.
    private func round(_ number: Int, of course: inout PassCourse) async throws -> Bool {
        var look = try await lookOn()
        course.report.surprised = []
        await letGoOfTransfers(but: look.plan)
        // In each round: what a slow network still carried may have arrived since the one before.
        if let settled = try await settleUnanswered(in: &look.sight, look.plan, during: course.journal) {
            course.report.taken += settled
            settled.forEach(course.tell)
            keep(look)
            return true
        }
        if look.sight.review.heeded != look.heeded {
            try await store.heed(look.sight.review.heeded, of: binding.id)
        }
        try await noteMounts(look)
        if number > 0 || !course.seesAll, !look.isWhole, look.plan.actions.contains(where: { $0.step.isDeletionThere })
        {
            // What went while the pass was under way may be in a folder of which nobody has told it yet.
            lookAtEverything(after: look)
            return true
        }
        try await noteHeld(look.plan)
        lulls = look.plan.lulls
        course.report.plan = look.plan
        course.report.misfits = look.remote.misfits.values.sorted { $0.name < $1.name }
        if look.isWhole, course.journal == nil, number < 2 { try await sweep(look) }
        return try await act(on: &look, of: &course)
    }

    /// - Returns: whether there may be more to do.
    private func act(on look: inout Look, of course: inout PassCourse) async throws -> Bool {
        var actions = look.plan.actions.filter {
            !course.report.isRefused($0) && !course.report.isInUnmade($0) && course.only?.contains($0) ?? true
        }
        let (all, apart) = (actions, setApart(&actions, patiently: course.isPatient))
        note(apart, in: &course.report)
        do {
            try await begin(apart, of: all, in: look, begins: course.begins)
        } catch let failure as ClientFailure where failure.asksForAnotherLook {
            lookAtEverything(after: look)
            return true
        }
        if actions.isEmpty, apart.isEmpty, course.only == nil, binding.isLinking, look.plan.sighting == nil,
            look.plan.inUse.isEmpty
        {
            actions = look.plan.unmet
        }
        if !actions.isEmpty {
            lastLocal = look.local
            if course.journal == nil { course.begins() }
            let pass = try await begun(&course.journal, look)
            try await take(actions, in: &look.sight, pass, &course.report, course.tell)
            // A caller that goes on to wait for what is new waits from behind its own changes.
            if course.isPatient, answered?.isEmpty == false { answered = nil }
        }
        keep(look)
        return !actions.isEmpty
    }

    private func lookAtEverything(after look: Look) {
        keep(look)
        untold.isEverything = true
    }

    /// Written down before anything is done: whatever ends this pass, the next one holds it too.
    private func noteHeld(_ plan: Plan) async throws {
        guard binding.waits.held != plan.held else { return }
        binding.waits.held = plan.held
        try await store.write(.outcome, of: binding)
    }

    private func begun(_ journal: inout SyncPass?, _ look: Look) async throws -> SyncPass {
        if let journal { return journal }
        // Where more would go by now than was confirmed, nothing goes, and nothing is forgotten.
        let covered = Set(confirmed.compactMap(\.tallied)).subtracting(look.plan.held)
        let pass = try await store.beginPass(
            of: binding.id, at: environment.clock.now(), lived: look.scene.lived, isConfirmed: !confirmed.isEmpty,
            covering: covered)
        journal = pass
        return pass
    }

    private func end(_ journal: SyncPass?, _ report: PassReport) async throws {
        if let journal {
            try await store.endPass(journal, at: environment.clock.now())
            try await store.pruneRequests(binding: binding.id)
        }
        // What was confirmed was confirmed for this once.
        confirmed = []
        let settled = report.plan.sighting == nil && report.plan.actions.allSatisfy(report.isRefused)
        let before = binding
        if settled, report.plan.inUse.isEmpty { binding.isLinking = false }
        binding.failure = nil
        // What a guard says of what goes now is not known yet: what it said of the rest holds.
        if !report.plan.waitsForMore {
            binding.waits = Binding.Waiting(report)
            if !binding.waits.isThrough { binding.waits.inStepBefore = before.inStepAt }
        }
        // A pass in which nothing happened writes nothing but once a minute.
        let isWorthIt = before != binding || journal != nil || isStale(before.passedAt)
        guard isWorthIt else { return }
        binding.passedAt = environment.clock.now()
        try await store.write(.link, .outcome, of: binding)
    }

    private func isStale(_ moment: Timestamp?) -> Bool {
        guard let moment else { return true }
        return abs(environment.clock.now().seconds(since: moment)) >= 60
    }

    private func fail(_ journal: SyncPass?, _ error: any Error) async throws {
        if let journal { try await store.endPass(journal, at: environment.clock.now()) }
        guard let failure = error as? ClientFailure, failure.code != .canceled, binding.failure != failure else {
            return
        }
        binding.failure = failure
        try await store.write(.outcome, of: binding)
    }
}
