/// A row of what is agreed on, with its place in the tree: by it a node comes back with all that was known of it.
package struct AgreedRow: Equatable, Sendable {
    package var facts: SyncedFacts
    package var name: NodeName
    package var parentId: String

    package init(facts: SyncedFacts, name: NodeName, parentId: String) {
        self.facts = facts
        self.name = name
        self.parentId = parentId
    }

    init(_ synced: SyncedTree, _ node: SyncedTree.ID) {
        self.init(
            facts: synced[node], name: synced.tree.name(of: node),
            parentId: synced.tree.parent(of: node).map { synced[$0].remoteId } ?? synced.rootId)
    }
}

extension SyncedTree {
    /// A node and all below it; nothing where it is not agreed on.
    package func rows(of remoteId: String) -> [AgreedRow] {
        node(remoteId).map { top in tree.subtree(of: top).map { AgreedRow(self, $0) } } ?? []
    }

    /// What was agreed on of a folder that both sides have back is agreed on again, so that what others have done in it since
    /// is news and no conflict.
    ///
    /// - Parameters:
    ///   - rows: of the folder and all that was below it, in any order.
    ///   - place: where it stands here.
    ///   - there: what the server has of it by now. The rest is new here, or nowhere.
    mutating func agreeAgain(
        on rows: [AgreedRow], of remoteId: String, at place: Place, there: Set<String>
    ) -> SettledRows {
        guard let top = rows.first(where: { $0.facts.remoteId == remoteId }), top.name == place.name,
            node(at: place) == nil, node(at: place.parent) == node(top.parentId)
        else { return SettledRows() }
        let below = Dictionary(grouping: rows, by: \.parentId)
        var (settled, waiting) = (SettledRows(), [top])
        while let row = waiting.popLast() {
            let id = row.facts.remoteId
            guard there.contains(id), node(id) == nil, put(row.facts, named: row.name, under: row.parentId) else {
                continue
            }
            settled.written.append(id)
            waiting += below[id] ?? []
        }
        return settled
    }
}
