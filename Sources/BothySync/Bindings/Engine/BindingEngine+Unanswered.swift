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
/// is news on top of it. What it did not do is withdrawn, and refused when it arrives; except for an upload that is still
/// to be made in the same way, which resumes.
extension BindingEngine {
    /// - Parameters:
    ///   - plan: what is to be done as far as it is known.
    ///   - open: the pass that has begun already, where one has: what is settled is part of that.
    /// - Returns: of what was settled, so that both sides are to be looked at anew, what went on beside the passes and is to be
    ///   told; nil where nothing was.
    func settleUnanswered(in sight: inout Sight, _ plan: Plan, during open: SyncPass?) async throws -> [Decision]? {
        let running = Set(long.running.values.compactMap(\.request))
        let unanswered = try await store.unanswered(binding: binding.id).filter { !running.contains($0.key) }
        guard !unanswered.isEmpty else { return nil }
        let uploads = plan.actions.filter { $0.step.movesBytes && $0.step.changesTheServer }
        let wanted = Set(uploads.map(ActionPerformer.key))
        var evidence = try await evidence(in: sight.scene)
        let isHere = !(plan.sighting?.isOfAnotherFolder ?? false)
        var pass = open
        var isAnySettled = false
        var told = [Decision]()
        for request in unanswered where isHere || request.action.step.changesTheServer {
            let isWanted = wanted.contains(request.key)
            if let outcome = try await outcome(of: request, evidence, isWanted: isWanted) {
                let wasBeside = long.answered(request.key, to: request.action)
                let current = try await settlingPass(pass, lived: sight.scene.lived, isConfirmed: !wasBeside)
                pass = current
                isAnySettled = true
                let (decision, rows) = try await settle(request, outcome, &evidence.synced, in: current)
                sight.unsettled?.ids.formUnion(rows.written + rows.removed)
                for place in request.action.step.places { untold.places.insert(place) }
                if wasBeside { told.append(decision) }
            } else if !isWanted {
                try await store.forgetRequest(request.key, binding: binding.id)
            }
        }
        guard isAnySettled, let pass else { return nil }
        if open == nil { try await store.endPass(pass, at: environment.clock.now()) }
        sight.scene.synced = evidence.synced
        return told
    }

    /// The pass that had begun it, where something cut that off; else one for all that is settled now.
    private func settlingPass(_ begun: SyncPass?, lived: Int64, isConfirmed: Bool) async throws -> SyncPass {
        if let begun { return begun }
        if let cutOff = try await store.cutOffPass(of: binding.id) { return cutOff }
        return try await store.beginPass(
            of: binding.id, at: environment.clock.now(), lived: lived, isConfirmed: isConfirmed)
    }

    private func evidence(in scene: ActionPerformer.Scene) async throws -> Evidence {
        // A look at what is new alone has told the cache nothing.
        _ = try await cache.pull()
        return Evidence(
            local: scene.local, synced: scene.synced, device: try await performer.drive.authenticate().deviceId)
    }

    private func settle(
        _ request: Unanswered, _ outcome: Outcome, _ synced: inout SyncedTree, in pass: SyncPass
    ) async throws -> (Decision, SettledRows) {
        let id = outcome.remote?.id ?? request.action.step.remoteId
        let trace = Decision.Trace(before: id.flatMap { synced.facts($0) }, remoteId: id)
        let rows = synced.settle(request.action, outcome)
        let decision = Decision(
            passId: pass.id, at: environment.clock.now(), action: request.action, trace: trace)
        try await store.settle(
            [SettledStep(decision, rows, of: synced, answered: request.key)], binding: binding.id)
        return (decision, rows)
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
