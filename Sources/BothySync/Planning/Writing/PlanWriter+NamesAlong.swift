import BothyContract

/// Names that were given on one side alone, and go along to the other before what has them makes way: under a passing name
/// nothing else would tell them, should the way be cut off there. Where one cannot go along, the item keeps the name that it has
/// on the other side, so that a plan ends as its steps do when each is planned anew.
extension PlanWriter {
    /// Before it makes way on the server.
    mutating func bringNameHere(_ index: Int) {
        let item = view.items[index]
        guard item.fate == .keep, view.nameChangedThere(index), let node = item.local,
            let folder = local.tree.parent(of: node), local.tree.name(of: node) != item.localName
        else { return }
        guard isFreeHere(item.localName, in: folder, for: index),
            // A name that only stands for it here would be taken for one that was given here.
            NameMapping.remoteName(for: item.localName, on: view.policy.disk) == item.remoteName
        else { return keepName(index, local.tree.name(of: node)) }
        leaveSpelling(index, for: item.localName, in: folder)
        let spot = Spot(
            local.tree.place(of: folder).appending(item.localName), folderId: nil, remoteName: item.remoteName)
        let step = Step.moveLocal(
            localFingerprint(index), remoteId: agreedId(index), from: currentPlace(index), to: spot, settles: false)
        add(step, moveReason(index))
        moveHere(index, to: folder, item.localName)
    }

    /// Before it makes way here.
    mutating func bringNameThere(_ index: Int) {
        let item = view.items[index]
        guard item.fate == .keep, view.nameChangedHere(index), let node = item.remote,
            let folder = remote.tree.parent(of: node), remote.tree.name(of: node) != item.remoteName
        else { return }
        guard isFreeThere(item.remoteName, in: folder, for: index) else {
            guard let name = NameMapping.localName(for: remote.tree.name(of: node), on: view.policy.disk) else {
                return
            }
            return keepName(index, name)
        }
        let spot = Spot(currentPlace(index), folderId: remote[folder].id, remoteName: item.remoteName)
        add(.moveRemote(remoteFingerprint(index), at: currentPlace(index), to: spot, settles: false), moveReason(index))
        moveThere(index, to: folder, item.remoteName)
    }

    private func isFreeHere(_ name: NodeName, in folder: LocalTree.ID, for index: Int) -> Bool {
        if let occupant = occupantHere(name, of: folder), holder(occupant) != index { return false }
        let claimant = view.claims.holderHere(NameMapping.fold(name, on: view.policy.disk), in: holder(folder))
        return !isBlocked(name, of: folder) && (claimant ?? index) == index
            && !isAgreedFor(another: index, name, folder)
    }

    /// What stands at a place that was agreed on is taken for what was agreed on there.
    private func isAgreedFor(another index: Int, _ name: NodeName, _ folder: LocalTree.ID) -> Bool {
        guard holder(folder) >= 0, let agreed = view.items[holder(folder)].synced,
            let child = view.synced.tree.child(name, of: agreed)
        else { return false }
        return view.item(child) != index
    }

    private func isFreeThere(_ name: NodeName, in folder: RemoteTree.ID, for index: Int) -> Bool {
        if let occupant = remote.tree.child(name, of: folder), holder(occupant) != index { return false }
        return (view.claims.holderThere(name, in: holder(folder)) ?? index) == index
    }

    /// - Parameter name: of the item, here.
    private mutating func keepName(_ index: Int, _ name: NodeName) {
        let folder = view.items[view.items[index].folder]
        let there = NameMapping.remoteName(for: name, on: view.policy.disk) ?? name
        guard !GivenNames.isTemporary(name), !GivenNames.isTemporary(there),
            folder.local.map({ isFreeHere(name, in: $0, for: index) }) ?? true,
            folder.remote.map({ isFreeThere(there, in: $0, for: index) }) ?? true
        else { return }
        view.keepName(index, name)
    }
}
