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
/// request is still on its way.
extension BindingEngine {
    /// - Returns: whether anything was settled, so that both sides are to be looked at anew.
    func settleUnanswered(in scene: ActionPerformer.Scene) async throws -> Bool {
        let unanswered = try await store.unanswered(binding: binding.id)
        guard !unanswered.isEmpty else { return false }
        var evidence = try await evidence(in: scene)
        var settled = false
        for request in unanswered {
            if let outcome = try await outcome(of: request, evidence, in: scene) {
                try await settle(request, outcome, &evidence.synced, lived: scene.lived)
                settled = true
            } else if !request.action.step.sendsSomethingNew {
                // What makes or changes content may still be on its way, and has to be known when it arrives. The rest
                // was asked about again, or is refused then, by the content that it was asked about.
                try await store.forgetRequest(request.key, binding: binding.id)
            }
        }
        return settled
    }

    private func evidence(in scene: ActionPerformer.Scene) async throws -> Evidence {
        // A look at what is new alone has told the cache nothing.
        _ = try await cache.pull()
        let files = try await cache.files(below: binding.remoteId) ?? []
        let device = try await performer.drive.authenticate().deviceId
        let told = ToldFiles(files + (try await cache.trashed()), device: device)
        return Evidence(local: scene.local, remote: scene.remote, synced: scene.synced, told: told)
    }

    private func settle(
        _ request: Unanswered, _ outcome: Outcome, _ synced: inout SyncedTree, lived: Int64
    ) async throws {
        let now = environment.clock.now()
        let pass = try await store.beginPass(of: binding.id, at: now, lived: lived, isConfirmed: true)
        let id = outcome.remote?.id ?? request.action.step.remoteId
        let trace = Decision.Trace(before: id.flatMap { synced.facts($0) }, remoteId: id)
        let rows = synced.settle(request.action, outcome)
        let decision = Decision(passId: pass.id, at: now, action: request.action, trace: trace)
        try await store.settle(
            [SettledStep(decision, rows, of: synced, answered: request.key)], binding: binding.id)
        try await store.endPass(pass, at: now)
    }

    // MARK: - What came of it

    /// What both sides show; where they do not, what the staging folder, the server's memory, or the server itself tells.
    private func outcome(
        of request: Unanswered, _ evidence: Evidence, in scene: ActionPerformer.Scene
    ) async throws -> Outcome? {
        if let shown = evidence.outcome(of: request) { return shown }
        switch request.action.step {
        case .download(_, let theirs, _):
            guard let changed = evidence.changedSinceInstalled(request), let hash = theirs.checksum,
                try await !performer.isStaged(theirs, hash)
            else { return nil }
            return changed
        case .upload(let spot, let mine, nil, _) where evidence.mayBePurged(spot):
            return evidence.purged(spot, mine, try await memoryOfPurged())
        case .upload(let spot, let mine, let over?, _):
            if evidence.told.file(over.id) == nil { return evidence.purged(over, mine, try await memoryOfPurged()) }
            return try await sendAgain(request, spot, mine, over, evidence, in: scene)
        case .moveRemote(let theirs, _, _, true) where evidence.isAwaiting(theirs):
            return try await askAgain(request, in: scene)
        case .touchRemote(let theirs, _, let modifiedAt, let executable) where evidence.isAwaiting(theirs):
            return try await askAgain(request, in: scene).map {
                Outcome(remote: $0.remote, local: evidence.sent(theirs, modifiedAt: modifiedAt, executable: executable))
            }
        default: return nil
        }
    }

    // What the server shows nothing of may be on its way still, or overtaken by somebody's change: but the server answers
    // the same request the same again, and refuses it where it never arrived and what it was about has changed.

    private func sendAgain(
        _ request: Unanswered, _ spot: Spot, _ mine: LocalFingerprint, _ over: RemoteFingerprint, _ evidence: Evidence,
        in scene: ActionPerformer.Scene
    ) async throws -> Outcome? {
        guard let place = evidence.placeOfOvertaken(mine, over, from: spot.place) else { return nil }
        do {
            let sent = try await performer.send(spot, from: place, over: over, request.requestId, in: scene)
            return Outcome(remote: RemoteFacts(sent, sent: mine, by: evidence.told.device))
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
}
