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

    private func holder(_ node: LocalTree.ID) -> Int { node.slot < view.ofLocal.count ? view.ofLocal[node.slot] : -1 }
    private func holder(_ node: RemoteTree.ID) -> Int {
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

    // MARK: - On the disk

    /// Frees the name that an item shall have here. False where what has it may not be touched.
    mutating func makeRoomHere(_ index: Int) -> Bool {
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
        if view.nameChangedHere(index) { renameThere(index) }
        let node = view.items[index].local!
        let folder = local.tree.parent(of: node)!
        let name = passingName(index, in: folder)
        let spot = Spot(
            local.tree.place(of: folder).appending(name), folderId: nil, remoteName: view.items[index].remoteName)
        let step = Step.moveLocal(
            localFingerprint(index), remoteId: agreedId(index), from: currentPlace(index), to: spot, settles: false)
        add(step, .nameMakesWay)
        moveHere(index, to: folder, name)
    }

    /// What is not agreed on yet gets one that a person could have given: should this be cut off, nothing would tell that it had
    /// another.
    private func passingName(_ index: Int, in folder: LocalTree.ID) -> NodeName {
        if let id = agreedId(index) { return GivenNames.temporary(for: id) { occupantHere($0, of: folder) != nil } }
        let name = local.tree.name(of: view.items[index].local!)
        var attempt = 0
        while isWanted(GivenNames.numbered(name, attempt: attempt), in: folder) { attempt += 1 }
        return GivenNames.numbered(name, attempt: attempt)
    }

    /// Whether a name is taken, here or there.
    private func isWanted(_ name: NodeName, in folder: LocalTree.ID) -> Bool {
        if occupantHere(name, of: folder) != nil || isBlocked(name, of: folder) { return true }
        let there = holder(folder) >= 0 ? view.items[holder(folder)].remote : nil
        return there.map { remote.tree.child(name, of: $0) != nil } ?? false
    }

    /// Whether everything below goes too, so that it can go at once.
    private func isWholeDropHere(_ node: LocalTree.ID) -> Bool {
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
    mutating func makeRoomThere(_ index: Int) -> Bool {
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

    private mutating func makeWayThere(_ index: Int) {
        if view.nameChangedThere(index) { renameHere(index) }
        let node = view.items[index].remote!
        let folder = remote.tree.parent(of: node)!
        let name = GivenNames.temporary(for: remote[node].id) { remote.tree.child($0, of: folder) != nil }
        let spot = Spot(currentPlace(index), folderId: remote[folder].id, remoteName: name)
        let step = Step.moveRemote(remoteFingerprint(index), at: currentPlace(index), to: spot, settles: false)
        add(step, .nameMakesWay)
        moveThere(index, to: folder, name)
    }

    private func isWholeDropThere(_ node: RemoteTree.ID) -> Bool {
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

    // MARK: - Names that only one side knows

    /// Under a passing name on the server, nothing but the name here would tell which it was given there.
    private mutating func renameHere(_ index: Int) {
        let name = view.items[index].localName
        guard let node = view.items[index].local, let folder = local.tree.parent(of: node),
            local.tree.name(of: node) != name, occupantHere(name, of: folder) == nil, !isBlocked(name, of: folder)
        else { return }
        let spot = Spot(
            local.tree.place(of: folder).appending(name), folderId: nil, remoteName: view.items[index].remoteName)
        let step = Step.moveLocal(
            localFingerprint(index), remoteId: agreedId(index), from: currentPlace(index), to: spot, settles: false)
        add(step, moveReason(index))
        moveHere(index, to: folder, name)
    }

    /// Under a passing name here, nothing but the name on the server would tell which it was given here.
    private mutating func renameThere(_ index: Int) {
        let name = view.items[index].remoteName
        guard let node = view.items[index].remote, let folder = remote.tree.parent(of: node),
            remote.tree.name(of: node) != name, remote.tree.child(name, of: folder) == nil
        else { return }
        let spot = Spot(currentPlace(index), folderId: remote[folder].id, remoteName: name)
        add(.moveRemote(remoteFingerprint(index), at: currentPlace(index), to: spot, settles: false), moveReason(index))
        moveThere(index, to: folder, name)
    }

    // MARK: - Last

    /// Each with all below it. What is kept has left by now, but for what could not come to its place: a folder stays for that.
    mutating func writeDrops() {
        let dropped = view.items.indices.filter { view.items[$0].fate == .drop && !view.items[$0].isPlaced }
        let places = dropped.map { (currentPlace($0), $0) }.sorted { $0.0 < $1.0 }
        for (_, index) in places where !view.items[index].isPlaced {
            let item = view.items[index]
            if item.local.map(isWholeDropHere) ?? isWholeDropThere(item.remote!) {
                if item.local != nil { writeDropHere(index) } else { writeDropThere(index) }
            } else {
                view.keepForWhatIsInIt(index)
            }
        }
    }

    /// Folders before what is in them.
    mutating func writeMarks() {
        let marked = view.items.indices.filter { if case .mark = view.items[$0].fate { true } else { false } }
        for (place, index) in marked.map({ (currentPlace($0), $0) }).sorted(by: { $0.0 < $1.0 }) {
            guard case .mark(let reason) = view.items[index].fate else { continue }
            writeMark(index, place, reason)
            plan.standing[place] = .unsynced(reason)
        }
    }

    private mutating func writeMark(_ index: Int, _ place: Place, _ reason: UnsyncedReason) {
        let item = view.items[index]
        let mine = item.local.map { LocalFingerprint(local[$0]) }
        let remembered = view.memory.fileId(at: place, kind: mine?.kind ?? .file, hash: mine?.hash)
        guard let id = agreedId(index) ?? remembered else { return }
        let spot = Spot(place, folderId: remoteId(max(item.folder, 0)), remoteName: item.remoteName)
        add(.markUnsynced(remoteId: id, at: spot, mine: mine, reason), item.reason)
    }

    /// What neither side has any more. A folder's row takes the rows below it along, so it waits while one of them is needed:
    /// for the end where that one is being moved out, and for another time where that one is held.
    ///
    /// - Parameter isLast: whether everything has moved by now.
    mutating func writeForgets(isLast: Bool) {
        let forgotten = view.items.indices.filter { view.items[$0].fate == .forget && !view.items[$0].isPlaced }
        var isWhole: [Int: Bool] = [:]
        for index in forgotten.reversed() {
            isWhole[index] = view.synced.tree.children(of: view.items[index].synced!).allSatisfy { child in
                switch view.items[view.item(child)].fate {
                case .forget: isWhole[view.item(child)] ?? true
                case .keep, .drop: isLast
                case .stay, .mark: false
                }
            }
        }
        for index in forgotten where isWhole[index] == true {
            view.items[index].isPlaced = true
            if isWhole[view.syncedFolder(of: index)] == true { continue }
            let node = view.items[index].synced!
            add(.forget(remoteId: view.synced[node].remoteId, at: currentPlace(index)), view.items[index].reason)
        }
    }
}
