import BothyClient
import BothyContract

/// Names that others still have.
extension PlanWriter {
    func occupantHere(_ name: NodeName, of folder: LocalTree.ID) -> LocalTree.ID? {
        local.tree.child(name, of: folder, as: view.policy.disk)
    }

    /// Whether something stands there that is never touched.
    func isBlocked(_ name: NodeName, of folder: LocalTree.ID) -> Bool {
        !view.blocked.isEmpty && view.blocked.contains(NameHere(name, of: folder, on: view.policy.disk))
    }

    mutating func note(_ node: LocalTree.ID, _ index: Int) {
        while view.ofLocal.count <= node.slot { view.ofLocal.append(-1) }
        view.ofLocal[node.slot] = index
    }

    mutating func note(_ node: RemoteTree.ID, _ index: Int) {
        while view.ofRemote.count <= node.slot { view.ofRemote.append(-1) }
        view.ofRemote[node.slot] = index
    }

    func holder(_ node: LocalTree.ID) -> Int { node.slot < view.ofLocal.count ? view.ofLocal[node.slot] : -1 }
    func holder(_ node: RemoteTree.ID) -> Int {
        node.slot < view.ofRemote.count ? view.ofRemote[node.slot] : -1
    }

    /// Brings the folders that an item shall be in to their places, unless one of them waits for what needs the item's name.
    private mutating func placeFolders(above index: Int) {
        guard view.items[index].fate == .keep, !view.items[index].isPlaced else { return }
        var (above, at) = ([Int](), view.items[index].folder)
        while at > 0 {
            above.append(at)
            at = view.items[at].folder
        }
        guard !above.contains(where: underWay.contains) else { return }
        for folder in above.reversed() where view.items[folder].isBusy { place(folder) }
    }

    private func isHeldBack(_ folder: Int) -> Bool { folder > 0 && view.items[folder].fate != .keep }

    /// As often as two sides may take each other's room: where a name goes along to the other side.
    private static let mostRounds = 4

    /// Frees the names that an item shall have, on both sides. False where what has one may not be touched.
    mutating func makeRoom(_ index: Int) -> Bool {
        for _ in 0..<Self.mostRounds {
            guard makeRoomThere(index), makeRoomHere(index) else { return false }
            if hasRoomThere(index) { return true }
        }
        return false
    }

    // MARK: - On the disk

    /// Frees the name that an item shall have here. False where what has it may not be touched.
    private mutating func makeRoomHere(_ index: Int) -> Bool {
        let name = view.items[index].localName
        guard let folder = view.items[view.items[index].folder].local else { return false }
        if isBlocked(name, of: folder) { return false }
        guard let occupant = occupantHere(name, of: folder) else { return true }
        let other = holder(occupant)
        if other == index { return true }
        guard other >= 0 else { return false }
        placeFolders(above: other)
        if occupantHere(name, of: folder) != occupant { return makeRoomHere(index) }
        switch view.items[other].fate {
        case .drop where isWholeDropHere(occupant): writeDropHere(other)
        // What cannot come to its own place keeps this one: under a passing name it would stay for good.
        case .keep where isHeldBack(view.items[other].folder): return false
        case .keep where !view.items[other].isPlaced && isReady(view.items[other].folder) && !underWay.contains(other):
            place(other)
            if local.tree.contains(occupant), occupantHere(name, of: folder) == occupant { return false }
        case .keep where !view.items[other].isPlaced, .drop: makeWayHere(other)
        case .keep, .stay, .mark, .forget: return false
        }
        return true
    }

    private mutating func makeWayHere(_ index: Int) {
        bringNameThere(index)
        takePassingName(index, .nameMakesWay)
    }

    /// A disk that takes two spellings for one name finds the new one taken, by the very thing that is to have it: by way of another name it
    /// gets there.
    mutating func leaveSpelling(_ index: Int, for name: NodeName, in folder: LocalTree.ID) {
        let (node, disk) = (view.items[index].local!, view.policy.disk)
        guard disk.foldsNames, agreedId(index) != nil, local.tree.parent(of: node) == folder,
            NameMapping.fold(local.tree.name(of: node), on: disk) == NameMapping.fold(name, on: disk)
        else { return }
        takePassingName(index, moveReason(index))
    }

    private mutating func takePassingName(_ index: Int, _ reason: Reason) {
        let node = view.items[index].local!
        let folder = local.tree.parent(of: node)!
        let name = passingName(index, in: folder)
        let spot = Spot(
            local.tree.place(of: folder).appending(name), folderId: nil, remoteName: view.items[index].remoteName)
        let step = Step.moveLocal(
            localFingerprint(index), remoteId: agreedId(index), from: currentPlace(index), to: spot, settles: false)
        add(step, reason)
        moveHere(index, to: folder, name)
    }

    /// What is not agreed on yet gets one that a person could have given: should this be cut off, nothing would tell that it had
    /// another.
    private mutating func passingName(_ index: Int, in folder: LocalTree.ID) -> NodeName {
        if let id = agreedId(index) { return GivenNames.temporary(for: id) { occupantHere($0, of: folder) != nil } }
        let name = local.tree.name(of: view.items[index].local!)
        var attempt = 0
        while isWanted(GivenNames.numbered(name, attempt: attempt), in: folder) { attempt += 1 }
        let number = GivenNames.numbered(name, attempt: attempt)
        if view.items[view.items[index].folder].local == folder { view.keepName(index, number) }
        return number
    }

    /// Whether a name is taken, here or there, or shall be.
    func isWanted(_ name: NodeName, in folder: LocalTree.ID) -> Bool {
        if occupantHere(name, of: folder) != nil || isBlocked(name, of: folder) { return true }
        if view.isClaimed(name, in: holder(folder)) { return true }
        let there = holder(folder) >= 0 ? view.items[holder(folder)].remote : nil
        return there.map { remote.tree.child(name, of: $0) != nil } ?? false
    }

    /// Whether everything below goes too, so that it can go at once.
    func isWholeDropHere(_ node: LocalTree.ID) -> Bool {
        local.tree.subtree(of: node).allSatisfy { holder($0) >= 0 && view.items[holder($0)].fate == .drop }
    }

    mutating func writeDropHere(_ index: Int) {
        let node = view.items[index].local!
        let step = Step.trashLocal(
            localFingerprint(index), remoteId: view.synced[view.items[index].synced!].remoteId, at: currentPlace(index),
            count: local.tree.subtreeCount(of: node))
        add(step, view.items[index].reason)
        for gone in local.tree.subtree(of: node) where holder(gone) >= 0 { view.items[holder(gone)].isPlaced = true }
        local.tree.remove(node)
    }

    // MARK: - On the server

    /// Frees the name that an item shall have on the server. False where what has it may not be touched.
    private mutating func makeRoomThere(_ index: Int) -> Bool {
        guard let folder = view.items[view.items[index].folder].remote else { return false }
        let name = view.items[index].remoteName
        guard let occupant = remote.tree.child(name, of: folder) else { return true }
        let other = holder(occupant)
        if other == index { return true }
        guard other >= 0 else { return false }
        placeFolders(above: other)
        if remote.tree.child(name, of: folder) != occupant { return makeRoomThere(index) }
        switch view.items[other].fate {
        case .drop where isWholeDropThere(occupant): writeDropThere(other)
        // What cannot come to its own place keeps this one: under a passing name it would stay for good.
        case .keep where isHeldBack(view.items[other].folder): return false
        case .keep where !view.items[other].isPlaced && isReady(view.items[other].folder) && !underWay.contains(other):
            place(other)
            if remote.tree.contains(occupant), remote.tree.child(name, of: folder) == occupant { return false }
        case .keep where !view.items[other].isPlaced, .drop: makeWayThere(other)
        case .keep, .stay, .mark, .forget: return false
        }
        return true
    }

    private func hasRoomThere(_ index: Int) -> Bool {
        guard let folder = view.items[view.items[index].folder].remote,
            let occupant = remote.tree.child(view.items[index].remoteName, of: folder)
        else { return true }
        return holder(occupant) == index
    }

    private mutating func makeWayThere(_ index: Int) {
        bringNameHere(index)
        let node = view.items[index].remote!
        let folder = remote.tree.parent(of: node)!
        let name = GivenNames.temporary(for: remote[node].id) { remote.tree.child($0, of: folder) != nil }
        let spot = Spot(currentPlace(index), folderId: remote[folder].id, remoteName: name)
        let step = Step.moveRemote(remoteFingerprint(index), at: currentPlace(index), to: spot, settles: false)
        add(step, .nameMakesWay)
        moveThere(index, to: folder, name)
    }

    func isWholeDropThere(_ node: RemoteTree.ID) -> Bool {
        remote.tree.subtree(of: node).allSatisfy { holder($0) >= 0 && view.items[holder($0)].fate == .drop }
    }

    mutating func writeDropThere(_ index: Int) {
        let node = view.items[index].remote!
        let step = Step.trashRemote(
            remoteFingerprint(index), at: currentPlace(index), count: remote.tree.subtreeCount(of: node))
        add(step, view.items[index].reason)
        for gone in remote.tree.subtree(of: node) where holder(gone) >= 0 { view.items[holder(gone)].isPlaced = true }
        remote.remove(remote[node].id)
    }
}
