import BothyClient
import BothyContract
import BothyPresentation
import BothySync
import Foundation

/// One `bothy sync` at work on one binding, and what it tells.
struct SyncSession {
    private let bindings: FolderBindings
    private let binding: Binding
    private let home: DeviceHome
    private let output: OutputOptions
    private let engine: BindingEngine
    private let isNew: Bool

    init(
        _ binding: Binding, isNew: Bool, bindings: FolderBindings, home: DeviceHome, output: OutputOptions
    ) throws {
        self.bindings = bindings
        self.binding = binding
        self.home = home
        self.output = output
        self.isNew = isNew
        let device = try home.account.signedIn()?.device.name ?? "this device"
        engine = bindings.engine(for: binding, rules: BindingRules(deviceName: device))
    }

    // MARK: - What it can do

    /// - Parameter returning: where what it brings back lay.
    func once(returning: Returning = Returning()) async throws {
        // A terminal that takes no more lines ends no pass.
        try await end(try await engine.pass(tell: { decision in try? tell(decision, returning: returning) }))
    }

    /// Does what a person decided about two versions of a file, and syncs the folder.
    func decide(_ side: Choice.Side, about conflict: WatchedFolder.Conflict) async throws {
        switch try await engine.decide(side, about: conflict, tell: teller) {
        case .carriedOut(let report): try await end(report, decided: true)
        case .cannotBeMerged:
            throw Complaint(
                .held, "The two cannot be merged: they are not texts, or both changed the same lines.",
                remedy: "Keep mine, theirs or both.", status: .notThereOrInConflict)
        case .changedSince:
            let file = binding.absolute(conflict.place)
            throw Complaint(
                .held, "Nothing was decided: “\(conflict.place.text)” has changed again meanwhile.",
                remedy: "“bothy why \(file.asTyped)” shows its state; then decide.", status: .notThereOrInConflict)
        }
    }

    /// Does what a person decided about a file that stays here unsynced, and syncs the folder.
    func decide(_ choice: Choice, at place: Place) async throws {
        try await bindings.store.choose(choice, at: place, of: binding.id)
        try await end(try await engine.pass(tell: teller), decided: true)
    }

    /// Lets pass what a guard has stopped at, as it is now.
    func confirm() async throws {
        try await engine.agreeToRules()
        // Behind one that is accepted there may be another: an emptied folder is also many deletions.
        for _ in 0..<3 {
            guard let sighting = try await engine.look().plan.sighting else { return }
            try await engine.accept(sighting)
        }
    }

    /// Has the next pass fetch what was deleted here and is not on the server yet.
    ///
    /// - Returns: where that lay.
    func bringBack() async throws -> Returning {
        let returning = Returning(try await engine.lookPastGuards().plan.actions)
        if try await engine.bringBack(tell: teller) == 0 {
            output.note("No deletions here are waiting to be synced to the server.")
        }
        return returning
    }

    /// - Parameter terms: what is asked for with it; the binding has taken them.
    func dryRun(under terms: PlanTerms) async throws {
        let look = try await engine.look()
        // What a guard holds is part of the plan: a person looks at it before letting it pass.
        let past = try await look.plan.sighting == nil ? look : engine.lookPastGuards()
        let id = try await keep(KeptPlan(past.plan.actions, under: terms))
        try tellPlanned(past, passing: Set(look.plan.actions))
        if let sighting = look.plan.sighting { tell([SyncWords.words(sighting)]) }
        let isHeld = past.plan.actions.count > look.plan.actions.count
        if let changed = try await bindings.changedChoices(of: binding) {
            tell(["“\(binding.localPath)” would be synced with \(changed) from then on."])
        }
        let command =
            RemedyWords.filled("bothy sync DIR", folder: binding.localPath) + " --plan \(id)"
            + (isHeld ? " --confirm" : "")
        let words = "Plan \(id). “\(command)” does exactly this" + (isHeld ? ", including what is held back." : ".")
        let isSomething = past.plan.actions.contains { !$0.step.isBookkeeping }
        let nothing = look.plan.sighting == nil ? "There is nothing to do." : "Until then there is nothing to do."
        try output.tell(
            isSomething ? words : nothing,
            SyncPlanDocument(plan: id, past.plan, isHeld: isHeld, in: binding))
    }

    /// What linking the two would do, of a folder that is not linked.
    func tellFirst(under terms: PlanTerms) async throws {
        let look = try await engine.preview()
        let id = try await keep(KeptPlan(look.plan.actions, under: terms))
        try tellPlanned(look, passing: Set(look.plan.actions))
        let command =
            RemedyWords.filled("bothy sync DIR ", folder: binding.localPath) + binding.remotePath.asTyped
            + terms.options
        try output.tell(
            """
            Nothing was done, and the two are not linked. “\(command)” links them; with --plan \(id) only if this is still \
            what would be done.
            """,
            SyncPlanDocument(plan: id, look.plan, isHeld: false, in: binding))
    }

    private func keep(_ plan: KeptPlan) async throws -> String {
        try await bindings.store.keep(plan, of: binding.id, at: SystemTime.now())
    }

    /// - Parameter passing: what no guard holds.
    private func tellPlanned(_ look: BindingEngine.Look, passing: Set<Action>) throws {
        for action in look.plan.actions where output.json || !action.step.isBookkeeping {
            let before = action.step.remoteId.flatMap(look.placeAgreed)
            let isHeld = !passing.contains(action)
            try output.tell(
                "\(isHeld ? "held back: would" : "would") have \(action.words(movedFrom: before))",
                SyncEventDocument(planned: action, isHeld: isHeld, movedFrom: before))
        }
        let misfits = look.remote.misfits.values.sorted { $0.name < $1.name }
        tell(SyncWords.listed(look.plan, misfits: misfits, in: binding))
    }

    /// - Parameter confirmed: what a guard holds of it is confirmed.
    func carryOut(_ id: String, confirmed: Bool) async throws {
        let actions = try await planned(id)
        let look = try await engine.look()
        if !confirmed, let sighting = look.plan.sighting, look.plan.actions != actions {
            throw Complaint(
                .held, SyncWords.words(sighting) + " Nothing of the plan was done.",
                remedy: "If this is intended, add --confirm.", status: .failed)
        }
        try Self.expect(actions, try await confirmed ? engine.lookPastGuards().plan.actions : look.plan.actions)
        try await bindings.keepChoices(of: binding, output)
        if confirmed { try await confirm() }
        // A folder on the server that was made anew by that has another id.
        if look.plan.sighting == .remoteRootLost { return try await carryOut(Set(actions.map(\.step.act))) }
        try await end(try await engine.pass(only: Set(actions), tell: teller))
    }

    /// Of what is to be done now, what is one of these.
    private func carryOut(_ acts: Set<FolderAct>) async throws {
        let now = try await engine.look().plan.actions.filter { acts.contains($0.step.act) }
        try await end(try await engine.pass(only: Set(now), tell: teller))
    }

    /// Before a folder is linked: checks that this is what linking it would still do.
    func expectFirst(_ id: String) async throws {
        try Self.expect(try await planned(id), try await engine.preview().plan.actions)
    }

    /// The first pass of a folder that was linked by a plan. That was made before there were ids and marks, so it is told apart by what
    /// is done, and where.
    func carryOutFirst(_ id: String) async throws {
        let untied = FolderBindings.idBeforeTying(binding.localPath)
        try await carryOut(Set(try await bindings.store.plan(id, of: untied)?.actions.map(\.step.act) ?? []))
    }

    private func planned(_ id: String) async throws -> [Action] {
        if let plan = try await bindings.store.plan(id, of: binding.id) { return plan.actions }
        throw Complaint(
            .notThere, "There is no plan “\(id)” for “\(binding.localPath)”.", remedy: "Make one with --dry-run.",
            status: .notThereOrInConflict)
    }

    private static func expect(_ planned: [Action], _ now: [Action]) throws {
        guard now != planned else { return }
        throw Complaint(
            .planChanged, "The plan is out of date: \(SyncWords.changes(from: planned, to: now)).",
            remedy: "Run --dry-run again.", status: .notThereOrInConflict)
    }

    #if os(Linux)
        /// Seconds between two readings of the log for the whole drive, however often the folder is saved to.
        private static let restOfTheCache = 1.0

        /// Keeps the folder in sync until somebody wants it.
        func watch(_ said: SaidWhileWatching, until isAsked: @escaping @Sendable () async throws -> Void) async throws {
            let environment = ClientEnvironment.live
            let watch = BindingWatch(
                engine, watcher: try InotifyWatcher(root: binding.localPath), server: home.changes.wakeUps(),
                environment: environment)
            let (passes, passed) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await watch.run { event in
                        tell(event, said)
                        if case .passed = event { passed.yield() }
                    }
                }
                group.addTask { try await isAsked() }
                // Beside the passes: nothing that changes waits for it.
                group.addTask {
                    for await _ in passes {
                        await engine.bringCacheUp()
                        try await environment.clock.sleep(seconds: Self.restOfTheCache)
                    }
                }
                defer { group.cancelAll() }
                _ = try await group.next()
            }
            try Task.checkCancellation()
        }
    #endif

    private func tell(_ event: BindingWatch.Event, _ said: SaidWhileWatching) {
        do {
            switch event {
            case .acting: return
            case .decided(let decision): try tell(decision)
            case .waiting(let failure): Complaint(failure).print(json: output.json)
            case .passed(let report):
                // As long as it is the same, it is said once.
                if let sighting = said.new(report.plan) { complaint(sighting).print(json: output.json) }
                let waiting = SyncWords.lasting(report.plan, misfits: report.misfits, in: binding)
                tell(said.new(waiting) + [said.first(SyncWords.leftOut(report.plan))].compactMap(\.self))
            case .watching(let coverage):
                guard !output.quiet, !output.json, said.isNew(coverage) else { return }
                Terminal().writeError(SyncWords.watching(binding, coverage))
            }
        } catch {
            Terminal().writeError(TerminalText.safe("bothy: \(error)") + "\n")
        }
    }

    // MARK: - What it tells

    private var teller: @Sendable (Decision) -> Void {
        // A terminal that takes no more lines ends no pass.
        { decision in try? tell(decision) }
    }

    private func tell(_ decision: Decision, returning: Returning = Returning()) throws {
        if !decision.isTold, !output.json { return }
        if let failure = decision.trace.failure {
            return Complaint(failure, about: decision.places[0].text).print(json: output.json)
        }
        guard let words = returning.words(of: decision) else {
            return try output.tell(decision.words, SyncEventDocument(decision))
        }
        var document = SyncEventDocument(decision)
        document.words = words
        try output.tell(words, document)
    }

    private func tell(_ lines: [String]) {
        guard !output.json, !output.quiet else { return }
        for line in lines { Terminal().writeOutput(TerminalText.safe(line) + "\n") }
    }

    /// Sums a pass up, and ends the command as it deserves.
    ///
    /// - Parameter decided: a person has decided about one thing: what stands in the way of others is told, and fails nothing.
    private func end(_ report: PassReport, decided: Bool = false) async throws {
        await engine.bringCacheUp()
        tell(SyncWords.standing(report.plan, misfits: report.misfits, in: binding))
        if output.json {
            try output.print(SyncSummaryDocument(report, in: binding))
        } else {
            tell([SyncWords.summary(report)])
        }
        let status: ExitStatus = report.countOfDeeds == 0 ? .failed : .partlyDone
        if let sighting = report.plan.sighting {
            let complaint = complaint(sighting, status)
            guard decided, report.countOfDeeds > 0 else { throw complaint }
            return complaint.print(json: output.json)
        }
        guard !report.failed.isEmpty else {
            // It has been told what, and why. What no rule leaves out and is not carried is for scripts to know, too.
            if !decided, Binding.Waiting(report).unable > 0 { throw Finished(status: .partlyDone) }
            return
        }
        throw Complaint(
            .partlyDone, "\(report.failed.count) could not be synced.",
            remedy: "“bothy why FILE” explains why; the next pass tries again.", status: status)
    }

    private func complaint(_ sighting: Guard.Sighting, _ status: ExitStatus = .failed) -> Complaint {
        Complaint(.held, SyncWords.stopped(sighting), remedy: SyncWords.remedy(sighting, binding), status: status)
    }
}
