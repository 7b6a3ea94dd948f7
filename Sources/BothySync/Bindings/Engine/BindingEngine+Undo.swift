import BothyClient
import BothyContract

/// Taking a pass back, as `Undoing` plans it: each step is written down before the next.
extension BindingEngine {
    /// Where something cut it off before, it resumes from there; what failed before is tried again.
    ///
    /// - Parameter conflict: a decision about a conflict; that alone is taken back, with all that the pass did to its files.
    /// - Returns: what was reversed now, and what could not be because it has changed since.
    /// - Throws: `fileMissing` where the folder itself is not as it was.
    package func undo(
        _ pass: SyncPass, conflict: Int64? = nil, tell: @Sendable (Decision) -> Void = { _ in }
    ) async throws -> PassReport {
        let look = try await look()
        try refuse(look.plan.sighting)
        let begun = try await begunUndoing(of: pass, conflict)
        let old = try await toBeReversed(of: pass, conflict, goingOnWith: begun)
        let journal =
            if let begun { begun } else {
                try await store.beginPass(
                    of: binding.id, at: environment.clock.now(), lived: look.scene.lived, isConfirmed: true,
                    undoing: pass.id, conflict: conflict)
            }
        var course = Course(
            reversing: Reversing(
                performer: performer, cache: cache, remote: look.remote, cursor: look.scene.cursor,
                lived: look.scene.lived),
            synced: look.scene.synced)
        // Before anything is taken back: what goes by that must never look like a deletion, whatever ends this.
        if old.contains(where: \.hasTied) { try await holdTie(true) }
        course.report.passId = journal.id
        let turns = try await turns(of: pass, old, in: look, goingOnWith: begun, &course.synced)
        if let begun { try await store.reopen(begun) }
        let agreed = try await agreed(on: turns)
        for turn in turns {
            try await take(turn, old[turn.index], agreed[turn.index] ?? [], journal, &course, tell)
            try await store.makeDurable()
        }
        // Linked again as they were.
        if course.report.failed.isEmpty, old.contains(where: \.hasUntied) { try await holdTie(false) }
        // Also of what came back before something cut it off.
        try await store.forgetAgreed(onTrashed: old.compactMap(\.trace.keep))
        try await store.endPass(journal, at: environment.clock.now())
        cacheLack = .news
        return course.report
    }

    /// How far it is by now.
    private struct Course {
        var reversing: Reversing
        var synced: SyncedTree
        var report = PassReport()
        var stuck = Undoing.Stuck()
    }

    /// A failure ends a turn, and those that belong to it.
    private func take(
        _ turn: Undoing.Turn, _ old: Decision, _ agreed: [AgreedRow], _ journal: SyncPass, _ course: inout Course,
        _ tell: @Sendable (Decision) -> Void
    ) async throws {
        let isLeftOut = course.stuck.leavesOut(turn, of: old.action.step)
        for reversal in turn.reversals {
            try Task.checkCancellation()
            var decision = Decision(
                passId: journal.id, at: environment.clock.now(), action: Action(old.action.step, .takenBack),
                trace: Decision.Trace(reversal: reversal))
            decision.trace.note(turn, reversing: old)
            do {
                if turn.hasChanged { throw Self.changed(reversal.places[0]) }
                if let other = course.stuck.place(blocking: turn) { throw Self.waiting(for: other) }
                if isLeftOut { throw Self.changed(reversal.places[0]) }
                guard let remote = try await course.reversing.reverse(reversal, noting: &decision.trace) else {
                    // Others have seen to it since: there is nothing left to try.
                    if turn.isTriedAgain { try await note(Self.changed(reversal.places[0]), on: &decision) }
                    continue
                }
                let rows = course.synced.settle(
                    reversal, remote: remote.facts, agreed: agreed, there: remote.there, reopening: turn.decided)
                // The first of them brings back what the step took away.
                let undone = !turn.isBegun && reversal == turn.reversals.first ? old : nil
                try await store.settle(
                    [SettledStep(decision, rows, of: course.synced, answered: nil, reversing: undone)],
                    binding: binding.id)
                course.report.taken.append(decision)
                if let decided = turn.decided { course.report.reopened.insert(decided.id) }
                tell(decision)
            } catch let failure as ClientFailure where failure.isOfOneItem {
                try await note(failure, on: &decision)
                course.stuck.note(turn, of: old.action.step, isForGood: failure.asksForAnotherLook)
                // Of its other half it was told already.
                guard !isLeftOut else { return }
                course.report.failed.append(decision)
                return tell(decision)
            }
        }
    }

    private func note(_ failure: ClientFailure, on decision: inout Decision) async throws {
        decision.trace.failure = failure
        decision.trace.mayGoWell = failure.asksForAnotherLook ? nil : true
        try await store.note(decision, of: binding.id)
    }

    private static func changed(_ place: Place) -> ClientFailure {
        ClientFailure(
            .changedMeanwhile, "“\(place)” was changed or deleted since.", remedy: "It is checked again at once.")
    }

    private static func waiting(for place: Place) -> ClientFailure {
        ClientFailure(
            .pendingWork, "It depends on “\(place)”, which could not be undone.",
            remedy: "It is undone together with that.")
    }

    /// What a pass did that is to be taken back now, in its order.
    private func toBeReversed(
        of pass: SyncPass, _ conflict: Int64?, goingOnWith begun: SyncPass?
    ) async throws -> [Decision] {
        let standing = try await store.standing(of: pass.id, but: begun?.id)
        guard let conflict else { return standing }
        let all = try await store.decisions(of: pass.id).filter { $0.trace.failure == nil }
        guard let index = all.firstIndex(where: { $0.id == conflict }) else { return [] }
        let together = Undoing.together(with: index, in: all.map(TakenStep.init))
        let ids = Set(together.map { all[$0].id })
        return standing.filter { ids.contains($0.id) }.map { decision in
            // The link of the two sides stays as it is.
            var decision = decision
            decision.trace.isLinking = nil
            return decision
        }
    }

    private func holdTie(_ isTakenBack: Bool) async throws {
        binding.isLinkTakenBack = isTakenBack
        // Known at once: no pass may come for long.
        if isTakenBack {
            binding.waits = Binding.Waiting()
            binding.waits.sighting = .linkTakenBack
        } else if binding.waits.sighting == .linkTakenBack {
            binding.waits.sighting = nil
        }
        try await store.write(.link, .outcome, of: binding)
        // What is taken back next is on both sides' disks at once.
        try await store.makeDurable()
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
                .fileMissing, "Nothing can be undone: \(sighting!.words).",
                remedy: RemedyWords.filled(
                    sighting!.remedy, folder: binding.localPath, remote: binding.remotePath))
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
        reopened = trace.reopened
        decidesAgain = trace.decidesAgain
        brought = trace.brought ?? []
    }
}

extension Decision.Trace {
    /// What it is the taking back of.
    mutating func note(_ turn: Undoing.Turn, reversing old: Decision) {
        reversed = old.id
        isLinking = old.trace.isLinking.map { !$0 }
        reopened = turn.decided
        decidesAgain = turn.reopened
    }
}
