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
///
/// The server is asked what came of each request. What it did is agreed on as it was right then, so that whatever anybody did since
/// is news on top of it. What it did not do is withdrawn, and refused when it arrives; but for an upload that is still
/// to be made just so, which goes on where it was.
extension BindingEngine {
    /// - Parameter plan: what is to be done as far as it is known.
    /// - Returns: whether anything was settled, so that both sides are to be looked at anew.
    func settleUnanswered(in scene: ActionPerformer.Scene, _ plan: Plan) async throws -> Bool {
        let unanswered = try await store.unanswered(binding: binding.id)
        guard !unanswered.isEmpty else { return false }
        let uploads = plan.actions.filter { $0.step.movesBytes && $0.step.changesTheServer }
        let wanted = try Set(uploads.map { try ActionPerformer.key(of: $0) })
        var evidence = try await evidence(in: scene)
        let isHere = !(plan.sighting?.isOfAnotherFolder ?? false)
        var pass: SyncPass?
        for request in unanswered where isHere || request.action.step.changesTheServer {
            let isWanted = wanted.contains(request.key)
            if let outcome = try await outcome(of: request, evidence, isWanted: isWanted) {
                if pass == nil { pass = try await settlingPass(lived: scene.lived) }
                if let pass { try await settle(request, outcome, &evidence.synced, in: pass) }
            } else if !isWanted {
                try await store.forgetRequest(request.key, binding: binding.id)
            }
        }
        if let pass { try await store.endPass(pass, at: environment.clock.now()) }
        return pass != nil
    }

    /// The pass that had begun it, where something cut that off; else one for all that is settled now.
    private func settlingPass(lived: Int64) async throws -> SyncPass {
        if let cutOff = try await store.cutOffPass(of: binding.id) { return cutOff }
        return try await store.beginPass(
            of: binding.id, at: environment.clock.now(), lived: lived, isConfirmed: true)
    }

    private func evidence(in scene: ActionPerformer.Scene) async throws -> Evidence {
        // A look at what is new alone has told the cache nothing.
        _ = try await cache.pull()
        return Evidence(
            local: scene.local, synced: scene.synced, device: try await performer.drive.authenticate().deviceId)
    }

    private func settle(
        _ request: Unanswered, _ outcome: Outcome, _ synced: inout SyncedTree, in pass: SyncPass
    ) async throws {
        let id = outcome.remote?.id ?? request.action.step.remoteId
        let trace = Decision.Trace(before: id.flatMap { synced.facts($0) }, remoteId: id)
        let rows = synced.settle(request.action, outcome)
        let decision = Decision(
            passId: pass.id, at: environment.clock.now(), action: request.action, trace: trace)
        try await store.settle(
            [SettledStep(decision, rows, of: synced, answered: request.key)], binding: binding.id)
    }

    // MARK: - What came of it

    /// - Returns: nil for nothing that is to be agreed on.
    private func outcome(
        of request: Unanswered, _ evidence: Evidence, isWanted: Bool
    ) async throws -> Outcome? {
        guard request.action.step.changesTheServer else { return try await outcomeHere(of: request, evidence) }
        switch try await performer.drive.end(of: request.requestId, withdrawing: !isWanted) {
        case .done(let file): return evidence.outcome(of: request.action.step, leaving: file)
        case .nothing: return nil
        }
    }

    private func outcomeHere(of request: Unanswered, _ evidence: Evidence) async throws -> Outcome? {
        switch request.action.step {
        case .download(let spot, let theirs, let over):
            let file = try await cache.file(theirs.id)
            if let installed = evidence.installed(theirs, at: spot.place, of: file) { return installed }
            guard let changed = evidence.changedSinceInstalled(spot, theirs, over: over, of: file),
                let hash = theirs.checksum, try await !performer.isStaged(theirs, hash)
            else { return nil }
            return changed
        case .moveLocal(let mine, let id?, _, let spot, true): return evidence.moved(mine, id, to: spot)
        default: return nil
        }
    }
}
