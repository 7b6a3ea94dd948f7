import BothyClient
import BothyContract
import BothySync

/// Makes the engine that people use, over a device's disk and network, with a database in memory that outlives it.
///
/// Unchecked because a world awaits one thing at a time: nothing here is ever touched by two.
package final class FolderSyncMaker: EngineMaker, @unchecked Sendable {
    private var databases: [Int: ClientDatabase] = [:]
    private var caches: [Int: ListedDrive] = [:]
    private var nextId = 0

    /// One of those that are told waits with deletions until nothing more is deleted, as a watch does.
    package static let patientDevice = 3

    /// How a world's trace words what is done, and why.
    package typealias Wording = @Sendable (FolderAct, DeedReason) -> String
    private let wording: Wording

    package init(wording: @escaping Wording = { act, reason in "\(act.kind) \(act.place): \(reason)" }) {
        self.wording = wording
    }

    package func engine(for device: SimulatedDevice) async throws -> any DeviceEngine {
        let database = try databases[device.index] ?? ClientDatabase.inMemory()
        databases[device.index] = database
        // A crash keeps what is committed at that instant; what the engine still writes then is never seen again.
        device.atCrash["folder"] = { [unowned self] in
            if let survivor = try? database.copyInMemory() { databases[device.index] = survivor }
        }
        let store = BindingStore(database: database)
        let binding: Binding
        if let bound = try await store.all().first {
            binding = bound
        } else {
            binding = try await bind(device, store)
        }
        let engine = BindingEngine(
            binding, disk: device.disk, drive: device.drive, cache: cache(of: device), store: store,
            rules: rules(of: device), environment: environment(of: device), width: 1, queues: .inline)
        // Every other device is told what changed on its disk, the others look at everything each time.
        let watcher = device.index.isMultiple(of: 2) ? nil : SimulatedWatcher(device.disk)
        return FolderSyncEngine(
            engine: engine, store: store, watcher: watcher, cache: cache(of: device), disk: traits(of: device),
            isPatient: device.index == Self.patientDevice, wording: wording)
    }

    /// What a device knows of the drive outlives its crashes, as its database does.
    private func cache(of device: SimulatedDevice) -> ListedDrive {
        let cache = caches[device.index] ?? ListedDrive(device.drive)
        caches[device.index] = cache
        return cache
    }

    private func bind(_ device: SimulatedDevice, _ store: BindingStore) async throws -> Binding {
        let mark = "binding-of-\(device.name)"
        try device.disk.claim(mark: mark)
        guard let root = try device.disk.root() else {
            throw ClientFailure(.fileMissing, "The folder of \(device.name) is not there.")
        }
        let binding = Binding(
            id: mark, localPath: device.disk.place, remoteId: File.rootId, remotePath: "/", accountId: "simulated#1",
            mark: mark, root: root.stamp, deletions: device.shape.deletions,
            conflicts: device.shape.conflicts, exclude: [],
            createdAt: device.clock.now())
        try await store.save(binding)
        return binding
    }

    private func environment(of device: SimulatedDevice) -> SyncEnvironment {
        SyncEnvironment(
            clock: device.clock,
            newId: { [unowned self] in
                nextId += 1
                return "\(device.name)-\(nextId)"
            },
            day: { String(device.clock.now().rfc3339.prefix(10)) }, chance: { 0.5 })
    }

    private func rules(of device: SimulatedDevice) -> BindingRules {
        BindingRules(deviceName: device.name, disk: traits(of: device))
    }

    private func traits(of device: SimulatedDevice) -> DiskTraits {
        let disk = device.shape.disk
        var traits: DiskTraits =
            switch disk.naming {
            case .exact: .exact
            case .caseInsensitive: DiskTraits(spelling: .insensitive, tellsCaseApart: false)
            case .decomposing: DiskTraits(spelling: .decomposed)
            }
        (traits.timeGranularity, traits.keepsExecutable) = (disk.timeGranularity, disk.keepsExecutable)
        (traits.keepsInodes, traits.tellsBirth) = (disk.keepsInodes, disk.tellsBirth)
        return traits
    }
}

/// The binding's engine as a world runs it.
final class FolderSyncEngine: DeviceEngine {
    private let engine: BindingEngine
    private let store: BindingStore
    private let watcher: SimulatedWatcher?
    private let cache: ListedDrive
    private let disk: DiskTraits
    private let isPatient: Bool
    private let wording: FolderSyncMaker.Wording
    private var standing: [Place: Standing] = [:]

    init(
        engine: BindingEngine, store: BindingStore, watcher: SimulatedWatcher?, cache: ListedDrive, disk: DiskTraits,
        isPatient: Bool, wording: @escaping FolderSyncMaker.Wording
    ) {
        self.disk = disk
        self.isPatient = isPatient
        self.wording = wording
        self.engine = engine
        self.cache = cache
        self.store = store
        self.watcher = watcher
    }

    private var news: FolderNews { watcher?.news() ?? .everything }

    func pass(confirming: Bool, told: @escaping @Sendable (String) -> Void) async throws -> PassEnd {
        let tell: @Sendable (Decision) -> Void = { [wording] decision in
            let failed = decision.trace.failure.map { " (\($0))" } ?? ""
            told(wording(decision.action.step.act, decision.action.reason) + failed)
        }
        // A watching device's replica reads the log along, as the agent's does; what its engine looks at it asks itself.
        let link = watcher == nil ? nil : try? await cache.pull().link
        var report = try await engine.pass(news, patiently: isPatient, tell: tell)
        var done = report.taken.count
        if confirming, let sighting = report.plan.sighting {
            try await engine.accept(sighting)
            report = try await engine.pass(news, patiently: isPatient, tell: tell)
            done += report.taken.count
        }
        // As a device that goes away after a pass: the log continues from the cursor that this leaves.
        _ = try await cache.takeOwnChanges()
        // This watcher watches each folder as soon as it is there.
        if watcher != nil { _ = await engine.toWatch() }
        standing = report.plan.standing
        if let first = report.plan.actions.first { told("has yet to do: \(wording(first.step.act, first.reason))") }
        let waits = report.plan.sighting != nil || report.plan.waitsForMore
        // What a program holds up is known all the same, and so is all else.
        let inUse = report.failed.filter { $0.trace.failure?.code == .fileInUse }.flatMap(\.action.step.places)
        let left = report.plan.actions.count { !inUse.contains($0.step.places[0]) } + (waits ? 1 : 0)
        let isLinked = try await store.all().allSatisfy { !$0.isLinking && (watcher == nil || $0.link == link) }
        let kept = (standing.filter(\.value.isByRule).keys + inUse).map { "/\($0.text)" }
        return PassEnd(done: done, left: left, isLinked: isLinked, kept: kept)
    }

    func decide(_ thing: Int, _ choice: Int) async throws -> Decided? {
        let waiting = standing.filter { $0.value.waitsForAPerson }.sorted { $0.key < $1.key }
        guard let one = Names.pick(thing, of: waiting), let binding = try await store.all().first else { return nil }
        let (decision, contents) = one.value.decided(choice)
        try await store.choose(decision, at: one.key, of: binding.id)
        return Decided(path: "/\(one.key.text)", contents: contents, words: "\(decision)")
    }

    func keptApart() async throws -> [KeptApart] {
        guard !standing.isEmpty else { return [] }
        let look = try await engine.look()
        let alone = standing.filter(\.value.isHereAlone).keys
        return standing.map { place, standing in
            let toBe = standing.isOfTheServer ? look.placeToBe(of: place, on: disk) : nil
            let there = look.placeThere(of: place, standing) ?? toBe
            let byName = look.placeByName(of: place, on: disk)
            let hasAnother = look.hasAnother(at: byName, of: place)
            return KeptApart(
                path: "/\(place.text)", pathThere: there.map { "/\($0.text)" }, pathByName: "/\(byName.text)",
                isByRule: standing.isByRule,
                isHereAlone: there == nil && (hasAnother || alone.contains { place.isWithin($0) }),
                hasAnotherThere: hasAnother, why: "\(standing)")
        }
        .sorted { $0.path < $1.path }
    }
}

extension BindingEngine.Look {
    /// Whether what the server has under a place's name is here under another: then what stands in the place has another place
    /// there, or is here alone.
    fileprivate func hasAnother(at byName: Place, of place: Place) -> Bool {
        guard let there = remote.tree.node(at: byName),
            let agreed = synced.node(remote[there].id)
        else { return false }
        let here = synced.tree.place(of: agreed)
        return here != place && local.node(at: here) != nil
    }

    /// Where the server has what is, or was, at a place here: what is held may be on its way to another, and what is in a
    /// conflict may be spelled another way there.
    fileprivate func placeThere(of place: Place, _ standing: Standing? = nil) -> Place? {
        if case .conflict(_, let theirs) = standing, let there = remote.node(theirs.id) {
            return remote.tree.place(of: there)
        }
        let stamp = local.facts(at: place)?.stamp
        let here = synced.tree.subtree(of: .root).first { node in
            guard let stamp, let known = synced[node].local else { return false }
            return known.isSameInode(as: stamp)
        }
        guard let agreed = here ?? synced.node(at: place), let there = remote.node(synced[agreed].remoteId) else {
            return nil
        }
        return remote.tree.place(of: there)
    }

    /// Where the server has what has no place here: it goes by the name that it would have in its folder.
    fileprivate func placeToBe(of place: Place, on disk: DiskTraits) -> Place? {
        guard local.node(at: place) == nil, synced.node(at: place) == nil, !place.isRoot,
            let folder = folderThere(of: place, on: disk)
        else { return nil }
        return child(of: folder, calledHere: place.name, on: disk)
    }

    /// What a place here would be on the server if things were called there as they are called here: by its name, in the folder
    /// that it lies in, whatever that is called there.
    fileprivate func placeByName(of place: Place, on disk: DiskTraits) -> Place {
        guard !place.isRoot, let folder = folderThere(of: place, on: disk) else { return place }
        return child(of: folder, calledHere: place.name, on: disk) ?? folder.appending(place.name)
    }

    private func folderThere(of place: Place, on disk: DiskTraits) -> Place? {
        placeThere(of: place.parent) ?? placeToBe(of: place.parent, on: disk)
    }

    private func child(of folder: Place, calledHere name: NodeName, on disk: DiskTraits) -> Place? {
        guard let node = remote.tree.node(at: folder) else { return nil }
        return remote.tree.children(of: node).map { remote.tree.name(of: $0) }
            .first { (NameMapping.localName(for: $0, on: disk) ?? $0) == name }.map { folder.appending($0) }
    }
}

extension Standing {
    /// Whether it may be of something that the server has and the disk not.
    fileprivate var isOfTheServer: Bool {
        [.held(.placeTaken), .held(.folderHeld), .held(.nameNotHeldHere)].contains(self)
    }

    fileprivate var isHereAlone: Bool {
        if case .unsynced = self { true } else { false }
    }

    fileprivate var waitsForAPerson: Bool {
        switch self {
        case .conflict, .unsynced: true
        case .held, .ignored: false
        }
    }

    /// - Returns: one of the choices that a person has, and the contents that it is about.
    fileprivate func decided(_ pick: Int) -> (Choice, [ContentHash]) {
        guard case .conflict(let mine, let theirs) = self else {
            return (pick.isMultiple(of: 2) ? .confirmDeletion : .sendAgain, [])
        }
        let side = Choice.Side.allCases[pick % Choice.Side.allCases.count]
        let contents = [mine.hash, theirs.checksum].compactMap(\.self)
        return (.keep(side, mine: mine.hash, theirs: theirs.checksum), contents)
    }

    fileprivate var isByRule: Bool {
        switch self {
        case .conflict, .unsynced, .ignored: true
        case .held(let reason):
            switch reason {
            case .symbolicLink, .specialFile, .mountPoint, .otherBinding, .ownRemains, .nameNotText, .placeTaken,
                .nameInvalidThere, .inUse, .unmounted, .partName, .nameReserved,
                .remoteNameInvalid, .remoteNameReserved, .nameNotHeldHere, .folderHeld, .rulesLoosened:
                true
            case .beingWritten, .notReadYet, .folderNotArrived, .guarded, .justDeleted, .unreadable,
                .remoteListedTwice:
                false
            }
        }
    }
}
