import BothyClient
import BothyContract
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

    func once() async throws {
        try end(try await engine.pass(tell: teller))
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

    func dryRun() async throws {
        let look = try await engine.look()
        let id = SyncPlanId.of(look.plan.actions)
        try await bindings.store.keep(look.plan.actions, as: id, of: binding.id, at: SystemTime.now())
        try tellPlanned(look)
        if let sighting = look.plan.sighting { tell([SyncWords.words(sighting)]) }
        let deeds = look.plan.actions.filter { !$0.step.isBookkeeping }
        try output.tell(
            deeds.isEmpty
                ? "There is nothing to do."
                : "Plan \(id). “bothy sync \(binding.localPath) --plan \(id)” does exactly this.",
            SyncPlanDocument(plan: id, actions: look.plan.actions.count))
    }

    /// What tying the two would do, of a folder that is not tied.
    func tellFirst() async throws {
        let look = try await engine.preview()
        try tellPlanned(look)
        let command = "“bothy sync \(binding.localPath) \(binding.remotePath)”"
        try output.tell(
            "Nothing was done, and the two are not tied. \(command) ties them.",
            SyncPlanDocument(plan: nil, actions: look.plan.actions.count))
    }

    private func tellPlanned(_ look: BindingEngine.Look) throws {
        for action in look.plan.actions where output.json || !action.step.isBookkeeping {
            try output.tell(
                "would have \(action.step.words): \(action.reason.words)", SyncEventDocument(planned: action))
        }
        tell(SyncWords.standing(look.plan, misfits: look.remote.misfits.values.sorted { $0.name < $1.name }))
    }

    func carryOut(_ id: String) async throws {
        guard let actions = try await bindings.store.plan(id, of: binding.id) else {
            throw Complaint(
                .notThere, "There is no plan “\(id)” for “\(binding.localPath)”.", remedy: "Make one with --dry-run.",
                status: .notThereOrInConflict)
        }
        let now = try await engine.look().plan.actions
        guard now == actions else {
            let changes = SyncWords.changes(from: actions, to: now)
            throw Complaint(
                .planChanged, "This is no longer what would be done: \(changes).",
                remedy: "Look again with --dry-run.", status: .notThereOrInConflict)
        }
        try end(try await engine.pass(only: Set(actions), tell: teller))
    }

    func watch() async throws {
        #if os(Linux)
            let watcher = try InotifyWatcher(root: binding.localPath)
            let watch = BindingWatch(engine, watcher: watcher, server: home.changes.wakeUps(), environment: .live)
            try await watch.run { event in
                do {
                    try tell(event)
                } catch {
                    Terminal().writeError("bothy: \(error)\n")
                }
            }
        #else
            throw Complaint(
                .wrongUsage, "--watch works on Linux alone so far.", remedy: "Use --once.", status: .wrongUsage)
        #endif
    }

    // MARK: - What it tells

    private var teller: @Sendable (Decision) -> Void {
        { decision in try? tell(decision) }
    }

    private func tell(_ decision: Decision) throws {
        if !decision.isTold, !output.json { return }
        if let failure = decision.trace.failure {
            return Complaint(failure, about: decision.places[0].text).print(json: output.json)
        }
        try output.tell(decision.words, SyncEventDocument(decision))
    }

    private func tell(_ event: BindingWatch.Event) throws {
        switch event {
        case .decided(let decision): try tell(decision)
        case .waiting(let failure): Complaint(failure).print(json: output.json)
        case .passed(let report):
            if let sighting = report.plan.sighting { complaint(sighting).print(json: output.json) }
        case .watching(let coverage):
            guard !output.quiet, !output.json else { return }
            Terminal().writeError(SyncWords.watching(binding, coverage))
        }
    }

    private func tell(_ lines: [String]) {
        guard !output.json, !output.quiet else { return }
        for line in lines { Terminal().writeOutput(TerminalText.safe(line) + "\n") }
    }

    /// Sums a pass up, and ends the command as it deserves.
    private func end(_ report: PassReport) throws {
        tell(SyncWords.standing(report.plan, misfits: report.misfits))
        if output.json {
            try output.print(SyncSummaryDocument(report))
        } else {
            tell([SyncWords.summary(report)])
        }
        if let sighting = report.plan.sighting { throw complaint(sighting) }
        guard !report.failed.isEmpty else { return }
        throw Complaint(
            .partlyDone, "\(report.failed.count) could not be brought in step.",
            remedy: "“bothy why FILE” tells more; the next pass tries again.",
            status: report.deeds.isEmpty ? .failed : .partlyDone)
    }

    private func complaint(_ sighting: Guard.Sighting) -> Complaint {
        Complaint(
            .held, SyncWords.words(sighting) + " Nothing of it was done.",
            remedy: SyncWords.remedy(sighting, binding), status: .failed)
    }
}
