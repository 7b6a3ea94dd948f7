import BothyClient
import BothyContent
import BothyContract

/// What is asked of the server. The request id is written down before it is sent.
extension ActionPerformer {
    func actOnServer(_ action: Action, in scene: Scene, _ performed: inout Performed) async throws {
        switch action.step {
        case .makeRemoteFolder(let spot, let mine, _): _ = try await look(spot.place, mine, in: scene)
        case .trashRemote(_, let place, _): try await lookWhetherGone(place, in: scene)
        default: break
        }
        let sent = action.asSent(scene.ownVersions)
        let written = try await writeDown(sent)
        if sent == action { performed.written = written.text }
        (performed.outcome.remote, performed.told) = try await ask(sent, written.requestId, in: scene)
        if case .moveRemote = action.step, performed.told?.trashed == true {
            // The person who put a folder above it into the trash had not heard of the move. The next look decides that; were it
            // agreed on, it would be what was deleted.
            try await store.forgetRequest(written.key, binding: binding.id)
            throw ClientFailure(.changedMeanwhile, "It is now in the server's trash.")
        }
        performed.outcome.local = try await onDisk { try Self.there(action, in: scene, on: $0) }
        performed.answered = written.key
    }

    /// The look that missed it may be hours old: what has come back since is not deleted elsewhere.
    private func lookWhetherGone(_ place: Place, in scene: Scene) async throws {
        guard scene.local.facts(at: place) == nil, let agreed = scene.synced.facts(at: place)?.local else { return }
        let there = try await onDisk { try $0.facts(place) }
        if let there, scene.disk.isSameInode(agreed, there.stamp) { throw SubtreeCheck.changed(place) }
    }

    /// An action that was begun.
    struct Written: Sendable {
        /// What its request is known by.
        var key: String
        /// What it is sent under.
        var requestId: String
        /// The action as JSON.
        var text: String
    }

    /// Says that the action is begun, so that after a crash it is known for what it was.
    func writeDown(_ action: Action) async throws -> Written { try await writeDown([action])[0] }

    /// Says of each that it is begun, all at once.
    func writeDown(_ actions: [Action]) async throws -> [Written] {
        let beginnings = actions.map { action in
            let text = JSONColumn.spelled(action)
            return BindingStore.Beginning(action: text, key: Self.key(ofWritten: text), fresh: environment.newId())
        }
        let ids = try await store.requestIds(of: beginnings, binding: binding.id)
        return zip(beginnings, ids).map { Written(key: $0.key, requestId: $1, text: $0.action) }
    }

    static func key(of action: Action) -> String { key(ofWritten: JSONColumn.spelled(action)) }

    private static func key(ofWritten action: String) -> String { SHA256Hasher.hash(Array(action.utf8)).hex }

    /// The same request asked again is answered the same.
    ///
    /// - Returns: what is agreed on then, and the file as the server told it.
    private func ask(_ action: Action, _ request: String, in scene: Scene) async throws -> (RemoteFacts?, File?) {
        switch action.step {
        case .makeRemoteFolder(let spot, _, _):
            let folder = try folder(of: spot, in: scene)
            let made = try await drive.createFolder(named: spot.remoteName.text, in: folder, requestId: request)
            return (RemoteFacts(made), made)
        case .moveRemote(let theirs, _, let spot, _):
            let change = UpdateFileRequest(name: spot.remoteName.text, parentId: try folder(of: spot, in: scene))
            let file = try await update(theirs, change, request, in: scene)
            return (RemoteFacts(file), file)
        case .untrashRemote(let theirs, let spot):
            // With a folder of its own to go to it comes alone: without, all that it was deleted with would come along.
            let change = UpdateFileRequest(
                name: spot.remoteName.text, parentId: try folder(of: spot, in: scene), trashed: false)
            let file = try await update(theirs, change, request, in: scene)
            return (RemoteFacts(file), file)
        case .touchRemote(let theirs, _, let modifiedAt, let executable):
            let change = UpdateFileRequest(executable: executable, modifiedAt: modifiedAt)
            let file = try await update(theirs, change, request, in: scene)
            return (RemoteFacts(file), file)
        case .trashRemote(let theirs, _, _):
            try await trash(theirs, request, in: scene)
            return (nil, nil)
        default: return (nil, nil)
        }
    }

    private func update(
        _ theirs: RemoteFingerprint, _ change: UpdateFileRequest, _ request: String, in scene: Scene
    ) async throws -> File {
        let seen = SeenVersion(version: theirs.version, cursor: scene.cursor)
        return try await drive.update(theirs.id, change, seen: seen, requestId: request)
    }

    private func trash(_ theirs: RemoteFingerprint, _ request: String, in scene: Scene) async throws {
        let seen: SeenContent
        switch theirs.kind {
        case .folder: seen = .subtree(cursor: scene.cursor)
        case .file: seen = theirs.revisionId.map(SeenContent.head) ?? .anything
        }
        do {
            let version = SeenVersion(version: theirs.version, cursor: scene.cursor)
            _ = try await drive.trash(theirs.id, seen: seen, version: version, requestId: request)
        } catch let failure as ClientFailure where failure.code == .notFound {
            // Somebody has deleted it for good meanwhile.
        }
    }

    func folder(of spot: Spot, in scene: Scene) throws -> String {
        if let id = spot.folderId { return id }
        guard let folder = scene.synced.facts(at: spot.place.parent) else {
            throw ClientFailure(.parentGone, "The folder of “\(spot.place)” does not exist on the server.")
        }
        return folder.remoteId
    }

    /// What is on the disk where the action was about, right after it.
    static func there(_ action: Action, in scene: Scene, on disk: any FolderDisk) throws -> LocalFacts? {
        let place = action.step.places[0]
        guard let facts = try disk.facts(place) else { return nil }
        if case .special = facts.kind { return nil }
        let seen = scene.local.facts(at: place)
        guard let seen, seen.stamp == facts.stamp else { return scene.known(facts, holding: nil) }
        return scene.known(facts, holding: seen.hash, seenUnder: seen.stamp)
    }
}

extension Action {
    /// With the version that the server is asked about: the plan's own actions before this one may have moved it on.
    fileprivate func asSent(_ ownVersions: [String: Int64]) -> Action {
        var sent = self
        switch step {
        case .moveRemote(var theirs, let place, let spot, let settles):
            theirs.version = ownVersions[theirs.id] ?? theirs.version
            sent.step = .moveRemote(theirs, at: place, to: spot, settles: settles)
        case .touchRemote(var theirs, let place, let time, let executable):
            theirs.version = ownVersions[theirs.id] ?? theirs.version
            sent.step = .touchRemote(theirs, at: place, modifiedAt: time, executable: executable)
        case .trashRemote(var theirs, let place, let count):
            theirs.version = ownVersions[theirs.id] ?? theirs.version
            sent.step = .trashRemote(theirs, at: place, count: count)
        default: break
        }
        return sent
    }
}
