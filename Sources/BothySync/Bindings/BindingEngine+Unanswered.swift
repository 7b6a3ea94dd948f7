import BothyClient
import BothyContract

/// An action that was begun, and whose answer never came here.
package struct Unanswered: Equatable, Sendable {
    package var key: String
    /// Under which the server was asked.
    package var requestId: String
    package var action: Action
}

/// What was sent, or put in place here, and is not written down as done: the answer was lost, the device crashed, or the
/// request is still on its way. Either side may have gone on since: then that was done to what the action brought, and is
/// neither a conflict nor something new.
extension BindingEngine {
    /// - Returns: whether anything was settled, so that both sides are to be looked at anew.
    func settleUnanswered(in scene: ActionPerformer.Scene) async throws -> Bool {
        let unanswered = try await store.unanswered(binding: binding.id)
        guard !unanswered.isEmpty else { return false }
        // A look at what is new alone has told the cache nothing.
        _ = try await cache.pull()
        let files = try await cache.files(below: binding.remoteId) ?? []
        let device = try await performer.drive.authenticate().deviceId
        let told = ToldFiles(files + (try await cache.trashed()), device: device)
        var synced = scene.synced
        var settled = false
        for request in unanswered {
            var outcome = done(by: request, in: scene, synced, told)
            if outcome == nil { outcome = try await changedSince(request, in: scene, synced, told) }
            if outcome == nil { outcome = try await answerAgain(to: request, in: scene, synced, told) }
            if outcome == nil { outcome = try await purgedSince(request, synced, told) }
            guard let outcome else {
                // What makes or changes content may still be on its way, and has to be known when it arrives. The rest
                // was asked about again, or is refused then, by the content that it was asked about.
                if !request.action.step.sendsSomethingNew {
                    try await store.forgetRequest(request.key, binding: binding.id)
                }
                continue
            }
            let now = environment.clock.now()
            let pass = try await store.beginPass(of: binding.id, at: now, lived: scene.lived, isConfirmed: true)
            let id = outcome.remote?.id ?? request.action.step.remoteId
            let trace = Decision.Trace(before: id.flatMap { synced.facts($0) }, remoteId: id)
            let rows = synced.settle(request.action, outcome)
            let decision = Decision(passId: pass.id, at: now, action: request.action, trace: trace)
            try await store.settle(decision, rows, of: synced, binding: binding.id, answered: request.key)
            try await store.endPass(pass, at: now)
            settled = true
        }
        return settled
    }

    /// What the action has come to already, as far as the two sides show it.
    private func done(
        by request: Unanswered, in scene: ActionPerformer.Scene, _ synced: SyncedTree, _ told: ToldFiles
    ) -> Outcome? {
        switch request.action.step {
        case .download(let spot, let theirs, _): installed(theirs, at: spot.place, in: scene, told)
        case .makeRemoteFolder(let spot, _, _):
            made(by: request, in: spot, synced, told).map { Outcome(remote: RemoteFacts($0)) }
        case .upload(let spot, let mine, nil, _):
            made(by: request, in: spot, synced, told).map {
                Outcome(remote: RemoteFacts($0, sent: mine, by: told.device))
            }
        case .upload(let spot, let mine, let over?, _):
            revised(over, by: mine, synced, told) ?? arrivedLate(over, mine, at: spot, synced, told)
        case .moveLocal(let mine, let id?, _, let spot, true): movedHere(mine, id, to: spot, scene, synced)
        case .moveRemote(let theirs, _, let spot, true): moved(theirs.id, to: spot, scene, synced)
        case .touchRemote(let theirs, _, let modifiedAt, let executable):
            touched(theirs, modifiedAt: modifiedAt, executable: executable, synced, told)
        case .trashRemote(let theirs, _, _):
            synced.node(theirs.id) != nil && told.isGone(theirs.id) ? Outcome() : nil
        default: nil
        }
    }

    /// The revision that the action brought lies there, whatever the server has by now: nothing of it, perhaps.
    private func installed(
        _ theirs: RemoteFingerprint, at place: Place, in scene: ActionPerformer.Scene, _ told: ToldFiles
    ) -> Outcome? {
        guard let hash = theirs.checksum, let local = scene.local.facts(at: place), local.hash == hash,
            scene.synced.facts(theirs.id)?.checksum != hash
        else { return nil }
        // Its time and executable bit are those that it was brought with: what the server has said since is news.
        return Outcome(remote: told.brought(theirs, modifiedAt: local.stamp.modifiedAt, local.executable), local: local)
    }

    /// What was to be put in its place here waits in the staging folder no more, where it lay whole before that was written down: it
    /// was there, and was taken away or saved over since.
    private func changedSince(
        _ request: Unanswered, in scene: ActionPerformer.Scene, _ synced: SyncedTree, _ told: ToldFiles
    ) async throws -> Outcome? {
        guard case .download(let spot, let theirs, let over) = request.action.step, let hash = theirs.checksum,
            let file = told.file(theirs.id), isFileOrNothing(spot.place, in: scene),
            let folder = spot.folderId ?? synced.facts(at: spot.place.parent)?.remoteId, synced.node(folder) != nil,
            (synced.facts(at: spot.place)?.remoteId ?? theirs.id) == theirs.id
        else { return nil }
        let agreed = synced.facts(theirs.id)
        guard agreed?.checksum == over?.hash, (agreed == nil) == (over == nil), over?.hash != hash,
            try await !performer.isStaged(theirs, hash)
        else { return nil }
        let remote = told.brought(theirs, modifiedAt: file.modifiedAt, file.executable)
        let stamp = LocalStamp(size: theirs.size, modifiedAt: file.modifiedAt)
        return Outcome(
            remote: remote, local: LocalFacts(kind: .file, stamp: stamp, executable: file.executable, hash: hash))
    }

    private func isFileOrNothing(_ place: Place, in scene: ActionPerformer.Scene) -> Bool {
        guard scene.local.specials[place] == nil else { return false }
        return scene.local.facts(at: place).map { $0.kind == .file } ?? true
    }

    /// What the request made, wherever it is by now, and whatever is in it.
    private func made(
        by request: Unanswered, in spot: Spot, _ synced: SyncedTree, _ told: ToldFiles
    ) -> File? {
        guard let file = told.made(by: request.requestId), synced.node(file.id) == nil,
            let folder = spot.folderId ?? synced.facts(at: spot.place.parent)?.remoteId, synced.node(folder) != nil
        else { return nil }
        return file
    }

    /// The file has what was sent, in the trash or not; nil when that never arrived, or has been changed since.
    private func revised(
        _ over: RemoteFingerprint, by mine: LocalFingerprint, _ synced: SyncedTree, _ told: ToldFiles
    ) -> Outcome? {
        guard let hash = mine.hash, let file = told.file(over.id), file.checksum == hash,
            let agreed = synced.facts(over.id), agreed.checksum != hash, agreed.baseRevisionId == over.revisionId
        else { return nil }
        var revised = RemoteFacts(file)
        // Where more has happened to it than this, its executable bit may be somebody else's doing, and news here.
        if file.version > over.version + 1 { revised.executable = agreed.remoteExecutable }
        return Outcome(remote: revised)
    }

    /// It was deleted here since, and what was sent before that has brought it back only now: it was there, and is to be deleted
    /// there too.
    private func arrivedLate(
        _ over: RemoteFingerprint, _ mine: LocalFingerprint, at spot: Spot, _ synced: SyncedTree, _ told: ToldFiles
    ) -> Outcome? {
        guard let hash = mine.hash, let file = told.file(over.id), file.checksum == hash, !told.isGone(over.id),
            file.deviceId == told.device, synced.node(over.id) == nil, synced.node(at: spot.place) == nil,
            let folder = spot.folderId ?? synced.facts(at: spot.place.parent)?.remoteId, synced.node(folder) != nil
        else { return nil }
        return Outcome(remote: RemoteFacts(file))
    }

    /// What the server shows nothing of may be on its way still, or overtaken by somebody's change: but the server answers
    /// the same request the same again, and refuses it where it never arrived and what it was about has changed.
    private func answerAgain(
        to request: Unanswered, in scene: ActionPerformer.Scene, _ synced: SyncedTree, _ told: ToldFiles
    ) async throws -> Outcome? {
        switch request.action.step {
        case .upload(let spot, let mine, let over?, _):
            try await sentAgain(request, spot, mine, over, in: scene, synced, told)
        case .upload(let spot, let mine, nil, _):
            try await purgedWithItsFolder(spot, mine, synced, told)
        case .moveRemote(let theirs, _, _, true) where synced.isAwaiting(theirs):
            try await askAgain(request, in: scene)
        case .touchRemote(let theirs, _, let modifiedAt, let executable) where synced.isAwaiting(theirs):
            try await askAgain(request, in: scene).map {
                Outcome(remote: $0.remote, local: synced.sent(theirs, modifiedAt: modifiedAt, executable: executable))
            }
        default: nil
        }
    }

    /// The folder into which it was sent is deleted for good by now, and so is what was in its place there, with the same content: it
    /// had arrived, and whoever deleted it had it before their eyes.
    private func purgedWithItsFolder(
        _ spot: Spot, _ mine: LocalFingerprint, _ synced: SyncedTree, _ told: ToldFiles
    ) async throws -> Outcome? {
        guard let folder = spot.folderId, let hash = mine.hash, told.file(folder) == nil,
            let node = synced.node(folder)
        else { return nil }
        // The folder may have been moved since.
        let place = synced.tree.place(of: node).appending(spot.place.name)
        guard synced.node(at: place) == nil,
            let id = try await memoryOfPurged().fileId(at: place, kind: .file, hash: hash), synced.node(id) == nil
        else { return nil }
        return Outcome(remote: RemoteFacts(id: id, kind: .file, checksum: hash, size: mine.stamp.size))
    }

    private func sentAgain(
        _ request: Unanswered, _ spot: Spot, _ mine: LocalFingerprint, _ over: RemoteFingerprint,
        in scene: ActionPerformer.Scene, _ synced: SyncedTree, _ told: ToldFiles
    ) async throws -> Outcome? {
        guard let base = over.revisionId, let file = told.file(over.id), file.headRevisionId != base,
            let agreed = synced.facts(over.id), agreed.baseRevisionId == base, agreed.checksum != mine.hash,
            let place = scene.local.place(of: mine, orElse: spot.place)
        else { return nil }
        do {
            let sent = try await performer.send(spot, from: place, over: over, request.requestId, in: scene)
            return Outcome(remote: RemoteFacts(sent, sent: mine, by: told.device))
        } catch let failure as ClientFailure where failure.isOfOneItem {
            if failure.code == .revisionConflict { try await store.forgetRequest(request.key, binding: binding.id) }
            return nil
        }
    }

    /// Done now, if it never arrived: what its person did since follows it.
    private func askAgain(_ request: Unanswered, in scene: ActionPerformer.Scene) async throws -> Outcome? {
        do {
            return Outcome(remote: try await performer.ask(request.action, request.requestId, in: scene))
        } catch let failure as ClientFailure where failure.isOfOneItem {
            return nil
        }
    }

    /// What was sent as a new version arrived, and was deleted for good by somebody who had that version before their eyes: it was
    /// no edit of something that others had deleted.
    private func purgedSince(
        _ request: Unanswered, _ synced: SyncedTree, _ told: ToldFiles
    ) async throws -> Outcome? {
        guard case .upload(_, let mine, let over?, _) = request.action.step, let hash = mine.hash,
            told.file(over.id) == nil, let agreed = synced.facts(over.id), agreed.checksum != hash,
            agreed.baseRevisionId == over.revisionId, try await memoryOfPurged().checksum(of: over.id) == hash
        else { return nil }
        var remote = RemoteFacts(id: over.id, kind: .file, checksum: hash, size: mine.stamp.size)
        remote.executable = agreed.remoteExecutable
        remote.modifiedAt = agreed.remoteModifiedAt
        remote.version = agreed.version
        return Outcome(remote: remote)
    }

    private func moved(
        _ id: String, to spot: Spot, _ scene: ActionPerformer.Scene, _ synced: SyncedTree
    ) -> Outcome? {
        guard let node = scene.remote.node(id), let parent = scene.remote.tree.parent(of: node),
            scene.remote.tree.name(of: node) == spot.remoteName,
            scene.remote[parent].id == spot.folderId ?? synced.facts(at: spot.place.parent)?.remoteId,
            let agreed = synced.node(id), synced.tree.place(of: agreed) != spot.place
        else { return nil }
        return Outcome(remote: scene.remote[node])
    }

    /// It lies where it was to be moved, and that was not written down: no person has moved it.
    private func movedHere(
        _ mine: LocalFingerprint, _ id: String, to spot: Spot, _ scene: ActionPerformer.Scene, _ synced: SyncedTree
    ) -> Outcome? {
        guard let local = scene.local.facts(at: spot.place), local.kind == mine.kind,
            local.stamp.isSameInode(as: mine.stamp), let agreed = synced.node(id),
            synced.tree.place(of: agreed) != spot.place,
            let folder = spot.folderId ?? synced.facts(at: spot.place.parent)?.remoteId,
            let parent = synced.node(folder),
            !synced.tree.isWithin(parent, agreed)
        else { return nil }
        return Outcome(local: local)
    }

    /// What is here counts as it was when it was sent: what has been done to it since is to be sent next.
    private func touched(
        _ theirs: RemoteFingerprint, modifiedAt: Timestamp, executable: Bool, _ synced: SyncedTree, _ told: ToldFiles
    ) -> Outcome? {
        guard let file = told.file(theirs.id), file.version > theirs.version, file.modifiedAt == modifiedAt,
            file.executable == executable,
            let sent = synced.sent(theirs, modifiedAt: modifiedAt, executable: executable),
            sent.hash == RemoteFacts(file).checksum
        else { return nil }
        return Outcome(remote: RemoteFacts(file), local: sent)
    }
}

extension SyncedTree {
    /// Whether nothing that was answered since has moved it on.
    fileprivate func isAwaiting(_ theirs: RemoteFingerprint) -> Bool {
        facts(theirs.id).map { $0.version <= theirs.version } ?? false
    }

    /// What is here, as it was when its time and its executable bit were sent.
    fileprivate func sent(_ theirs: RemoteFingerprint, modifiedAt: Timestamp, executable: Bool) -> LocalFacts? {
        guard let agreed = facts(theirs.id), var stamp = agreed.local else { return nil }
        stamp.modifiedAt = modifiedAt
        return LocalFacts(kind: .file, stamp: stamp, executable: executable, hash: agreed.checksum)
    }
}

extension LocalTree {
    /// Where a file is by now, unchanged.
    fileprivate func place(of mine: LocalFingerprint, orElse first: Place) -> Place? {
        func isIt(_ facts: LocalFacts) -> Bool { mine.matches(facts) && facts.hash == mine.hash }
        if let facts = facts(at: first), isIt(facts) { return first }
        return tree.subtree(of: .root).first { isIt(tree[$0]) }.map { tree.place(of: $0) }
    }
}

/// What the server has, as it was last told, in the trash or not.
private struct ToldFiles {
    /// This one, as files name it.
    let device: String
    private var byId: [String: File] = [:]
    private var ids: [String: String] = [:]
    private var inTrash: Set<String> = []

    init(_ files: [File], device: String) {
        self.device = device
        for file in files {
            byId[file.id] = file
            if file.trashed { inTrash.insert(file.id) }
            if let request = file.requestId { ids[request] = file.id }
        }
    }

    func file(_ id: String) -> File? { byId[id] }

    /// A file as it was when a revision of it was brought.
    func brought(_ theirs: RemoteFingerprint, modifiedAt: Timestamp, _ executable: Bool) -> RemoteFacts {
        var facts = file(theirs.id).map { RemoteFacts($0) } ?? RemoteFacts(id: theirs.id, kind: .file)
        facts.headRevisionId = theirs.revisionId
        facts.checksum = theirs.checksum
        facts.size = theirs.size
        facts.version = theirs.version
        facts.modifiedAt = modifiedAt
        facts.executable = executable
        return facts
    }

    func isGone(_ id: String) -> Bool { byId[id] == nil || inTrash.contains(id) }

    /// An upload's own request ids begin with the one that it was asked for under, and a hyphen.
    func made(by requestId: String) -> File? {
        if let id = ids[requestId] { return byId[id] }
        return ids.first { $0.key.hasPrefix(requestId + "-") }.flatMap { byId[$0.value] }
    }
}
