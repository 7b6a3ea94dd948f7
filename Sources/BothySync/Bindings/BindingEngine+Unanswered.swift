import BothyClient
import BothyContract

/// What was sent before a crash and is not written down here. The person may have gone on editing since: then what was
/// sent is what that edit was made from, and no conflict.
extension BindingEngine {
    /// - Returns: whether anything was settled, so that both sides are to be looked at anew.
    func settleUnanswered(in scene: ActionPerformer.Scene) async throws -> Bool {
        let unanswered = try await store.unanswered(binding: binding.id)
        guard !unanswered.isEmpty else { return false }
        var synced = scene.synced
        var settled = false
        for (key, action) in unanswered.sorted(by: { $0.key < $1.key }) {
            guard let file = sent(by: action, in: scene) else { continue }
            let now = environment.clock.now()
            let pass = try await store.beginPass(of: binding.id, at: now, lived: scene.lived, isConfirmed: true)
            let trace = Decision.Trace(before: synced.facts(file.id), remoteId: file.id)
            let rows = synced.settle(action, Outcome(remote: file))
            let decision = Decision(passId: pass.id, at: now, action: action, trace: trace)
            try await store.settle(decision, rows, of: synced, binding: binding.id, answered: key)
            try await store.endPass(pass, at: now)
            settled = true
        }
        return settled
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
