import BothyClient
import BothyContract
import Foundation

/// Which nodes of the three trees are one.
extension Comparison {
    mutating func pair() {
        let matching = LocalMatching(synced, to: local, remote, disk: policy.disk)
        let (isOutHere, isOutThere) = (nodesLeftOutHere(), nodesLeftOutThere())
        for node in synced.tree.subtree(of: .root) {
            pairAgreed(node, matching.localOf[node.slot], isOutHere, isOutThere)
        }
        for node in remote.tree.subtree(of: .root) where ofRemote[node.slot] < 0 && !isOutThere[node.slot] {
            pairNew(node, isOutHere)
        }
        for node in local.tree.subtree(of: .root) where ofLocal[node.slot] < 0 && !isOutHere[node.slot] {
            add(Item(local: node))
        }
    }

    private mutating func add(_ item: Item) {
        let index = items.count
        items.append(item)
        if let node = item.remote { ofRemote[node.slot] = index }
        if let node = item.local { ofLocal[node.slot] = index }
        if let node = item.synced { ofSynced[node.slot] = index }
    }

    // MARK: - What was agreed on

    private mutating func pairAgreed(
        _ node: SyncedTree.ID, _ found: LocalTree.ID?, _ isOutHere: [Bool], _ isOutThere: [Bool]
    ) {
        if node == .root { return add(Item(remote: .root, local: .root, synced: .root)) }
        var item = Item(remote: remote.node(synced[node].remoteId), local: found, synced: node)
        if !rules.isEmpty {
            let isOut = item.remote.map { isOutThere[$0.slot] } ?? true || item.local.map { isOutHere[$0.slot] } ?? true
            let facts = synced[node]
            let place = synced.tree.place(of: node)
            if isOut, let match = rules.matchWithFolders(place, kind: facts.kind, size: facts.size) {
                item = leftOut(item, node, by: match, isOutHere)
            } else if isOut, facts.kind == .file, let match = ruleOnSize(item, at: place) {
                // Here is an older version of what is there, or a newer.
                let isOnBoth = item.remote != nil && (item.local != nil || local.leftOut.contains(place))
                if isOnBoth {
                    item.fate = .stay(.ignored(rule: match.rule, source: match.source))
                } else {
                    item = leftOut(item, node, by: match, isOutHere)
                }
            } else {
                if let there = item.remote, isOutThere[there.slot] { item.remote = nil }
                if let here = item.local, isOutHere[here.slot] { item.local = nil }
            }
        }
        if item.fate == .keep {
            item.unknown = unknown(item, node)
            if item.remote == nil, isWhereAgreed(item.local, node), let other = recreated(node, isOutThere) {
                if wasNeverDeleted(node), !isSameContent(item.local, other) {
                    item = Item(synced: node, fate: .forget, reason: .absentWhileLinking)
                } else {
                    item.remote = other
                    item.isRebound = true
                }
            }
        }
        add(item)
    }

    /// What was agreed on stays known for as long as either side has it. Where a side has moved it to a place that no
    /// rule leaves out, it is something new there.
    private func leftOut(
        _ item: Item, _ node: SyncedTree.ID, by match: IgnoreRules.Match, _ isOutHere: [Bool]
    ) -> Item {
        if item.remote == nil, !isLeftOutHere(item, node, isOutHere) {
            return Item(synced: node, fate: .forget, reason: .deletedOnBothSides)
        }
        return Item(
            synced: node, fate: .stay(.ignored(rule: match.rule, source: match.source)),
            reason: synced[node].isKeptApart ? .sameOnBothSides : .leftOutNow)
    }

    /// Whether it may still be on the disk: of what a scan leaves out it tells the top alone.
    private func isLeftOutHere(_ item: Item, _ node: SyncedTree.ID, _ isOut: [Bool]) -> Bool {
        if let here = item.local, isOut[here.slot] { return true }
        let (folder, place) = (syncedParent(node), synced.tree.place(of: node))
        let above = folder >= 0 ? items[folder].local.map { local.tree.place(of: $0) } : nil
        return local.leavesOut((above ?? place.parent).appending(place.name))
    }

    /// By what it is left out where it has grown past what is taken in, on either side: it is no longer synced, and not gone.
    private func ruleOnSize(_ item: Item, at place: Place) -> IgnoreRules.Match? {
        guard let largest = rules.largestFile else { return nil }
        let sizes = [item.local.map { local[$0].stamp.size }, item.remote.map { remote[$0].size }]
        guard local.leftOut.contains(place) || sizes.contains(where: { $0 ?? 0 > largest }) else { return nil }
        return rules.match(place, kind: .file, size: .max)
    }

    /// Whether the disk has it where it was. What was moved here goes its own way: another in its old place is another.
    private func isWhereAgreed(_ here: LocalTree.ID?, _ node: SyncedTree.ID) -> Bool {
        let folder = syncedParent(node)
        guard let here, folder >= 0, local.tree.parent(of: here) == items[folder].local else { return false }
        return isSameOnDisk(local.tree.name(of: here), synced.tree.name(of: node))
    }

    /// Another of its kind and name that was made on the server where it was.
    private func recreated(_ node: SyncedTree.ID, _ isOut: [Bool]) -> RemoteTree.ID? {
        let folder = syncedParent(node)
        guard folder >= 0, let parent = items[folder].remote,
            let other = remote.tree.child(synced[node].remoteName, of: parent), !isOut[other.slot],
            ofRemote[other.slot] < 0, synced.node(remote[other].id) == nil, remote[other].kind == synced[node].kind
        else { return nil }
        return other
    }

    /// A server that was put back to a backup never had it: another in its place is no later version of it.
    private func wasNeverDeleted(_ node: SyncedTree.ID) -> Bool {
        policy.isLinking && synced[node].kind == .file && !memory.contains(synced[node].remoteId)
    }

    private func isSameContent(_ here: LocalTree.ID?, _ there: RemoteTree.ID) -> Bool {
        here.map { local[$0].hash == remote[there].checksum } ?? false
    }

    private func syncedParent(_ node: SyncedTree.ID) -> Int { item(synced.tree.parent(of: node)) }

    /// Why its absence is no deletion: nobody could look.
    private func unknown(_ item: Item, _ node: SyncedTree.ID) -> HoldReason? {
        if item.remote == nil, let misfit = remote.misfits[synced[node].remoteId] { return misfit.reason }
        guard let stamp = synced[node].local else { return nil }
        if let here = item.local { return hasLeftUnspelled(stamp, to: here) ? unspelled(as: stamp) : nil }
        if let kind = whereUnspelled(node) { return kind }
        let folder = syncedParent(node)
        guard folder >= 0 else { return nil }
        if let unknown = items[folder].unknown { return items[folder].local == nil ? unknown : nil }
        guard let parent = items[folder].local else { return nil }
        if local[parent].condition == .unreadable { return .unreadable }
        return whatTakes(synced.tree.name(of: node), of: parent)
    }

    /// Why it is not synced under the name that it was given, by itself or with a folder above it: it is there still. Nil where it has no such
    /// name.
    private func whereUnspelled(_ node: SyncedTree.ID) -> HoldReason? {
        guard !local.unspelled.isEmpty else { return nil }
        var next: SyncedTree.ID? = node
        while let at = next {
            if let stamp = synced[at].local, local.holdsUnspelled(stamp) { return unspelled(as: stamp) }
            next = synced.tree.parent(of: at)
        }
        return nil
    }

    private func unspelled(as stamp: LocalStamp) -> HoldReason {
        local.unspelledKind(stamp) == .partName ? .nameReserved : .nameNotText
    }

    /// Whether a folder was given such a name, and another has its place. Were that agreed on instead, nothing would tell
    /// any more that all that was in the first is there.
    private func hasLeftUnspelled(_ stamp: LocalStamp, to here: LocalTree.ID) -> Bool {
        local[here].kind == .folder && !stamp.isSameInode(as: local[here].stamp) && local.holdsUnspelled(stamp)
    }

    /// Why its absence is none where something that is no file or folder stands in its place.
    private func whatTakes(_ name: NodeName, of folder: LocalTree.ID) -> HoldReason? {
        guard !blocked.isEmpty, blocked.contains(NameHere(name, of: folder, on: policy.disk)) else { return nil }
        let place = local.tree.place(of: folder).appending(name)
        if let kind = local.specials[place] { return kind == .unmounted ? .unmounted : .placeTaken }
        let folded = place.folded(on: policy.disk)
        return local.specials.keys.contains { $0.folded(on: policy.disk) == folded } ? .placeTaken : nil
    }

    // MARK: - What is new

    /// Pairs a new node on the server with a new one here of the same place and kind.
    private mutating func pairNew(_ node: RemoteTree.ID, _ isOutHere: [Bool]) {
        var item = Item(remote: node)
        let folder = self.item(remote.tree.parent(of: node))
        if folder >= 0, let parent = items[folder].local,
            let name = NameMapping.localName(for: remote.tree.name(of: node), on: policy.disk),
            let found = childHere(name, remote.tree.name(of: node), of: parent), ofLocal[found.slot] < 0,
            !isOutHere[found.slot], local[found].kind == remote[node].kind
        {
            item.local = found
        }
        add(item)
    }

    /// By the name that the disk would be given, else by one that comes to the same on the server.
    private func childHere(_ name: NodeName, _ remoteName: NodeName, of folder: LocalTree.ID) -> LocalTree.ID? {
        if let child = local.tree.child(name, of: folder) { return child }
        if !policy.disk.foldsNames {
            if name.text.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
            return local.tree.child(NodeName(name.text.decomposedStringWithCanonicalMapping), of: folder)
        }
        return local.tree.child(name, of: folder, as: policy.disk).flatMap { child in
            NameMapping.remoteName(for: local.tree.name(of: child), on: policy.disk) == remoteName ? child : nil
        }
    }

    // MARK: - What the rules leave out

    private mutating func nodesLeftOutHere() -> [Bool] {
        var isOut = [Bool](repeating: false, count: local.tree.slotCount)
        guard !rules.isEmpty else { return isOut }
        for node in local.tree.subtree(of: .root).dropFirst() {
            if isOut[local.tree.parent(of: node)!.slot] {
                isOut[node.slot] = true
            } else if noteIfLeftOut(local.tree.place(of: node), local[node].kind, sizeOnEitherSide(ofLocal: node)) {
                isOut[node.slot] = true
                leftOutHere.append(node)
            }
        }
        return isOut
    }

    private mutating func nodesLeftOutThere() -> [Bool] {
        var isOut = [Bool](repeating: false, count: remote.tree.slotCount)
        guard !rules.isEmpty else { return isOut }
        for node in remote.tree.subtree(of: .root).dropFirst() {
            if isOut[remote.tree.parent(of: node)!.slot] {
                isOut[node.slot] = true
            } else if noteIfLeftOut(remote.tree.place(of: node), remote[node].kind, sizeOnEitherSide(ofRemote: node)) {
                isOut[node.slot] = true
                leftOutThere.append(node)
            }
        }
        return isOut
    }

    /// A file that is too large on one side is left out on both: it has not become two.
    private func sizeOnEitherSide(ofLocal node: LocalTree.ID) -> Int64 {
        let size = local[node].stamp.size
        guard rules.largestFile != nil, let there = remote.tree.node(at: local.tree.place(of: node)) else {
            return size
        }
        return remote[there].kind == .file ? max(size, remote[there].size) : size
    }

    private func sizeOnEitherSide(ofRemote node: RemoteTree.ID) -> Int64 {
        guard rules.largestFile != nil else { return remote[node].size }
        let place = remote.tree.place(of: node)
        // What a scan left out for its size is in no tree.
        if local.leftOut.contains(place) { return .max }
        let here = local.facts(at: place)
        return here?.kind == .file ? max(remote[node].size, here?.stamp.size ?? 0) : remote[node].size
    }

    private mutating func noteIfLeftOut(_ place: Place, _ kind: NodeKind, _ size: Int64) -> Bool {
        guard let match = rules.match(place, kind: kind, size: size) else { return false }
        standing[place] = .ignored(rule: match.rule, source: match.source)
        return true
    }
}
