/// Which places are of one file or folder: where it is here, where both sides agreed that it is, and where the server has it.
package struct Whereabouts: Sendable {
    private let remote: RemoteTree
    private let local: LocalTree
    let synced: SyncedTree
    /// By slot of what was agreed on, what it is here; and the other way round.
    private let hereOf: [LocalTree.ID?]
    private var agreedOf: [SyncedTree.ID?]

    package init(_ remote: RemoteTree, _ local: LocalTree, _ synced: SyncedTree, disk: DiskTraits) {
        self.remote = remote
        var local = local
        local.tree.fold(for: disk)
        self.local = local
        self.synced = synced
        hereOf = LocalMatching(synced, to: local, remote, disk: disk).localOf
        agreedOf = Array(repeating: nil, count: local.tree.slotCount)
        for node in synced.tree.subtree(of: .root) {
            if let here = hereOf[node.slot] { agreedOf[here.slot] = node }
        }
    }

    /// One file or folder, on up to three trees.
    package struct Item: Equatable, Sendable {
        package let here: Place?
        package let agreed: Place?
        /// On the server, or under which both sides agreed on it; nil for what is new here.
        package let remoteId: String?
        /// Wherever it is, or comes to be where one side has it not: in its folder, wherever that has gone.
        fileprivate let all: [Place]
    }

    /// What is here at a place; else what was agreed on there, and else what the server has there. Nil for nothing.
    package func item(at place: Place) -> Item? {
        if let node = local.node(at: place) { return item(node, agreedOf[node.slot], nil) }
        if let node = synced.node(at: place) { return item(hereOf[node.slot], node, nil) }
        guard let node = remote.tree.node(at: place) else { return nil }
        let agreed = synced.node(remote[node].id)
        return item(agreed.flatMap { hereOf[$0.slot] }, agreed, node)
    }

    private func item(_ here: LocalTree.ID?, _ agreed: SyncedTree.ID?, _ known: RemoteTree.ID?) -> Item {
        let there = known ?? agreed.flatMap { remote.node(synced[$0].remoteId) }
        let onDisk = agreed.map(placeHere) ?? here.map { local.tree.place(of: $0) } ?? there.map(placeHere)
        let onServer = there.map { remote.tree.place(of: $0) } ?? here.map(placeThere)
        let place = agreed.map { synced.tree.place(of: $0) }
        return Item(
            here: here.map { local.tree.place(of: $0) }, agreed: place,
            remoteId: there.map { remote[$0].id } ?? agreed.map { synced[$0].remoteId },
            all: [onDisk, place, onServer, agreed.flatMap(placeToBe)].compactMap(\.self))
    }

    /// In the folder that both sides agreed on, where the server has that now, and it is brought here next.
    private func placeToBe(_ node: SyncedTree.ID) -> Place? {
        let folder = synced.tree.parent(of: node).flatMap { remote.node(synced[$0].remoteId) }
        return folder.map { remote.tree.place(of: $0).appending(synced.tree.name(of: node)) }
    }

    /// What both sides last agreed on about it.
    package func agreed(_ item: Item) -> SyncedFacts? { item.agreed.flatMap { synced.facts(at: $0) } }

    /// Where else a plan may speak of it. What is at another's place is that one.
    package func otherPlaces(of item: Item, than place: Place) -> [Place] {
        item.all.filter { other in
            other != place && self.item(at: other).map { $0 == item } ?? true
        }
    }

    private func placeHere(_ node: SyncedTree.ID) -> Place {
        if let here = hereOf[node.slot] { return local.tree.place(of: here) }
        guard let folder = synced.tree.parent(of: node) else { return .root }
        return placeHere(folder).appending(synced.tree.name(of: node))
    }

    private func placeHere(_ node: RemoteTree.ID) -> Place {
        if let agreed = synced.node(remote[node].id) { return placeHere(agreed) }
        guard let folder = remote.tree.parent(of: node) else { return .root }
        return placeHere(folder).appending(remote.tree.name(of: node))
    }

    private func placeThere(_ node: LocalTree.ID) -> Place {
        if let agreed = agreedOf[node.slot], let there = remote.node(synced[agreed].remoteId) {
            return remote.tree.place(of: there)
        }
        guard let folder = local.tree.parent(of: node) else { return .root }
        return placeThere(folder).appending(local.tree.name(of: node))
    }
}
