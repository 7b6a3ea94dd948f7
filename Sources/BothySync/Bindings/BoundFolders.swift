import BothyClient
import BothyContract

/// The synced folders of a home, as screens look at them and act on them.
package struct BoundFolders: FoldersInStep {
    let home: DeviceHome
    let bindings: FolderBindings
    let keeping: FolderKeeping
    private let clock: any ClientClock
    private let way: @Sendable () async -> HomeStanding.Way

    /// Seconds between two looks.
    private static let interval = 1.0
    /// Of one pass, deeds that are told, and decisions that are read to find them.
    private static let mostDeeds = 10
    private static let mostDecisions = 200

    /// - Parameter way: how the way to the server stands.
    package init(
        home: DeviceHome, keeping: FolderKeeping, clock: any ClientClock,
        way: @escaping @Sendable () async -> HomeStanding.Way
    ) {
        self.home = home
        self.keeping = keeping
        self.clock = clock
        self.way = way
        bindings = FolderBindings(home: home)
    }

    // MARK: - Looking

    package func looks() -> AsyncThrowingStream<[FolderInStep], any Error> {
        Watched.stream(every: Self.interval, by: clock) { try await all() }
    }

    package func all() async throws -> [FolderInStep] {
        let way = await way()
        var folders = [FolderInStep]()
        for binding in try await bindings.all().sorted(by: { $0.localPath < $1.localPath }) {
            folders.append(Self.asFarAsHeard(folder(binding, await keeping.watched(binding.id)), way))
        }
        return folders
    }

    package func content(of file: String, revision: String) async throws -> String? {
        try await bindings.localContent(of: file, revision: revision)
    }

    /// A folder counts as synced only while the server can confirm that. While it is away, the folder was synced as of the last answer.
    private static func asFarAsHeard(_ folder: FolderInStep, _ way: HomeStanding.Way) -> FolderInStep {
        guard folder.state == .inStep, let failure = way.failure else { return folder }
        var folder = folder
        folder.state = .waiting(failure)
        folder.inStepAt = way.since ?? folder.inStepAt
        return folder
    }

    private func folder(_ binding: Binding, _ watched: WatchedFolder?) -> FolderInStep {
        FolderInStep(
            id: binding.id, localPath: binding.localPath, remotePath: binding.remotePath,
            state: Self.state(binding, watched), unwatchedFolders: watched?.unwatched ?? 0, inStepAt: binding.inStepAt,
            waitingConflicts: binding.waits.conflicts, keepsWhatIsDeletedElsewhere: binding.deletions == .documents,
            conflicts: binding.conflicts,
            exclude: binding.leavesOut.rules)
    }

    private static func state(_ binding: Binding, _ watched: WatchedFolder?) -> FolderInStep.State {
        switch watched?.state {
        case nil: binding.failure.map { .waiting($0) } ?? .unwatched
        // The watch has begun, and the first pass may send for hours before it tells anything.
        case .looking?: binding.failure.map { .waiting($0) } ?? .working
        case .inStep?: .inStep
        case .working?: .working
        case .waiting(let failure)?: .waiting(failure)
        case .held(let sighting)?: .held(GuardSaw(sighting))
        case .partly(let failed)?: .partly(failed: failed)
        case .lacking(let count)?: .lacking(count)
        }
    }

    // MARK: - Guards

    package func letPass(_ folder: FolderInStep.ID, _ saw: GuardSaw) async throws {
        try await seeTo(folder) { engine, binding in
            guard let sighting = try await engine.look().plan.sighting else { return }
            guard sighting.isCovered(by: saw) else {
                throw ClientFailure(
                    .changedMeanwhile, "“\(binding.localPath)” is now held back for another reason: \(sighting.words).",
                    remedy: "Check it again, then decide.")
            }
            try await engine.accept(sighting)
        }
    }

    package func bringBack(_ folder: FolderInStep.ID) async throws {
        try await seeTo(folder) { engine, _ in _ = try await engine.bringBack() }
    }

    /// Does what a person said about a folder, which nobody else keeps meanwhile, and syncs it.
    private func seeTo(
        _ folder: FolderInStep.ID, _ act: @Sendable (BindingEngine, Binding) async throws -> Void
    ) async throws {
        let binding = try await find(folder)
        try await keeping.borrowing(binding.id) { conflicts in
            let loan = try await bindings.borrow(binding)
            defer { withExtendedLifetime(loan) {} }
            let engine = try engine(binding)
            try await act(engine, binding)
            conflicts = try await engine.pass().plan.conflicts
        }
    }

    package func lookAgain(_ folder: FolderInStep.ID) async throws {
        let binding = try await find(folder)
        // The watch begins with a full scan.
        try await keeping.borrowing(binding.id) { _ in }
    }

    package func untie(_ folder: FolderInStep.ID) async throws {
        let binding = try await find(folder)
        try await keeping.borrowing(binding.id) { _ in try await bindings.untie(binding, keepingTrash: true) }
    }

    private func find(_ id: String) async throws -> Binding {
        guard let binding = try await bindings.store.find(id) else {
            throw ClientFailure(.notFound, "This folder is no longer synced.")
        }
        return binding
    }

    func engine(_ binding: Binding, cache: LastKnownCache? = nil) throws -> BindingEngine {
        let device = try home.account.signedIn()?.device.name ?? "this device"
        return bindings.engine(for: binding, rules: BindingRules(deviceName: device), cache: cache)
    }

    // MARK: - What was done

    package func passes(most: Int) async throws -> [FolderPass] {
        var found = [FolderPass]()
        for pass in try await bindings.store.passes(of: nil, limit: most) {
            let decisions = try await bindings.store.decisions(of: pass.id, most: Self.mostDecisions)
            let told = decisions.filter(\.isTold)
            guard !told.isEmpty else { continue }
            found.append(
                FolderPass(
                    id: pass.id, folder: pass.bindingId, at: pass.startedAt,
                    deeds: told.prefix(Self.mostDeeds).map { FolderDeed($0) },
                    hasMore: told.count > Self.mostDeeds || decisions.count == Self.mostDecisions,
                    isTakenBack: pass.undoneBy != nil && !pass.isUndoneInPart, takesBack: pass.undoes != nil))
        }
        return found
    }

    package func takeBack(_ id: FolderPass.ID) async throws -> Int {
        guard let pass = try await bindings.store.pass(id), pass.undoneBy == nil || pass.isUndoneInPart else {
            throw Self.takenBackAlready
        }
        return try await takeBack(pass)
    }

    /// - Parameter conflict: that alone, by the first decision about it.
    private func takeBack(_ pass: SyncPass, conflict: Int64? = nil) async throws -> Int {
        let binding = try await find(pass.bindingId)
        return try await keeping.borrowing(binding.id) { _ in
            let loan = try await bindings.borrow(binding)
            defer { withExtendedLifetime(loan) {} }
            return try await engine(binding).undo(pass, conflict: conflict).failed.count
        }
    }

    private static let takenBackAlready = ClientFailure(
        .notFound, "This no longer exists, or was already undone.")

    // MARK: - What was decided

    package func decided(most: Int) async throws -> [FolderDecision] {
        try await bindings.decided(most: most).map { binding, conflict in
            FolderDecision(
                id: conflict.number.description, path: binding.absolute(conflict.place),
                deed: FolderDeed(conflict.decision))
        }
    }

    package func takeBack(decision id: FolderDecision.ID) async throws -> Int {
        guard let number = PassConflict.Number(id), let pass = try await bindings.store.pass(number.pass),
            pass.undoneBy == nil, pass.undoes == nil,
            let conflict = try await bindings.conflicts(decidedBy: pass).first(where: { $0.number == number }),
            try await !bindings.isTakenBack(conflict)
        else { throw Self.takenBackAlready }
        return try await takeBack(pass, conflict: conflict.id)
    }

    // MARK: - Why

    package func why(_ path: String) async throws -> PlaceExplanation {
        guard let (binding, place) = try await bindings.binding(holding: path) else {
            return PlaceExplanation(path: path, state: .outside, cause: .outside)
        }
        let cache = LastKnownCache(home.replica)
        // Screens are shown by what keeps it.
        let explanation = try await bindings.explain(place, in: binding, by: cache, isKept: true)
        return PlaceExplanation(explanation, at: binding.absolute(place), isLastKnown: cache.offline != nil)
    }
}

extension Surroundings {
    /// - Parameter id: the file's on the server, where it has one.
    package init(
        ofFileAt path: String, withId id: String?, on home: DeviceHome, offline: ClientFailure?
    ) async throws {
        let transfer = try await home.transfers.list().first { $0.localPath == path }?.state
        var operation: JournalOperation.State?
        if let id, let luid = try await home.replica.luid(ofServerId: id) {
            operation = try await home.replica.operations().first { $0.subject == luid }?.state
        }
        self.init(
            pause: try await home.settings.pause(), rest: try await home.rest(), offline: offline,
            transfer: transfer, operation: operation)
    }
}

// MARK: - In a screen's terms

extension GuardSaw {
    package init(_ sighting: Guard.Sighting) {
        self =
            switch sighting {
            case .manyDeletions(let direction, let tally, let other):
                .manyDeletions(
                    direction == .here ? .here : .onTheServer, planned: tally.planned, overwritten: tally.overwritten,
                    emptied: tally.emptied, lately: tally.lately, known: tally.known, other: other.map(Tally.init))
            case .rootVanished: .folderVanished
            case .rootUnmounted: .folderUnmounted
            case .rootReplaced: .folderReplaced
            case .rootEmptied: .folderEmptied
            case .remoteRootLost: .remoteFolderLost
            case .linkTakenBack: .tyingTakenBack
            }
    }
}

extension GuardSaw.Tally {
    fileprivate init(_ tally: Guard.Tally) {
        self.init(
            planned: tally.planned, overwritten: tally.overwritten, emptied: tally.emptied, lately: tally.lately,
            known: tally.known)
    }
}

extension Guard.Sighting {
    /// A person who saw that has seen this: as much of the same goes, or less.
    package func isCovered(by saw: GuardSaw) -> Bool {
        let now = GuardSaw(self)
        guard !now.sides.isEmpty else { return now == saw }
        return now.sides.allSatisfy { side, goes in
            // A word about what is overwritten is none about what is deleted.
            saw.sides.contains {
                $0.side == side && goes.planned <= $0.tally.planned && goes.lost <= $0.tally.lost
                    && goes.deleted <= $0.tally.deleted
            }
        }
    }
}

extension FolderDeed {
    init(_ decision: Decision) {
        self.init(
            id: decision.id, at: decision.at, act: decision.act, reason: decision.action.reason,
            failure: decision.trace.failure)
    }
}

extension PlaceExplanation {
    fileprivate init(_ explanation: Explanation, at path: String, isLastKnown: Bool) {
        self.init(
            path: path, state: State(rawValue: explanation.state.rawValue) ?? .unknown,
            cause: PlaceCause(explanation),
            here: explanation.here.map {
                Side(isFolder: $0.kind == .folder, size: $0.stamp.size, modifiedAt: $0.stamp.modifiedAt)
            },
            onTheServer: explanation.onTheServer.map {
                Side(isFolder: $0.kind == .folder, size: $0.size, modifiedAt: $0.modifiedAt)
            },
            agreed: explanation.agreed.map {
                Side(isFolder: $0.kind == .folder, size: $0.size, modifiedAt: $0.remoteModifiedAt)
            },
            deeds: explanation.decisions.map { FolderDeed($0) }, isLastKnown: isLastKnown)
    }
}

extension PlaceCause {
    package init(_ explanation: Explanation) {
        self.init(explanation.cause)
        if case .held(.placeTaken) = self, let kind = explanation.standsThere {
            self = .placeTaken(by: HoldReason(kind))
        }
        if self == .conflict, explanation.isOfTwoNewFiles { self = .conflictOfNewFiles }
        if let below = explanation.below {
            self = .below(count: below.count, place: below.place.text, self)
        } else if let above = explanation.above {
            self = .above(place: above.text, self)
        }
        if let now = explanation.now { self = .elsewhere(place: now.text, self) }
    }

    package init(_ cause: ExplainedCause) {
        self =
            switch cause {
            case .item(let cause): PlaceCause(cause)
            case .failed(let failure): .failed(failure)
            case .devicePaused(let pause): .devicePaused(until: pause.until)
            case .deviceRests(let rest): .deviceRests(rest)
            case .nobodyAtWork: .nobodyAtWork
            case .offline(let failure): .offline(failure)
            case .refused(let failure): .refused(failure)
            case .transfer(let state): .transfer(state)
            case .operation(let state): .operation(state)
            }
    }

    private init(_ cause: ItemStatus.Cause) {
        self =
            switch cause {
            case .atRest: .atRest
            case .planned(let reason): .planned(reason)
            case .along(let folder, let reason): .along(place: folder.text, reason)
            case .conflict: .conflict
            case .unsynced(let reason): .unsynced(reason)
            case .leftOut(let rule, let source): .leftOut(rule: rule, source: source)
            case .held(let reason): .held(reason)
            case .guarded(let sighting): .guarded(GuardSaw(sighting))
            case .gone(let reason): .gone(reason)
            case .moved(let place): .moved(to: place.description)
            case .own: .own
            case .unknown: .unknown
            case .onTheServer: .onTheServer
            case .outside: .outside
            }
    }
}
