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
            return facts
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
    }

    /// - Throws: `ClientFailure`; then nothing has been changed, or the same action changes nothing more.
    func perform(_ action: Action, in scene: Scene) async throws -> Performed {
        var performed = Performed(outcome: Outcome(), trace: trace(of: action, in: scene))
        if action.step.changesTheServer {
            try await actOnServer(action, in: scene, &performed)
        } else {
            try await actHere(action, in: scene, &performed)
        }
        performed.trace.remoteId = performed.outcome.remote?.id ?? action.step.remoteId
        performed.trace.content = performed.outcome.local?.hash
        return performed
    }

    private func trace(of action: Action, in scene: Scene) -> Decision.Trace {
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
        case .download(let spot, let theirs, let over):
            try await fetch(theirs, to: spot.place, over: over, action, in: scene, &performed)
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
                LocalFacts(
                    try $0.touch(
                        place, modifiedAt: modifiedAt, executable: executable, expecting: scene.expected(mine)),
                    hash: mine.hash)
            }
        case .merge(let place, let base, let mine, let theirs):
            try await merge(place, base: base, mine, theirs, action.reason, in: scene, &performed)
        case .forget, .leaveOut, .rebind, .makeRemoteFolder, .upload, .moveRemote, .untrashRemote, .trashRemote,
            .touchRemote:
            break
        }
    }

    private func move(
        _ mine: LocalFingerprint, _ from: Place, _ to: Place, in scene: Scene
    ) async throws -> LocalFacts {
        try await onDisk { LocalFacts(try $0.move(from, to: to, expecting: scene.expected(mine)), hash: mine.hash) }
    }

    private func fetch(
        _ theirs: RemoteFingerprint, to place: Place, over: LocalFingerprint?, _ action: Action, in scene: Scene,
        _ performed: inout Performed
    ) async throws {
        let facts = try remote(theirs, in: scene)
        if let over { _ = try await look(place, over, in: scene) }
        let name: String
        do {
            name = try await stage(
                theirs, named: place.name.text, over: over.map { _ in place }, twins: scene.twins(of: theirs.checksum),
                facts: facts)
        } catch {
            // What an earlier try had staged may be gone, and must not count as put in its place.
            try await store.forgetRequest(try Self.key(of: action), binding: binding.id)
            throw error
        }
        let keep = environment.newId()
        if let over {
            try await noteInTrash(keep, place, over, action.reason, scene.lived)
            performed.trace.keep = keep
        }
        let written = try await writeDown(action)
        (performed.answered, performed.written) = (written.key, written.text)
        let staged = StagedFile(name: name, modifiedAt: facts.modifiedAt, executable: facts.executable)
        let there: DiskFacts
        do {
            there = try await onDisk {
                try $0.install(staged, at: place, replacing: over.map(scene.expected), keep: keep)
            }
        } catch let failure as ClientFailure where failure.code == .changedMeanwhile {
            // It is not in its place, wherever its folder has gone, and must not count as taken away from there.
            try await store.forgetRequest(written.key, binding: binding.id)
            throw failure
        }
        performed.outcome.remote = facts
        performed.outcome.local = LocalFacts(there, hash: theirs.checksum)
    }

    /// Whether a revision still waits in the staging folder; under its name there may be what it has replaced by now.
    func isStaged(_ theirs: RemoteFingerprint, _ hash: ContentHash) async throws -> Bool {
        try await onDisk { disk in
            let place = disk.stagedPlace(StagedName(theirs).text)
            guard let facts = try disk.facts(place) else { return false }
            return try disk.hash(place, expecting: facts) == hash
        }
    }

    /// Brings a revision into the staging folder, whole and checked. It is made durable where it is installed.
    ///
    /// - Parameters:
    ///   - place: where what it replaces lies: what both share is not fetched.
    ///   - twins: where the whole of it may lie here under another name; then nothing is fetched. nil to fetch it anyway.
    ///   - facts: of the revision, where they are known.
    func stage(
        _ theirs: RemoteFingerprint, named name: String, over place: Place? = nil, twins: [Twin]? = nil,
        facts: RemoteFacts? = nil
    ) async throws -> String {
        let staged = StagedName(theirs).text
        if self.staged.contains(staged) { return staged }
        guard let revision = theirs.revisionId else {
            try await onDisk { try $0.stage([], as: staged) }
            return staged
        }
        if let twins, try await copy(theirs, as: staged, isChange: place != nil, from: twins) { return staged }
        var download = DriveDownload(
            fileId: theirs.id, revisionId: revision, name: name, destination: disk.staging(staged), replacing: true,
            size: theirs.size, isDurable: false, basis: place.map { disk.absolute($0) })
        download.known = facts.map { facts in
            RemoteContent(
                revisionId: revision, size: theirs.size, checksum: theirs.checksum, downloadUrl: nil,
                modifiedAt: facts.modifiedAt, executable: facts.executable)
        }
        let content = try await drive.download(download)
        guard theirs.checksum == nil || content.checksum == theirs.checksum else {
            try await onDisk { try $0.unstage(staged) }
            throw ClientFailure(.integrityMismatch, "What arrived for “\(name)” is not what the server has.")
        }
        return staged
    }

    /// Everything below goes along: so all of it must be what the plan saw.
    private func discard(
        _ mine: LocalFingerprint, _ place: Place, _ reason: Reason, in scene: Scene
    ) async throws -> String {
        let keep = environment.newId()
        try await noteInTrash(keep, place, mine, reason, scene.lived)
        do {
            try await onDisk { disk in
                let seen = SubtreeCheck(scene, disk)
                guard try seen.holds(of: place, at: place) else { throw SubtreeCheck.changed(place) }
                try disk.discard(place, expecting: scene.expected(mine), keep: keep)
                guard try seen.holds(of: place, at: disk.trashed(keep)) else {
                    _ = try disk.takeBack(keep, to: place)
                    throw SubtreeCheck.changed(place)
                }
            }
        } catch {
            try await store.removeFromTrash(keep)
            throw error
        }
        return keep
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
        try await onDisk { disk in
            guard let there = try disk.facts(place), there.isUntouched(since: scene.expected(mine)) else {
                throw SubtreeCheck.changed(place)
            }
            return LocalFacts(there, hash: mine.hash)
        }
    }

    func remote(_ theirs: RemoteFingerprint, in scene: Scene) throws -> RemoteFacts {
        guard let facts = scene.remote.facts(theirs.id), facts.version == theirs.version else {
            throw ClientFailure(.changedMeanwhile, "The server has another version by now.")
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
