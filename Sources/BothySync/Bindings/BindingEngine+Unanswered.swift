import BothyClient
import BothyContract

/// What was sent, or put in place here, before a crash, and is not written down as done. Either side may have gone on
/// since: then that edit was made from what the action brought, and is no conflict.
extension BindingEngine {
    /// - Returns: whether anything was settled, so that both sides are to be looked at anew.
    func settleUnanswered(in scene: ActionPerformer.Scene) async throws -> Bool {
        let unanswered = try await store.unanswered(binding: binding.id)
        guard !unanswered.isEmpty else { return false }
        var synced = scene.synced
        var settled = false
        for (key, action) in unanswered.sorted(by: { $0.key < $1.key }) {
            guard let outcome = done(by: action, in: scene), let file = outcome.remote else {
                if case .download = action.step { try await store.forgetRequest(key, binding: binding.id) }
                continue
            }
            let now = environment.clock.now()
            let pass = try await store.beginPass(of: binding.id, at: now, lived: scene.lived, isConfirmed: true)
            let trace = Decision.Trace(before: synced.facts(file.id), remoteId: file.id)
            let rows = synced.settle(action, outcome)
            let decision = Decision(passId: pass.id, at: now, action: action, trace: trace)
            try await store.settle(decision, rows, of: synced, binding: binding.id, answered: key)
            try await store.endPass(pass, at: now)
            settled = true
        }
        return settled
    }

    /// What the action has come to already, as far as the two sides show it.
    private func done(by action: Action, in scene: ActionPerformer.Scene) -> Outcome? {
        guard case .download(let spot, let theirs, _) = action.step else {
            return sent(by: action, in: scene).map { Outcome(remote: $0) }
        }
        return installed(theirs, at: spot.place, in: scene)
    }

    /// The revision that the action brought lies there, whatever the server has by now.
    private func installed(_ theirs: RemoteFingerprint, at place: Place, in scene: ActionPerformer.Scene) -> Outcome? {
        guard let hash = theirs.checksum, let local = scene.local.facts(at: place), local.hash == hash,
            var remote = scene.remote.facts(theirs.id), scene.synced.facts(theirs.id)?.checksum != hash
        else { return nil }
        if remote.headRevisionId != theirs.revisionId {
            remote.headRevisionId = theirs.revisionId
            remote.checksum = hash
            remote.size = theirs.size
            remote.version = theirs.version
            remote.modifiedAt = local.stamp.modifiedAt
            remote.executable = local.executable
        }
        return Outcome(remote: remote, local: local)
    }

    /// The file on the server that has what the action sent; nil when it never arrived, or has been changed since.
    private func sent(by action: Action, in scene: ActionPerformer.Scene) -> RemoteFacts? {
        guard case .upload(let spot, let mine, let over, _) = action.step, let hash = mine.hash else { return nil }
        let found: RemoteFacts?
        if let over {
            found = scene.remote.facts(over.id)
        } else {
            let folder = spot.folderId ?? scene.synced.facts(at: spot.place.parent)?.remoteId
            let parent = folder.flatMap { scene.remote.node($0) }
            found = parent.flatMap { scene.remote.tree.child(spot.remoteName, of: $0) }.map { scene.remote[$0] }
        }
        guard let found, found.checksum == hash, scene.synced.facts(found.id)?.checksum != hash else { return nil }
        return found
    }
}
