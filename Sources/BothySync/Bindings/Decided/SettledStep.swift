import GRDB

/// One step that was taken, as it is written down.
package struct SettledStep: Sendable {
    let decision: Decision
    /// Its action as JSON; nil where that is yet to be made.
    private let action: String?
    private let removed: [String]
    private let written: [AgreedRow]
    /// The request that has been answered by it.
    private let answered: String?
    /// What was taken back by it.
    private let reversing: Decision?

    /// - Parameters:
    ///   - rows: what the step moved in `synced`, which is as it is after the step.
    ///   - action: as JSON, where it is known.
    ///   - answered: see ``ActionPerformer/Performed/answered``.
    ///   - reversing: whose loss is none any more by this step, which is part of taking a pass back.
    package init(
        _ decision: Decision, written action: String? = nil, _ rows: SettledRows, of synced: SyncedTree,
        answered: String?, reversing: Decision? = nil
    ) {
        self.decision = decision
        self.action = action
        self.answered = answered
        self.reversing = reversing
        removed = rows.removed.filter { synced.node($0) == nil }
        written = rows.written.compactMap { id in synced.node(id).map { AgreedRow(synced, $0) } }
    }

    /// - Parameter noted: as it is before this step; as it is after it, then.
    func save(binding: String, _ noted: inout SeldomNoted, in db: Database) throws {
        if case .trashLocal(let mine, let id, _, _) = decision.action.step, mine.kind == .folder,
            decision.trace.reversal?.takesAFolderAway ?? true, let keep = decision.trace.keep
        {
            try TrashedNodeTable.note(id, as: keep, of: binding, in: db)
        }
        try countLoss(of: binding, &noted, in: db)
        for id in removed { try SyncedNodeTable.remove(id, of: binding, in: db) }
        for row in written {
            try SyncedNodeTable.save(row.facts, named: row.name, under: row.parentId, of: binding, in: db)
            if noted.hasLosses, row.facts.isOnBothSides {
                try SyncLossTable.cameBack(row.facts.remoteId, of: binding, in: db)
            }
        }
        if let answered { try SyncRequestTable.forget(answered, binding: binding, in: db) }
        try openOrClose(in: db, of: binding, &noted)
        if noted.hasChoices { try forgetChoices(of: binding, in: db) }
        try DecisionTable.save(decision, written: action, of: binding, in: db)
    }

    /// What a person chose has been acted on by this step, in its own place.
    private func forgetChoices(of binding: String, in db: Database) throws {
        if case .makeRemoteFolder(let spot, _, _) = decision.action.step, decision.trace.reversal == nil,
            let id = decision.trace.remoteId
        {
            try SyncChoiceTable.handDown(from: spot.place, id, of: binding, in: db)
        }
        for place in decision.action.step.places { try SyncChoiceTable.save(nil, at: place, of: binding, in: db) }
    }

    /// A conflict whose decision is taken back waits for its person, until both sides have one content again.
    private func openOrClose(in db: Database, of binding: String, _ noted: inout SeldomNoted) throws {
        if let reopened = decision.trace.reopened {
            try ReopenedTable.open(reopened.id, of: binding, in: db)
            noted.hasReopened = true
        } else if noted.hasReopened, let id = decision.trace.remoteId, decision.trace.reversal == nil,
            !decision.isFailedMerge, decision.action.step.agreesOnContent
        {
            try ReopenedTable.close(id, of: binding, in: db)
        }
    }

    /// What it removes counts, for a guard, until it is there again.
    private func countLoss(of binding: String, _ noted: inout SeldomNoted, in db: Database) throws {
        if decision.trace.reversal == nil, let weight = Guard.weight(of: decision.action) {
            try SyncPassTable.note(weight.count, lost: weight.direction, in: decision.passId, db)
            if decision.action.step.isDeletion, let id = decision.action.step.remoteId {
                try SyncLossTable.note(id, from: weight.direction, in: decision.passId, of: binding, db)
                noted.hasLosses = true
            }
        }
        if let reversing, reversing.trace.reversal == nil, let weight = Guard.weight(of: reversing.action) {
            try SyncPassTable.note(-weight.count, lost: weight.direction, in: reversing.passId, db)
            if let id = reversing.action.step.remoteId {
                try SyncLossTable.forget(id, in: reversing.passId, of: binding, db)
            }
        }
    }
}
