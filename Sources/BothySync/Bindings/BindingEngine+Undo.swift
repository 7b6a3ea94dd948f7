import BothyClient
import BothyContract

/// Taking a pass back, as `Undoing` plans it: each step is written down before the next.
extension BindingEngine {
    /// Where something cut it off before, it goes on from there.
    ///
    /// - Returns: what was reversed now, and what could not be because it has changed since.
    /// - Throws: `fileMissing` where the folder itself is not as it was.
    package func undo(_ pass: SyncPass, tell: @Sendable (Decision) -> Void = { _ in }) async throws -> PassReport {
        let look = try await look()
        try refuse(look.plan.sighting)
        let old = try await store.decisions(of: pass.id).filter { $0.trace.failure == nil }
        let journal = try await journal(undoing: pass, lived: look.scene.lived)
        var reversing = Reversing(
            performer: performer, cache: cache, cursor: look.scene.cursor, lived: look.scene.lived)
        var synced = look.scene.synced
        // Before anything is taken back: what goes by that must never look like a deletion, whatever ends this.
        if old.contains(where: \.hasTied) { try await holdTie(true) }
        var report = PassReport()
        report.passId = journal.id
        let turns = try await turns(of: pass, old, in: look, journal, &synced)
        let agreed = try await agreed(on: turns)
        // Elsewhere than where its person is asked, a conflict would only be decided again as it was.
        let policy = try await policy()
        var stuck = Set<Step>()
        // What cannot come back here does not come back on the server alone: a failure ends its turn, and one that belongs to it.
        for turn in turns where !(turn.bringsBackThere && stuck.contains(old[turn.index].action.step)) {
            reversals: for reversal in turn.reversals {
                try Task.checkCancellation()
                var decision = Decision(
                    passId: journal.id, at: environment.clock.now(),
                    action: Action(old[turn.index].action.step, .takenBack), trace: Decision.Trace(reversal: reversal))
                decision.trace.isLinking = old[turn.index].trace.isLinking.map { !$0 }
                decision.trace.reversed = old[turn.index].id
                do {
                    if turn.hasChanged { throw SubtreeCheck.changed(reversal.places[0]) }
                    guard let remote = try await reversing.reverse(reversal, noting: &decision.trace) else { continue }
                    let rows = synced.settle(
                        reversal, remote: remote.facts, agreed: agreed[turn.index] ?? [], there: remote.there,
                        reopening: turn.decided.flatMap { policy.asks(about: $0.id, in: look.remote) ? $0 : nil })
                    // The first of them brings back what the step took away.
                    let undone = !turn.isBegun && reversal == turn.reversals.first ? old[turn.index] : nil
                    try await store.settle(
                        [SettledStep(decision, rows, of: synced, answered: nil, reversing: undone)],
                        binding: binding.id)
                    report.taken.append(decision)
                } catch let failure as ClientFailure where failure.isOfOneItem {
                    decision.trace.failure = failure
                    try await store.note(decision, of: binding.id)
                    report.failed.append(decision)
                    tell(decision)
                    stuck.insert(decision.action.step)
                    break reversals
                }
                tell(decision)
            }
        }
        // Tied again as they were.
        if report.failed.isEmpty, old.contains(where: \.hasUntied) { try await holdTie(false) }
        // Also of what came back before something cut it off.
        try await store.forgetAgreed(onTrashed: old.compactMap(\.trace.keep))
        try await store.endPass(journal, at: environment.clock.now())
        cacheLack = .news
        return report
    }

    private func holdTie(_ isTakenBack: Bool) async throws {
        binding.isLinkTakenBack = isTakenBack
        try await store.write(.link, of: binding)
    }

    /// What was agreed on of the folders that turns bring back, by the steps that they are about.
    private func agreed(on turns: [Undoing.Turn]) async throws -> [Int: [AgreedRow]] {
        var agreed: [Int: [AgreedRow]] = [:]
        for turn in turns {
            if let keep = turn.keep { agreed[turn.index] = try await store.agreed(onTrashed: keep) }
        }
        return agreed
    }

    /// What looks as if everything were gone is no state to take anything back in.
    private func refuse(_ sighting: Guard.Sighting?) throws(ClientFailure) {
        switch sighting {
        case nil, .manyDeletions, .rootEmptied, .linkTakenBack: return
        case .rootVanished?, .rootUnmounted?, .rootReplaced?, .remoteRootLost?:
            throw ClientFailure(
                .fileMissing, "Nothing can be taken back: \(sighting!.words).",
                remedy: RemedyWords.filled(
                    sighting!.remedy(in: binding), folder: binding.localPath, remote: binding.remotePath))
        }
    }
}

extension Decision {
    fileprivate var hasTied: Bool { trace.isLinking == true }
    fileprivate var hasUntied: Bool { trace.isLinking == false }

    /// Whether a file that both sides had changed is no longer in two versions by it.
    package var hasDecidedAConflict: Bool {
        action.reason.decidesAConflict && trace.failure == nil && !isFailedMerge
    }
}

extension TakenStep {
    init(_ decision: Decision) {
        let trace = decision.trace
        self.init(
            decision.action.step, reason: decision.action.reason, reversal: trace.reversal, before: trace.before,
            was: trace.was, remoteId: trace.remoteId, replaced: trace.replaced, content: trace.content,
            keep: trace.keep)
    }
}
