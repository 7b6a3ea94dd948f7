import BothyClient
import BothyContent
import BothyContract

/// What is asked of the server. The request id is written down before it is sent.
extension ActionPerformer {
    func actOnServer(_ action: Action, in scene: Scene, _ performed: inout Performed) async throws {
        switch action.step {
        case .makeRemoteFolder(let spot, let mine, _), .upload(let spot, let mine, _, _):
            _ = try await look(spot.place, mine, in: scene)
        default: break
        }
        let sent = action.asSent(scene.ownVersions)
        let (key, request, text) = try await writeDown(sent)
        if sent == action { performed.written = text }
        (performed.outcome.remote, performed.told) = try await ask(sent, request, in: scene)
        if case .moveRemote = action.step, performed.told?.trashed == true {
            // Who put a folder above it into the trash had not heard of the move. That is decided by who looks again; were it
            // agreed on, it would be what was deleted.
            try await store.forgetRequest(key, binding: binding.id)
            throw ClientFailure(.changedMeanwhile, "It is in the server's trash by now.")
        }
        performed.outcome.local = try await there(action, in: scene)
        performed.answered = key
    }

    /// What moves the bytes of a transfer, alone: nothing is agreed on by it, and it stands on no tree.
    ///
    /// - Returns: it, and the key of the request that is written down for it.
    /// - Throws: `changedMeanwhile` when something else is here than the plan saw.
    func carriage(
        of action: Action, in scene: Scene
    ) async throws -> (bytes: @Sendable () async throws -> Void, request: String?) {
        switch action.step {
        case .upload(let spot, let mine, let over, _):
            _ = try await look(spot.place, mine, in: scene)
            let (key, request, _) = try await writeDown(action)
            let upload = try upload(spot, mine, over: over, request, in: scene)
            return ({ [drive] in _ = try await drive.upload(upload) }, key)
        case .download(let spot, let theirs, let over):
            let twins = scene.twins(of: theirs.checksum)
            let fetch: @Sendable () async throws -> Void = {
                _ = try await stage(
                    theirs, named: spot.place.name.text, over: over.map { _ in spot.place }, twins: twins)
            }
            return (fetch, nil)
        default: return ({}, nil)
        }
    }

    /// Says that the action is begun, so that after a crash it is known for what it was.
    ///
    /// - Returns: what its request is known by, and sent under, and the action as JSON.
    func writeDown(_ action: Action) async throws -> (key: String, requestId: String, text: String) {
        let text = try JSONColumn.text(action)
        let key = Self.key(ofWritten: text)
        let id = try await store.requestId(
            ofWritten: text, key: key, orElse: environment.newId(), binding: binding.id)
        return (key, id, text)
    }

    static func key(of action: Action) throws -> String { key(ofWritten: try JSONColumn.text(action)) }

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
        case .upload(let spot, let mine, let over, _):
            let file = try await drive.upload(try upload(spot, mine, over: over, request, in: scene))
            return (RemoteFacts(file, sent: mine, by: try await drive.authenticate().deviceId), file)
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

    /// What is asked of the drive to send a file.
    private func upload(
        _ spot: Spot, _ mine: LocalFingerprint, over: RemoteFingerprint?, _ request: String, in scene: Scene
    ) throws -> DriveUpload {
        var upload = DriveUpload(
            requestId: request, localPath: disk.absolute(spot.place), name: spot.remoteName.text,
            parentId: try folder(of: spot, in: scene))
        upload.fileId = over?.id
        upload.baseRevisionId = over?.revisionId
        upload.twins = scene.contentThere.contents(of: mine.stamp.size, besides: over?.checksum)
        return upload
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
            throw ClientFailure(.parentGone, "The folder of “\(spot.place)” is not on the server.")
        }
        return folder.remoteId
    }

    /// What is on the disk where the action was about, right after it.
    private func there(_ action: Action, in scene: Scene) async throws -> LocalFacts? {
        let place = action.step.places[0]
        let seen = scene.local.facts(at: place)
        return try await onDisk { disk in
            guard let facts = try disk.facts(place) else { return nil }
            if case .special = facts.kind { return nil }
            return LocalFacts(facts, hash: facts.stamp == seen?.stamp ? seen?.hash : nil)
        }
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

extension RemoteFacts {
    /// The file as it was right after it was sent.
    ///
    /// Asked for a moment later, it may be somebody's edit of that already, which nobody here has seen. But what this device
    /// sent last is its own, also where somebody went on writing while it was sent.
    init(_ file: File, sent mine: LocalFingerprint, by device: String) {
        self.init(file)
        guard let hash = mine.hash, kind == .file, checksum != hash, file.deviceId != device else { return }
        checksum = hash
        size = mine.stamp.size
        headRevisionId = nil
        version -= 1
    }
}
