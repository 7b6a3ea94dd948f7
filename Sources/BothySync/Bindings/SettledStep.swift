import GRDB

/// One step that was taken, as it is written down.
package struct SettledStep: Sendable {
    let decision: Decision
    private let removed: [String]
    private let written: [Row]
    /// The request that has been answered by it.
    private let answered: String?

    /// - Parameters:
    ///   - rows: what the step moved in `synced`, which is as it is after the step.
    ///   - answered: see ``ActionPerformer/Performed/answered``.
    package init(_ decision: Decision, _ rows: SettledRows, of synced: SyncedTree, answered: String?) {
        self.decision = decision
        self.answered = answered
        removed = rows.removed.filter { synced.node($0) == nil }
        written = rows.written.compactMap { id in synced.node(id).map { Row(synced, $0) } }
    }

    /// A row of what is agreed on.
    struct Row: Sendable {
        var facts: SyncedFacts
        var name: NodeName
        var parentId: String

        init(_ synced: SyncedTree, _ node: SyncedTree.ID) {
            facts = synced[node]
            name = synced.tree.name(of: node)
            parentId = synced.tree.parent(of: node).map { synced[$0].remoteId } ?? synced.rootId
        }
    }

    func save(binding: String, in db: Database) throws {
        for id in removed { try SyncedNodeTable.remove(id, of: binding, in: db) }
        for row in written {
            try SyncedNodeTable.save(row.facts, named: row.name, under: row.parentId, of: binding, in: db)
        }
        if let answered { try SyncRequestTable.forget(answered, binding: binding, in: db) }
        for place in decision.action.step.places { try SyncChoiceTable.save(nil, at: place, of: binding, in: db) }
        try DecisionTable.save(decision, of: binding, in: db)
        if let weight = Guard.weight(of: decision.action) {
            try SyncPassTable.note(weight.count, lost: weight.direction, in: decision.passId, db)
        }
    }
}
