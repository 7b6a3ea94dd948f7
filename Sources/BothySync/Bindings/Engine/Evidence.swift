import BothyClient
import BothyContract

/// What came of actions that are not written down as done. Either side may have gone on since: then that was done to what the
/// action brought, and is neither a conflict nor something new.
struct Evidence {
    let local: LocalTree
    var synced: SyncedTree
    /// This one, as files name it.
    let device: String

    // MARK: - On the server

    /// - Parameter file: what the server had of it when it had done what was asked.
    /// - Returns: nil where what was agreed on has gone on, so that there is nothing to add to it.
    func outcome(of step: Step, leaving file: File?) -> Outcome? {
        switch step {
        case .trashRemote(let theirs, _, _): return synced.node(theirs.id) == nil ? nil : Outcome()
        case .makeRemoteFolder(let spot, _, _): return made(file, in: spot) { RemoteFacts($0) }
        case .upload(let spot, let mine, nil, _):
            return made(file, in: spot) { RemoteFacts($0, sent: mine, by: device) }
        case .upload(let spot, let mine, let over?, _):
            // Over what was never agreed on it is the first that is agreed on of that.
            if let file, file.id == over.id, synced.node(file.id) == nil {
                return made(file, in: spot) { RemoteFacts($0, sent: mine, by: device) }
            }
            return moved(file).map { Outcome(remote: RemoteFacts($0, sent: mine, by: device)) }
        case .moveRemote(_, _, let spot, true):
            // What was deleted by then is moved against its deletion, and is to come back where it was moved to.
            guard let file = moved(file), !file.trashed, let folder = folder(of: spot),
                let agreed = synced.node(file.id), !synced.tree.isWithin(folder, agreed)
            else { return nil }
            return Outcome(remote: RemoteFacts(file))
        case .untrashRemote(_, let spot):
            guard let file = moved(file), folder(of: spot) != nil else { return nil }
            return Outcome(remote: RemoteFacts(file))
        case .touchRemote(_, _, let modifiedAt, let executable):
            guard let file = moved(file), let agreed = synced.facts(file.id), var stamp = agreed.local else {
                return nil
            }
            // What is here counts as it was when its time was sent: what was done to it since is to be sent next.
            stamp.modifiedAt = modifiedAt
            let sent = LocalFacts(kind: .file, stamp: stamp, executable: executable, hash: agreed.checksum)
            return Outcome(remote: RemoteFacts(file), local: sent)
        default: return nil
        }
    }

    private func folder(of spot: Spot) -> SyncedTree.ID? {
        (spot.folderId ?? synced.facts(at: spot.place.parent)?.remoteId).flatMap { synced.node($0) }
    }

    private func made(_ file: File?, in spot: Spot, _ facts: (File) -> RemoteFacts) -> Outcome? {
        guard let file, synced.node(file.id) == nil, folder(of: spot) != nil else { return nil }
        return Outcome(remote: facts(file))
    }

    /// The file, if it is a step on from what was agreed on.
    private func moved(_ file: File?) -> File? {
        guard let file, let agreed = synced.facts(file.id), agreed.version < file.version else { return nil }
        return file
    }

    // MARK: - Here

    /// The revision that the action brought lies there, whatever the server has by now: nothing of it, perhaps.
    func installed(_ theirs: RemoteFingerprint, at place: Place, of file: File?) -> Outcome? {
        guard let hash = theirs.checksum, let local = local.facts(at: place), local.hash == hash,
            synced.facts(theirs.id)?.checksum != hash
        else { return nil }
        // Its time and executable bit are those that it was brought with: what the server has said since is news.
        return Outcome(
            remote: Self.brought(theirs, of: file, modifiedAt: local.stamp.modifiedAt, local.executable), local: local)
    }

    /// What a download came to if it was put in its place, and was taken away or saved over before that was written down: so it
    /// is where what had arrived for it no longer waits in the staging folder.
    func changedSinceInstalled(
        _ spot: Spot, _ theirs: RemoteFingerprint, over: LocalFingerprint?, of file: File?
    ) -> Outcome? {
        guard let hash = theirs.checksum, let file, isFileOrNothing(spot.place), folder(of: spot) != nil,
            (synced.facts(at: spot.place)?.remoteId ?? theirs.id) == theirs.id
        else { return nil }
        // Of a version that was set aside nothing is agreed on in its place any more.
        let agreed = synced.facts(theirs.id).flatMap { $0.local == nil ? nil : $0 }
        guard agreed?.checksum == over?.hash, (agreed == nil) == (over == nil), over?.hash != hash else { return nil }
        let stamp = LocalStamp(size: theirs.size, modifiedAt: file.modifiedAt)
        return Outcome(
            remote: Self.brought(theirs, of: file, modifiedAt: file.modifiedAt, file.executable),
            local: LocalFacts(kind: .file, stamp: stamp, executable: file.executable, hash: hash))
    }

    private func isFileOrNothing(_ place: Place) -> Bool {
        guard local.specials[place] == nil else { return false }
        return local.facts(at: place).map { $0.kind == .file } ?? true
    }

    /// A file as it was when a revision of it was brought.
    private static func brought(
        _ theirs: RemoteFingerprint, of file: File?, modifiedAt: Timestamp, _ executable: Bool
    ) -> RemoteFacts {
        var facts = file.map { RemoteFacts($0) } ?? RemoteFacts(id: theirs.id, kind: .file)
        facts.headRevisionId = theirs.revisionId
        facts.checksum = theirs.checksum
        facts.size = theirs.size
        facts.version = theirs.version
        facts.modifiedAt = modifiedAt
        facts.executable = executable
        return facts
    }

    /// It lies where it was to be moved, and that was not written down: no person has moved it.
    func moved(_ mine: LocalFingerprint, _ id: String, to spot: Spot) -> Outcome? {
        guard let local = local.facts(at: spot.place), local.kind == mine.kind,
            local.stamp.isSameInode(as: mine.stamp), let agreed = synced.node(id),
            synced.tree.place(of: agreed) != spot.place, let folder = folder(of: spot),
            !synced.tree.isWithin(folder, agreed)
        else { return nil }
        return Outcome(local: local)
    }
}
