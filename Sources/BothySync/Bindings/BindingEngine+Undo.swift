import BothyClient
import BothyContract

/// Taking a pass back, as `Undoing` plans it: each step is written down before the next.
extension BindingEngine {
    /// - Returns: what was reversed, and what could not be because it has changed since.
    /// - Throws: `fileMissing` where the folder itself is not as it was.
    package func undo(_ pass: SyncPass, tell: @Sendable (Decision) -> Void = { _ in }) async throws -> PassReport {
        let look = try await look()
        try Self.refuse(look.plan.sighting)
        let old = try await store.decisions(of: pass.id).filter { $0.trace.failure == nil }
        let journal = try await store.beginPass(
            of: binding.id, at: environment.clock.now(), lived: look.scene.lived, isConfirmed: true, undoing: pass.id)
        var reversing = Reversing(
            performer: performer, cache: cache, cursor: look.scene.cursor, lived: look.scene.lived)
        var synced = look.scene.synced
        var report = PassReport()
        report.passId = journal.id
        for turn in Undoing.plan(old.map(TakenStep.init), remote: look.remote, local: look.local) {
            let agreed = try await agreed(on: turn, keep: old[turn.index].trace.keep)
            // What cannot come back here does not come back on the server alone: a failure ends its turn.
            reversals: for reversal in turn.reversals {
                try Task.checkCancellation()
                var decision = Decision(
                    passId: journal.id, at: environment.clock.now(),
                    action: Action(old[turn.index].action.step, .takenBack), trace: Decision.Trace(reversal: reversal))
                do {
                    if turn.hasChanged { throw SubtreeCheck.changed(reversal.places[0]) }
                    guard let remote = try await reversing.reverse(reversal, noting: &decision.trace) else { continue }
                    let rows = synced.settle(reversal, remote: remote.facts, agreed: agreed, there: remote.there)
                    try await store.settle(
                        [SettledStep(decision, rows, of: synced, answered: nil)], binding: binding.id)
                    report.taken.append(decision)
                } catch let failure as ClientFailure where failure.isOfOneItem {
                    decision.trace.failure = failure
                    try await store.note(decision, of: binding.id)
                    report.failed.append(decision)
                    tell(decision)
                    break reversals
                }
                tell(decision)
            }
        }
        try await store.endPass(journal, at: environment.clock.now())
        return report
    }

    /// What was agreed on of a folder that a turn brings back. It is read before anything of it leaves the trash.
    private func agreed(on turn: Undoing.Turn, keep: String?) async throws -> [AgreedRow] {
        let bringsBack = turn.reversals.contains { if case .rejoinThere(_, _, nil, _) = $0 { true } else { false } }
        guard bringsBack, let keep else { return [] }
        return try await store.agreed(onTrashed: keep)
    }

    /// What looks as if everything were gone is no state to take anything back in.
    private static func refuse(_ sighting: Guard.Sighting?) throws(ClientFailure) {
        switch sighting {
        case nil, .manyDeletions, .rootEmptied: return
        case .rootVanished?, .rootUnmounted?, .rootReplaced?, .remoteRootLost?:
            throw ClientFailure(
                .fileMissing, "Nothing can be taken back: \(sighting!.words).", remedy: sighting!.remedy)
        }
    }
}

extension TakenStep {
    init(_ decision: Decision) {
        let trace = decision.trace
        self.init(
            decision.action.step, reversal: trace.reversal, before: trace.before, was: trace.was,
            remoteId: trace.remoteId, replaced: trace.replaced, content: trace.content, keep: trace.keep)
    }
}
