/// What is still agreed on when a bound folder is another folder than it was.
extension SyncedTree {
    /// What a folder holds at the very places that were agreed on: it was copied there with all that is known of it. The rest is
    /// forgotten, so that what stands in a place by chance is no edit of what was there.
    ///
    /// - Parameter local: what the folder holds, each file read.
    package func held(by local: LocalTree) -> SyncedTree {
        var held = SyncedTree(rootId: rootId, root: local[.root].stamp)
        for node in tree.subtree(of: .root).dropFirst() {
            var facts = self[node]
            guard let folder = tree.parent(of: node), held.node(self[folder].remoteId) != nil,
                let here = local.facts(at: tree.place(of: node)), here.kind == facts.kind,
                facts.kind == .folder || here.hash == facts.checksum, facts.local != nil
            else { continue }
            facts.local = here.stamp
            held.put(facts, named: tree.name(of: node), under: self[folder].remoteId)
        }
        return held
    }
}
