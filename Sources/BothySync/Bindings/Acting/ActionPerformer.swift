import BothyClient
import BothyContract

/// Takes single actions: looks once more, acts, and tells what came of it. It decides nothing.
package struct ActionPerformer: Sendable {
    let binding: Binding
    let disk: any FolderDisk
    let drive: any DriveProvider
    let store: BindingStore
    let environment: SyncEnvironment
    let queues: DiskQueues
    /// Names in the staging folder under which something lies whole already: a pass before had brought it when something cut that off.
    var staged = Set<String>()

    /// What both sides are, as the plan that the action is from saw them.
    struct Scene: Sendable {
        var remote: RemoteTree
        var local: LocalTree
        var synced: SyncedTree
        /// As of when the remote tree is.
        var cursor: String
        /// Seconds that this device has lived.
        var lived: Int64
        /// Versions that this plan's own actions have brought, by file.
        var ownVersions = [String: Int64]()
        /// Where this plan's own moves have put files on the server.
        var ownSpots = [String: RemoteSpot]()
        /// When this plan's own actions last changed an inode here: a renaming does.
        var ownChanges = [UInt64: Timestamp]()
        /// The disk's, before what the plan stands on was read.
        var clock = DiskClock.unknown
        /// What the disk can tell.
        var disk = DiskTraits.exact
        /// Where content lies here that this plan brings.
        var contentHere = ContentHere()
        /// What the drive has that this plan sends, perhaps.
        var contentThere = ContentThere()

        /// Where a file is on the server; or was, as far as was agreed on.
        func spot(of id: String) -> RemoteSpot? {
            if let spot = ownSpots[id] { return spot }
            if let node = remote.node(id), let folder = remote.tree.parent(of: node) {
                return RemoteSpot(folderId: remote[folder].id, name: remote.tree.name(of: node))
            }
            guard let node = synced.node(id), let folder = synced.tree.parent(of: node) else { return nil }
            return RemoteSpot(folderId: synced[folder].remoteId, name: synced[node].remoteName)
        }

        /// Files here that have some content already.
        func twins(of content: ContentHash?) -> [Twin] {
            guard let content else { return [] }
            return contentHere.files(with: content).compactMap { id in
                guard let node = synced.node(id), let stamp = synced[node].local else { return nil }
                let source = synced[node].baseRevisionId.map { DriveCopy.Source(fileId: id, revisionId: $0) }
                return Twin(place: synced.tree.place(of: node), stamp: stamp, source: source)
            }
        }

        /// What a last look has to find where the plan saw this.
        func expected(_ mine: LocalFingerprint) -> DiskFacts {
            var facts = DiskFacts(kind: mine.kind == .folder ? .folder : .file, stamp: mine.stamp)
            if let changed = ownChanges[mine.stamp.inode] { facts.stamp.changedAt = changed }
            if mine.kind == .file, mine.stamp.isRecent { facts.content = mine.hash }
            return facts
        }

        /// What is there now, and what it holds.
        ///
        /// - Parameter stamp: under which its content was seen, where it was here before: where that vouched for nothing, the new one, which
        ///   may be of a later edit, does not either.
        func known(_ facts: DiskFacts, holding hash: ContentHash?, seenUnder stamp: LocalStamp? = nil) -> LocalFacts {
            var known = LocalFacts(facts, hash: hash)
            known.stamp.isRecent = known.kind == .file && (stamp?.isRecent == true || clock.isRecent(facts.stamp))
            return known
        }
    }

    struct Performed: Sendable {
        var outcome: Outcome
        var trace: Decision.Trace
        /// What the server said that the file has become.
        var told: File?
        /// The action as a key of its request, which has been answered.
        var answered: String?
        /// The action as JSON, where it was written down.
        var written: String?

        /// With what is told of it afterwards.
        func traced(_ action: Action) -> Performed {
            var traced = self
            traced.trace.remoteId = outcome.remote?.id ?? action.step.remoteId
            traced.trace.content = outcome.local?.hash
            return traced
        }
    }

    /// - Throws: `ClientFailure`; then nothing has been changed, or the same action changes nothing more.
    func perform(_ action: Action, in scene: Scene) async throws -> Performed {
        switch action.step {
        case .upload: return try await send([action], in: scene)[0].get()
        case .download: return try await fetch([action], in: scene)[0].get()
        default: break
        }
        var performed = Performed(outcome: Outcome(), trace: trace(of: action, in: scene))
        if action.step.changesTheServer {
            try await actOnServer(action, in: scene, &performed)
        } else {
            try await actHere(action, in: scene, &performed)
        }
        return performed.traced(action)
    }

    /// Performs what goes together.
    ///
    /// - Returns: what came of each, in their order, as `perform(_:in:)` would return or throw it.
    func perform(_ company: ActionCompany, in scene: Scene) async -> [Result<Performed, any Error>] {
        switch company {
        case .alone(let action): [await Result(awaiting: { try await perform(action, in: scene) })]
        case .uploads(let actions): await send(actions, in: scene)
        case .downloads(let actions): await fetch(actions, in: scene)
        }
    }

    func trace(of action: Action, in scene: Scene) -> Decision.Trace {
        guard let id = action.step.remoteId else { return Decision.Trace() }
        var trace = Decision.Trace(before: scene.synced.facts(id), was: scene.spot(of: id))
        if case .moveRemote = action.step, let node = scene.synced.node(id) {
            let place = scene.synced.tree.place(of: node)
            // What has given its place away meanwhile is told without it.
            if !place.names.contains(where: SyncedTree.isOfNoPlace) { trace.from = place }
        }
        return trace
    }

    /// The same, for a binding that has been changed.
    func of(_ binding: Binding) -> ActionPerformer {
        ActionPerformer(
            binding: binding, disk: disk, drive: drive, store: store, environment: environment, queues: queues)
    }

    // MARK: - What is agreed on, and the disk

    private func actHere(_ action: Action, in scene: Scene, _ performed: inout Performed) async throws {
        switch action.step {
        case .record(let spot, let mine, let theirs):
            performed.outcome.remote = try remote(theirs, in: scene)
            performed.outcome.local = try await look(spot.place, mine, in: scene)
        case .markUnsynced(_, let spot, let mine, _):
            if let mine { performed.outcome.local = try await look(spot.place, mine, in: scene) }
        case .makeLocalFolder(let spot, let theirs):
            performed.outcome.remote = try remote(theirs, in: scene)
            performed.outcome.local = try await onDisk { LocalFacts(try $0.makeFolder(spot.place), hash: nil) }
        case .moveLocal(let mine, let id, let from, let spot, let settles):
            // After a crash it is known for this device's doing, and for no person's.
            if settles, id != nil { performed.answered = try await writeDown(action).key }
            performed.outcome.remote = id.flatMap { scene.remote.facts($0) }
            performed.outcome.local = try await move(mine, from, spot.place, in: scene)
        case .setAside(let mine, _, let from, let to):
            performed.outcome.local = try await move(mine, from, to, in: scene)
        case .trashLocal(let mine, _, let place, _):
            performed.trace.keep = try await discard(mine, place, action.reason, in: scene)
        case .touchLocal(let mine, let id, let place, let modifiedAt, let executable):
            performed.outcome.remote = scene.remote.facts(id)
            performed.outcome.local = try await onDisk {
                let touched = try $0.touch(
                    place, modifiedAt: modifiedAt, executable: executable, expecting: scene.expected(mine))
                return scene.known(touched, holding: mine.hash, seenUnder: mine.stamp)
            }
        case .merge(let place, let base, let mine, let theirs):
            try await merge(place, base: base, mine, theirs, action.reason, in: scene, &performed)
        case .forget, .leaveOut, .rebind, .download, .upload, .makeRemoteFolder, .moveRemote, .untrashRemote,
            .trashRemote, .touchRemote:
            break
        }
    }

    private func move(
        _ mine: LocalFingerprint, _ from: Place, _ to: Place, in scene: Scene
    ) async throws -> LocalFacts {
        try await onDisk {
            let moved = try $0.move(from, to: to, expecting: scene.expected(mine))
            return scene.known(moved, holding: mine.hash, seenUnder: mine.stamp)
        }
    }

    /// Everything below goes along: so all of it must be what the plan saw.
    private func discard(
        _ mine: LocalFingerprint, _ place: Place, _ reason: Reason, in scene: Scene
    ) async throws -> String {
        let keep = environment.newId()
        try await noteInTrash(keep, place, mine, reason, scene.lived)
        try await onDisk(takingAwayAs: keep) { disk in
            let seen = SubtreeCheck(scene, disk)
            guard try seen.holds(of: place, at: place) else { throw SubtreeCheck.changed(place) }
            if let used = try seen.fileInUse(of: place, at: place) { throw ClientFailure.inUse(used) }
            let way = try disk.discard(place, expecting: scene.expected(mine), keep: keep)
            guard try seen.holds(of: place, at: disk.trashed(keep), after: way) else {
                _ = try disk.takeBack(keep, to: place)
                throw SubtreeCheck.changed(place)
            }
            try SubtreeCheck.takingBack(keep, to: place, on: disk) { () throws(ClientFailure) in
                try seen.fileInUse(of: place, at: disk.trashed(keep))
            }
        }
        return keep
    }

    /// Does what takes something away under a name that was noted in the trash.
    func onDisk<Value: Sendable>(
        takingAwayAs keep: String, _ take: @escaping @Sendable (any FolderDisk) throws -> Value
    ) async throws -> Value {
        do {
            return try await onDisk(take)
        } catch {
            try await forgetInTrash([keep])
            throw error
        }
    }

    /// What was noted, and was not taken away after all, is not in the trash.
    func forgetInTrash(_ noted: [String]) async throws {
        guard !noted.isEmpty else { return }
        for keep in try await onDisk({ disk in try noted.filter { try !disk.isInTrash($0) } }) {
            try await store.removeFromTrash(keep)
        }
    }

    /// Before anything moves: what lies in the trash without a row would never be found again.
    func noteInTrash(
        _ keep: String, _ place: Place, _ mine: LocalFingerprint, _ reason: Reason, _ lived: Int64
    ) async throws {
        try await store.addToTrash(
            TrashedHere(
                keep: keep, bindingId: binding.id, place: place, isFolder: mine.kind == .folder, size: mine.stamp.size,
                checksum: mine.hash, reason: reason, takenAt: environment.clock.now(), livedAt: lived))
    }

    // MARK: - Looking

    func onDisk<Value: Sendable>(_ body: @escaping @Sendable (any FolderDisk) throws -> Value) async throws -> Value {
        try await queues.run { [disk] in try body(disk) }
    }

    /// - Throws: `changedMeanwhile` when something else is there.
    func look(_ place: Place, _ mine: LocalFingerprint, in scene: Scene) async throws -> LocalFacts {
        try await onDisk { try Self.look(place, mine, in: scene, on: $0) }
    }

    static func look(
        _ place: Place, _ mine: LocalFingerprint, in scene: Scene, on disk: any FolderDisk
    ) throws -> LocalFacts {
        guard let there = try disk.facts(place), there.isUntouched(since: scene.expected(mine)) else {
            throw SubtreeCheck.changed(place)
        }
        return scene.known(there, holding: mine.hash, seenUnder: mine.stamp)
    }

    func remote(_ theirs: RemoteFingerprint, in scene: Scene) throws -> RemoteFacts {
        guard let facts = scene.remote.facts(theirs.id), facts.version == theirs.version else {
            throw ClientFailure(.changedMeanwhile, "The server now has another version.")
        }
        return facts
    }
}

extension LocalFacts {
    init(_ facts: DiskFacts, hash: ContentHash?) {
        self.init(
            kind: facts.kind == .folder ? .folder : .file, stamp: facts.stamp, executable: facts.executable, hash: hash)
    }
}
