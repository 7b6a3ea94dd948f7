import BothyContract
import BothySync

/// Where an undoing is cut off.
struct CutOff {
    enum Moment: CaseIterable {
        case beforeIt, halfDone, beforeItIsWritten
    }

    /// Reversals that were done and written down before.
    var count: Int
    var moment: Moment
}

extension PlannedWorld {
    mutating func undo(
        _ taken: [TakenStep], decidedSince: Set<String> = []
    ) -> (reversed: [TakenStep], refused: [Reversal]) {
        var begun = Undoing.Begun()
        return undo(taken, decidedSince: decidedSince, begun: &begun)
    }

    mutating func cut(_ moment: CutOff.Moment, _ reversal: Reversal, of taken: TakenStep) {
        switch (moment, reversal) {
        case (.beforeItIsWritten, _): _ = try? reverse(reversal, of: taken, isWritten: false)
        case (.halfDone, .exchangeHere(let at, .file, _?)), (.halfDone, .exchangeHere(let at, .folder, _?)):
            keepHere(at)
        default: break
        }
    }

    /// Goes on with an undoing that was cut off, as `BindingEngine` does.
    ///
    /// - Returns: what could not be reversed.
    mutating func goOn(_ taken: [TakenStep], from before: Undoing.Begun) throws -> [Reversal] {
        var begun = before
        let turns = Undoing.plan(taken, remote: remote, local: local, begun: begun)
        let isInTrash: (String) -> Bool = { [takenBack] in !takenBack.contains($0) }
        if let found = Undoing.inFlight(in: turns, after: begun, remote, local, isInTrash: isInTrash) {
            begun = found.begun
            if let done = found.done {
                let decided = found.turn.decided
                synced.settle(done, remote: done.remoteId.flatMap { remote.facts($0) }, reopening: decided)
                if let decided { reopened.insert(decided.id) }
            }
        }
        return undo(taken, begun: &begun).refused
    }
}
