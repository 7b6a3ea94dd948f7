import BothyClient
import BothyContract

/// Going on with the taking back of a pass that something cut off (a crash, a signal, a server that is gone), or that
/// came to its end without some of it.
extension BindingEngine {
    /// The pass that had begun to take `pass`, or one conflict of it, back; nil where none left anything.
    func begunUndoing(of pass: SyncPass, _ conflict: Int64?) async throws -> SyncPass? {
        guard let conflict else {
            guard pass.isUndoneInPart, let id = pass.undoneBy else { return nil }
            return try await store.pass(id)
        }
        let last = try await store.undoing(ofConflict: conflict, in: pass.id)
        return last?.isUnfinished == true ? last : nil
    }

    /// What is left to be taken back. The step that was being taken when something cut it off may have been done, and not written
    /// down as such: then it is now.
    ///
    /// - Parameter begun: by what it was begun, as that was found.
    func turns(
        of pass: SyncPass, _ old: [Decision], in look: Look, goingOnWith begun: SyncPass?,
        _ synced: inout SyncedTree
    ) async throws -> [Undoing.Turn] {
        let (taken, decided) = (old.map(TakenStep.init), try await store.decided(since: pass))
        func plan(_ begun: Undoing.Begun) -> [Undoing.Turn] {
            Undoing.plan(taken, remote: look.remote, local: look.local, decidedSince: decided, begun: begun)
        }
        guard let journal = begun else { return plan(Undoing.Begun()) }
        let indices = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1.id, $0) })
        var begun = Undoing.Begun()
        for decision in try await store.decisions(of: journal.id) {
            guard let index = decision.trace.reversed.flatMap({ indices[$0] }) else { continue }
            if decision.trace.failure == nil { begun.noteDone(of: index) } else { begun.noteFailure(of: index) }
        }
        let turns = plan(begun)
        // What came to its end has written down all that it did.
        guard journal.endedAt == nil else { return turns }
        let inTrash = try await inTrash(of: turns)
        guard
            let found = Undoing.inFlight(in: turns, after: begun, look.remote, look.local, isInTrash: inTrash.contains)
        else { return turns }
        if let done = found.done {
            try await writeDown(done, of: found.turn, old[found.turn.index], in: look, journal, &synced)
        }
        return plan(found.begun)
    }

    /// Of what is to be brought back, what still lies in the trash.
    private func inTrash(of turns: [Undoing.Turn]) async throws -> Set<String> {
        let keeps = turns.flatMap(\.reversals).compactMap {
            if case .exchangeHere(_, _, let keep) = $0 { keep } else { nil }
        }
        return try await performer.onDisk { disk in Set(try keeps.filter { try disk.isInTrash($0) }) }
    }

    /// What is needed to reverse it in its turn, as far as that can be seen now.
    private func writeDown(
        _ reversal: Reversal, of turn: Undoing.Turn, _ old: Decision, in look: Look, _ journal: SyncPass,
        _ synced: inout SyncedTree
    ) async throws {
        var trace = Decision.Trace(remoteId: reversal.remoteId, reversal: reversal)
        trace.note(turn, reversing: old)
        switch reversal {
        case .trashThere(let id, _, _, _, _): trace.was = look.scene.spot(of: id)
        case .moveThere(_, _, let from, _): trace.was = from
        case .exchangeHere(let at, let taking, let bringing):
            if taking != .nothing { trace.keep = try await takenAway(from: at) }
            if bringing != nil { trace.content = look.local.facts(at: at)?.hash }
            if let bringing { try await store.takeFromTrash(bringing) }
        default: break
        }
        let decision = Decision(
            passId: journal.id, at: environment.clock.now(), action: Action(old.action.step, .takenBack), trace: trace)
        let remote = reversal.remoteId.flatMap { look.remote.facts($0) }
        let rows = synced.settle(reversal, remote: remote, reopening: turn.decided)
        try await store.settle(
            [
                SettledStep(
                    decision, rows, of: synced, answered: nil,
                    reversing: turn.isBegun || reversal != turn.reversals.first ? nil : old)
            ],
            binding: binding.id)
    }

    /// Where in the local trash lies what was last taken back there.
    private func takenAway(from place: Place) async throws -> String? {
        try await store.trash(of: binding.id).first { $0.place == place && $0.reason == .takenBack }?.keep
    }
}
