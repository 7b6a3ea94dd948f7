import BothyClient
import BothyContract

/// What both sides show of actions whose answers never came here. Either side may have gone on since: then that was done to
/// what the action brought, and is neither a conflict nor something new.
struct Evidence {
    let local: LocalTree
    let remote: RemoteTree
    var synced: SyncedTree
    let told: ToldFiles

    /// What the action has come to already; nil where that does not show.
    func outcome(of request: Unanswered) -> Outcome? {
        switch request.action.step {
        case .download(let spot, let theirs, _): installed(theirs, at: spot.place)
        case .makeRemoteFolder(let spot, _, _):
            made(by: request, in: spot).map { Outcome(remote: RemoteFacts($0)) }
        case .upload(let spot, let mine, nil, _):
            made(by: request, in: spot).map {
                Outcome(remote: RemoteFacts($0, sent: mine, by: told.device))
            }
        case .upload(let spot, let mine, let over?, _):
            revised(over, by: mine) ?? arrivedLate(over, mine, at: spot)
        case .moveLocal(let mine, let id?, _, let spot, true): movedHere(mine, id, to: spot)
        case .moveRemote(let theirs, _, let spot, true): movedThere(theirs.id, to: spot)
        case .touchRemote(let theirs, _, let modifiedAt, let executable):
            touched(theirs, modifiedAt: modifiedAt, executable: executable)
        case .trashRemote(let theirs, _, _):
            synced.node(theirs.id) != nil && told.isGone(theirs.id) ? Outcome() : nil
        default: nil
        }
    }

    /// The revision that the action brought lies there, whatever the server has by now: nothing of it, perhaps.
    private func installed(_ theirs: RemoteFingerprint, at place: Place) -> Outcome? {
        guard let hash = theirs.checksum, let local = local.facts(at: place), local.hash == hash,
            synced.facts(theirs.id)?.checksum != hash
        else { return nil }
        // Its time and executable bit are those that it was brought with: what the server has said since is news.
        return Outcome(remote: told.brought(theirs, modifiedAt: local.stamp.modifiedAt, local.executable), local: local)
    }

    /// What the request made, wherever it is by now, and whatever is in it.
    private func made(by request: Unanswered, in spot: Spot) -> File? {
        guard let file = told.made(by: request.requestId), synced.node(file.id) == nil,
            let folder = spot.folderId ?? synced.facts(at: spot.place.parent)?.remoteId, synced.node(folder) != nil
        else { return nil }
        return file
    }

    /// The file has what was sent, in the trash or not; nil when that never arrived, or has been changed since.
    private func revised(_ over: RemoteFingerprint, by mine: LocalFingerprint) -> Outcome? {
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
    private func arrivedLate(_ over: RemoteFingerprint, _ mine: LocalFingerprint, at spot: Spot) -> Outcome? {
        guard let hash = mine.hash, let file = told.file(over.id), file.checksum == hash, !told.isGone(over.id),
            file.deviceId == told.device, synced.node(over.id) == nil, synced.node(at: spot.place) == nil,
            let folder = spot.folderId ?? synced.facts(at: spot.place.parent)?.remoteId, synced.node(folder) != nil
        else { return nil }
        return Outcome(remote: RemoteFacts(file))
    }

    private func movedThere(_ id: String, to spot: Spot) -> Outcome? {
        guard let node = remote.node(id), let parent = remote.tree.parent(of: node),
            remote.tree.name(of: node) == spot.remoteName,
            remote[parent].id == spot.folderId ?? synced.facts(at: spot.place.parent)?.remoteId,
            let agreed = synced.node(id), synced.tree.place(of: agreed) != spot.place
        else { return nil }
        return Outcome(remote: remote[node])
    }

    /// It lies where it was to be moved, and that was not written down: no person has moved it.
    private func movedHere(_ mine: LocalFingerprint, _ id: String, to spot: Spot) -> Outcome? {
        guard let local = local.facts(at: spot.place), local.kind == mine.kind,
            local.stamp.isSameInode(as: mine.stamp), let agreed = synced.node(id),
            synced.tree.place(of: agreed) != spot.place,
            let folder = spot.folderId ?? synced.facts(at: spot.place.parent)?.remoteId,
            let parent = synced.node(folder),
            !synced.tree.isWithin(parent, agreed)
        else { return nil }
        return Outcome(local: local)
    }

    /// What is here counts as it was when it was sent: what has been done to it since is to be sent next.
    private func touched(_ theirs: RemoteFingerprint, modifiedAt: Timestamp, executable: Bool) -> Outcome? {
        guard let file = told.file(theirs.id), file.version > theirs.version, file.modifiedAt == modifiedAt,
            file.executable == executable,
            let sent = sent(theirs, modifiedAt: modifiedAt, executable: executable),
            sent.hash == RemoteFacts(file).checksum
        else { return nil }
        return Outcome(remote: RemoteFacts(file), local: sent)
    }
}

// MARK: - What more has to be asked for

extension Evidence {
    /// What a download came to if it was put in its place, and was taken away or saved over before that was written down: so it
    /// is where what had arrived for it waits in the staging folder no more.
    func changedSinceInstalled(_ request: Unanswered) -> Outcome? {
        guard case .download(let spot, let theirs, let over) = request.action.step, let hash = theirs.checksum,
            let file = told.file(theirs.id), isFileOrNothing(spot.place),
            let folder = spot.folderId ?? synced.facts(at: spot.place.parent)?.remoteId, synced.node(folder) != nil,
            (synced.facts(at: spot.place)?.remoteId ?? theirs.id) == theirs.id
        else { return nil }
        let agreed = synced.facts(theirs.id)
        guard agreed?.checksum == over?.hash, (agreed == nil) == (over == nil), over?.hash != hash else { return nil }
        let stamp = LocalStamp(size: theirs.size, modifiedAt: file.modifiedAt)
        return Outcome(
            remote: told.brought(theirs, modifiedAt: file.modifiedAt, file.executable),
            local: LocalFacts(kind: .file, stamp: stamp, executable: file.executable, hash: hash))
    }

    private func isFileOrNothing(_ place: Place) -> Bool {
        guard local.specials[place] == nil else { return false }
        return local.facts(at: place).map { $0.kind == .file } ?? true
    }

    /// Whether the folder into which something was sent is deleted for good by now.
    func mayBePurged(_ spot: Spot) -> Bool {
        spot.folderId.map { told.file($0) == nil && synced.node($0) != nil } ?? false
    }

    /// With its folder, what was in its place there with the same content was deleted for good: it had arrived, and whoever
    /// deleted it had it before their eyes.
    func purged(_ spot: Spot, _ mine: LocalFingerprint, _ memory: DeletionMemory) -> Outcome? {
        guard let hash = mine.hash, let node = spot.folderId.flatMap({ synced.node($0) }) else { return nil }
        // The folder may have been moved since.
        let place = synced.tree.place(of: node).appending(spot.place.name)
        guard synced.node(at: place) == nil, let id = memory.fileId(at: place, kind: .file, hash: hash),
            synced.node(id) == nil
        else { return nil }
        return Outcome(remote: RemoteFacts(id: id, kind: .file, checksum: hash, size: mine.stamp.size))
    }

    /// What was sent as a new version arrived, and was deleted for good by somebody who had that version before their eyes: it was
    /// no edit of something that others had deleted.
    func purged(_ over: RemoteFingerprint, _ mine: LocalFingerprint, _ memory: DeletionMemory) -> Outcome? {
        guard let hash = mine.hash, let agreed = synced.facts(over.id), agreed.checksum != hash,
            agreed.baseRevisionId == over.revisionId, memory.checksum(of: over.id) == hash
        else { return nil }
        var remote = RemoteFacts(id: over.id, kind: .file, checksum: hash, size: mine.stamp.size)
        remote.executable = agreed.remoteExecutable
        remote.modifiedAt = agreed.remoteModifiedAt
        remote.version = agreed.version
        return Outcome(remote: remote)
    }

    /// Where the bytes are by now that were sent as a new version, where the server has another since; nil where nothing has
    /// overtaken it, or they are gone.
    func placeOfOvertaken(_ mine: LocalFingerprint, _ over: RemoteFingerprint, from first: Place) -> Place? {
        guard let base = over.revisionId, let file = told.file(over.id), file.headRevisionId != base,
            let agreed = synced.facts(over.id), agreed.baseRevisionId == base, agreed.checksum != mine.hash
        else { return nil }
        func isIt(_ facts: LocalFacts) -> Bool { mine.matches(facts) && facts.hash == mine.hash }
        if let facts = local.facts(at: first), isIt(facts) { return first }
        return local.tree.subtree(of: .root).first { isIt(local[$0]) }.map { local.tree.place(of: $0) }
    }

    /// Whether nothing that was answered since has moved it on.
    func isAwaiting(_ theirs: RemoteFingerprint) -> Bool {
        synced.facts(theirs.id).map { $0.version <= theirs.version } ?? false
    }

    /// What is here, as it was when its time and its executable bit were sent.
    func sent(_ theirs: RemoteFingerprint, modifiedAt: Timestamp, executable: Bool) -> LocalFacts? {
        guard let agreed = synced.facts(theirs.id), var stamp = agreed.local else { return nil }
        stamp.modifiedAt = modifiedAt
        return LocalFacts(kind: .file, stamp: stamp, executable: executable, hash: agreed.checksum)
    }
}
