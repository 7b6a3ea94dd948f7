import BothyClient
import BothyContract

/// Writes down the way from how both sides are to how they shall be.
///
/// It walks the target from the root down and keeps two trees beside it, as the sides will be after the actions so far: each
/// action speaks of places at its own moment.
struct PlanWriter {
    var view: Comparison
    /// As the server will be after the actions so far.
    var remote: RemoteTree
    /// As the disk will be after the actions so far.
    var local: LocalTree
    var plan = Plan()
    /// Items whose turn has begun: one that needs a name of another waits for that one, and not in a circle.
    var underWay: Set<Int> = []
    /// Files that were deleted here and are to go there, by their content.
    private(set) lazy var deletedHere = Dictionary(
        grouping: view.items.indices.filter { view.items[$0].fate == .drop && view.items[$0].local == nil }
    ) { index in view.items[index].remote.flatMap { view.remote[$0].checksum } }

    init(_ view: Comparison) {
        self.view = view
        remote = view.remote
        local = view.local
    }

    mutating func write() -> Plan {
        plan.standing = view.standing
        plan.unsettled = view.unsettled
        plan.unmet = unmetWhileLinking()
        let busy = view.items.indices.filter { view.items[$0].isBusy && view.items[$0].fate == .keep }
        writeForgets(isLast: false)
        writeLeavingOut()
        writeRebinds(busy)
        writeRenewals(busy)
        let places = Dictionary(uniqueKeysWithValues: busy.map { ($0, targetPlace($0)) })
        for index in busy.sorted(by: { places[$0]! < places[$1]! }) { place(index) }
        writeDrops()
        writeMarks()
        writeForgets(isLast: true)
        for index in view.items.indices {
            guard case .stay(let standing) = view.items[index].fate, !view.isLeftOutWithItsFolder(index) else {
                continue
            }
            plan.standing[currentPlace(index)] = standing
        }
        return plan
    }

    mutating func add(_ step: Step, _ reason: Reason) { plan.actions.append(Action(step, reason)) }

    // MARK: - Where things are

    /// What is not on the disk is told of where it would be: in its folder, wherever that has gone by now.
    func currentPlace(_ index: Int) -> Place {
        if let node = view.items[index].local { return local.tree.place(of: node) }
        guard let agreed = view.items[index].synced, view.syncedFolder(of: index) >= 0 else {
            return view.place(of: index)
        }
        return currentPlace(view.syncedFolder(of: index)).appending(view.agreedNameHere(agreed))
    }

    private func targetPlace(_ index: Int) -> Place {
        var names: [NodeName] = []
        var at = index
        while at > 0 {
            names.append(view.items[at].localName)
            at = view.items[at].folder
        }
        return Place(names.reversed())
    }

    func remoteFingerprint(_ index: Int) -> RemoteFingerprint { RemoteFingerprint(remote[view.items[index].remote!]) }

    func localFingerprint(_ index: Int) -> LocalFingerprint { LocalFingerprint(local[view.items[index].local!]) }

    /// The id under which an item was agreed on.
    func agreedId(_ index: Int) -> String? {
        let item = view.items[index]
        if item.isRebound { return item.remote.map { remote[$0].id } }
        return item.isRenewed ? nil : item.synced.map { view.synced[$0].remoteId }
    }

    /// The id of an item on the server; nil while it is yet to be made.
    func remoteId(_ index: Int) -> String? {
        guard let node = view.items[index].remote, !remote[node].id.utf8.starts(with: [0]) else { return nil }
        return remote[node].id
    }

    /// Where an item shall be.
    func spot(_ index: Int) -> Spot {
        let item = view.items[index]
        let folder = view.items[item.folder].local.map { local.tree.place(of: $0) } ?? .root
        return Spot(folder.appending(item.localName), folderId: remoteId(item.folder), remoteName: item.remoteName)
    }

    mutating func hold(_ index: Int, _ reason: HoldReason) { view.items[index].fate = .stay(.held(reason)) }

    // MARK: - Before anything moves

    private mutating func writeRebinds(_ busy: [Int]) {
        for index in busy where view.items[index].isRebound {
            let old = view.synced[view.items[index].synced!].remoteId
            add(.rebind(remoteId: old, to: remoteFingerprint(index), at: currentPlace(index)), .recreatedThere)
        }
    }

    /// From the bottom up, since forgetting a folder forgets what is in it.
    private mutating func writeRenewals(_ busy: [Int]) {
        let renewed = busy.filter { view.items[$0].isRenewed && !(isRenewed(view.syncedFolder(of: $0))) }
        let places = renewed.map { (view.synced.tree.place(of: view.items[$0].synced!), $0) }
        for (place, index) in places.sorted(by: { $0.0 < $1.0 }) {
            let id = view.synced[view.items[index].synced!].remoteId
            add(.forget(remoteId: id, at: place), view.items[index].reason)
        }
    }

    private func isRenewed(_ index: Int) -> Bool { index >= 0 && view.items[index].isRenewed }

    // MARK: - One item

    /// Brings an item to its place on both sides, and its content after it.
    mutating func place(_ index: Int) {
        guard view.items[index].fate == .keep, !view.items[index].isPlaced, underWay.insert(index).inserted else {
            return
        }
        defer { underWay.remove(index) }
        let folder = view.items[index].folder
        guard isReady(folder) else { return hold(index, .folderHeld) }
        guard makeRoom(index) else { return hold(index, .placeTaken) }
        guard !isStillIn(index, folder) else { return hold(index, .folderHeld) }
        // It may have moved for what made room for it.
        let needsMoveThere = view.items[index].remote != nil && !isThere(index)
        let needsMoveHere = view.items[index].local != nil && !isHere(index)
        let isOnBoth = view.items[index].remote != nil && view.items[index].local != nil
        if needsMoveThere {
            writeMoveThere(index, settles: isOnBoth && !needsMoveHere && view.items[index].synced != nil)
        }
        if needsMoveHere { writeMoveHere(index, settles: isSettledByMoveHere(index, isOnBoth)) }
        if view.items[index].local == nil {
            bring(index)
        } else if view.items[index].remote == nil {
            send(index)
        } else {
            writeContent(index, wasMoved: needsMoveHere || needsMoveThere)
        }
        view.items[index].isPlaced = true
    }

    /// What the server no longer has is moved here alone. Where that is the planner's own doing it is agreed at once, or a
    /// crash would make a person's rename of it. So it is of what its person has edited, which is kept whatever its name.
    private func isSettledByMoveHere(_ index: Int, _ isOnBoth: Bool) -> Bool {
        guard view.items[index].synced != nil else { return false }
        if isOnBoth { return true }
        return view.items[index].remote == nil
            && (!view.movedHere(index) || view.items[index].reason == .editHereBeatsDeletion)
    }

    /// Whether a folder is where it shall be, on both sides, and all above it: one that still moves may stand below what is to
    /// come into it.
    func isReady(_ folder: Int) -> Bool {
        guard folder >= 0, view.items[folder].fate == .keep else { return false }
        var at = folder
        while at > 0 {
            if view.items[at].fate == .keep, view.items[at].isBusy, !view.items[at].isPlaced { return false }
            at = view.items[at].folder
        }
        return true
    }

    /// Whether a folder is, on a side, still in the item that is to come into it: what was to take it out of there is held.
    private func isStillIn(_ index: Int, _ folder: Int) -> Bool {
        let (item, target) = (view.items[index], view.items[folder])
        if let node = item.remote, let parent = target.remote, remote.tree.isWithin(parent, node) { return true }
        if let node = item.local, let parent = target.local, local.tree.isWithin(parent, node) { return true }
        return false
    }

    func isThere(_ index: Int) -> Bool {
        guard let node = view.items[index].remote else { return false }
        return remote.tree.parent(of: node) == view.items[view.items[index].folder].remote
            && remote.tree.name(of: node) == view.items[index].remoteName
    }

    func isHere(_ index: Int) -> Bool {
        guard let node = view.items[index].local else { return false }
        return local.tree.parent(of: node) == view.items[view.items[index].folder].local
            && local.tree.name(of: node) == view.items[index].localName
    }

    private mutating func writeMoveThere(_ index: Int, settles: Bool) {
        let step = Step.moveRemote(
            remoteFingerprint(index), at: currentPlace(index), to: spot(index), settles: settles)
        add(step, moveReason(index))
        moveThere(index, to: view.items[view.items[index].folder].remote!, view.items[index].remoteName)
    }

    private mutating func writeMoveHere(_ index: Int, settles: Bool) {
        leaveSpelling(index, for: view.items[index].localName, in: view.items[view.items[index].folder].local!)
        let step = Step.moveLocal(
            localFingerprint(index), remoteId: agreedId(index), from: currentPlace(index), to: spot(index),
            settles: settles)
        add(step, moveReason(index))
        moveHere(index, to: view.items[view.items[index].folder].local!, view.items[index].localName)
    }

    func moveReason(_ index: Int) -> Reason {
        let reason = view.items[index].moveReason
        if reason != .sameOnBothSides { return reason }
        return view.items[index].reason == .sameOnBothSides ? .movedHere : view.items[index].reason
    }

    mutating func moveThere(_ index: Int, to folder: RemoteTree.ID, _ name: NodeName) {
        let facts = remote[view.items[index].remote!]
        precondition(remote.put(facts, named: name, under: remote[folder].id), "room was made for it")
    }

    mutating func moveHere(_ index: Int, to folder: LocalTree.ID, _ name: NodeName) {
        precondition(local.tree.move(view.items[index].local!, to: folder, named: name), "room was made for it")
    }
}
