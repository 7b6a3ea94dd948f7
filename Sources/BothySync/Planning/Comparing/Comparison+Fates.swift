import BothyClient
import BothyContract

/// What becomes of each item: whether it is kept, and why. Absence is a deletion only where it cannot be anything else.
extension Comparison {
    mutating func decideFates() {
        for index in items.indices where items[index].fate == .keep {
            let (fate, reason) = fate(of: index)
            items[index].fate = fate
            items[index].reason = reason
            if reason == .editHereBeatsDeletion || reason == .moveHereBeatsDeletion {
                items[index].trashed = trashed(index)
            }
        }
        for index in items.indices where items[index].fate == .keep { keepWhatMoved(with: index) }
    }

    private typealias Verdict = (Fate, Reason)

    private func fate(of index: Int) -> Verdict {
        let item = items[index]
        if let unknown = item.unknown {
            // What stands in its place here says nothing of another place.
            if unknown == .placeTaken, item.remote != nil, movedThere(index) { return (.keep, .moveThereBeatsDeletion) }
            return (.stay(.held(unknown)), item.reason)
        }
        if let here = item.local, item.synced != .root, let held = hold(local[here]) {
            return (.stay(.held(held)), item.reason)
        }
        switch (item.remote, item.local, item.synced) {
        case (nil, nil, _): return (.forget, .deletedOnBothSides)
        case (_?, let here?, _): return fateOfKept(index, here)
        case (_?, nil, nil): return (.keep, .createdThere)
        case (nil, let here?, nil): return fateOfNew(here)
        case (let there?, nil, let agreed?): return fateOfMissingHere(index, there, agreed)
        case (nil, let here?, let agreed?): return fateOfMissingThere(index, here, agreed)
        }
    }

    private func hold(_ facts: LocalFacts) -> HoldReason? {
        switch facts.condition {
        case .unreadable: .unreadable
        case .beingWritten: .beingWritten
        case .quiet: facts.kind == .file && facts.hash == nil ? .notReadYet : nil
        }
    }

    private func fateOfKept(_ index: Int, _ here: LocalTree.ID) -> Verdict {
        guard !holding.isEmpty, local[here].kind == .file, movedHere(index),
            let held = holdWhereItStands(here)
        else { return (.keep, .sameOnBothSides) }
        return (.stay(.held(held)), .movedHere)
    }

    private func fateOfNew(_ here: LocalTree.ID) -> Verdict {
        let facts = local[here]
        if policy.isLinking, let id = memory.fileId(at: local.tree.place(of: here), kind: facts.kind, hash: facts.hash),
            synced.node(id) == nil, remote.node(id) == nil
        {
            return (.mark(.rememberedAsDeleted), .rememberedAsDeleted)
        }
        if let held = holdWhereItStands(here) { return (.stay(.held(held)), .createdHere) }
        return (.keep, .createdHere)
    }

    /// Whether it is in the place of something that would go on the server, or in a folder that is, and that is held: it waits
    /// for the same. Otherwise it would get a number in its name, and keep that for good.
    private func holdWhereItStands(_ here: LocalTree.ID) -> HoldReason? {
        guard let held = holding[.onTheServer] else { return nil }
        var at = here
        while let folder = local.tree.parent(of: at) {
            if let (index, agreed) = agreedUpon(local.tree.name(of: at), in: folder) {
                guard let there = items[index].remote, items[index].local == nil,
                    fateOfMissingHere(index, there, agreed) == (.stay(.held(held)), .deletedHere)
                else { return nil }
                return held
            }
            at = folder
        }
        return nil
    }

    /// What is agreed on by this name in a folder here, wherever that folder has been moved to since, if the server has it.
    private func agreedUpon(_ name: NodeName, in folder: LocalTree.ID) -> (index: Int, agreed: SyncedTree.ID)? {
        let above = item(folder)
        guard above >= 0, let parent = items[above].synced, let agreed = synced.tree.child(name, of: parent) else {
            return nil
        }
        let index = item(agreed)
        return index >= 0 && items[index].remote != nil ? (index, agreed) : nil
    }

    private func fateOfMissingHere(_ index: Int, _ there: RemoteTree.ID, _ node: SyncedTree.ID) -> Verdict {
        let agreed = synced[node]
        if agreed.local == nil { return (.keep, .conflictForked) }
        // It may have gone while a rule left it out, to make room here: that is no deletion.
        if agreed.mark == .leftOut { return (.keep, .createdThere) }
        if policy.isLinking { return (.keep, .absentWhileLinking) }
        // A folder that stayed for what was in it goes as soon as nothing in it keeps it.
        if case .unsynced(let reason) = agreed.mark, reason != .holdsWhatIsNotSynced {
            return (.keep, .backOnTheServer)
        }
        if remote[there].checksum != agreed.checksum { return (.keep, .editThereBeatsDeletion) }
        if movedThere(index), !isOnlyNumberedThere(index, agreed) { return (.keep, .moveThereBeatsDeletion) }
        if isReplacedHere(node) { return (.drop, .replacedHere) }
        return holding[.onTheServer].map { (.stay(.held($0)), .deletedHere) } ?? (.drop, .deletedHere)
    }

    private func fateOfMissingThere(_ index: Int, _ here: LocalTree.ID, _ node: SyncedTree.ID) -> Verdict {
        let agreed = synced[node]
        // Nobody has confirmed that this version is deleted.
        if local[here].kind == .file, local[here].hash != agreed.checksum { return (.keep, .editHereBeatsDeletion) }
        if let verdict = verdictByChoice(local.tree.place(of: here)) { return verdict }
        if case .unsynced(let reason) = agreed.mark, reason != .holdsWhatIsNotSynced || policy.deletions == .documents {
            return (.stay(.unsynced(reason)), .deletedThere)
        }
        if policy.isLinking {
            return memory.contains(agreed.remoteId)
                ? (.mark(.rememberedAsDeleted), .rememberedAsDeleted) : (.keep, .absentWhileLinking)
        }
        if movedHere(index) { return (.keep, .moveHereBeatsDeletion) }
        if policy.deletions == .documents { return (.mark(.deletedElsewhere), .deletedThere) }
        if isReplacedThere(node) { return (.drop, .replacedThere) }
        return holding[.here].map { (.stay(.held($0)), .deletedThere) } ?? (.drop, .deletedThere)
    }

    /// What the server's trash has of a file, if that is the version that was edited or moved here.
    private func trashed(_ index: Int) -> RemoteFacts? {
        guard let agreed = items[index].synced.map({ synced[$0] }), let facts = trash[agreed.remoteId],
            facts.kind == .file, facts.checksum == agreed.checksum
        else { return nil }
        return facts
    }

    /// Whether its person put something else in the place of a file here.
    private func isReplacedHere(_ agreed: SyncedTree.ID) -> Bool {
        guard synced[agreed].kind == .file, let folder = itemOfFolder(agreed), let here = items[folder].local else {
            return false
        }
        return local.tree.child(synced.tree.name(of: agreed), of: here) != nil
    }

    private func isReplacedThere(_ agreed: SyncedTree.ID) -> Bool {
        guard synced[agreed].kind == .file, let folder = itemOfFolder(agreed), let there = items[folder].remote else {
            return false
        }
        return remote.tree.child(synced[agreed].remoteName, of: there) != nil
    }

    private func itemOfFolder(_ agreed: SyncedTree.ID) -> Int? {
        let folder = item(synced.tree.parent(of: agreed))
        return folder >= 0 ? folder : nil
    }

    /// What a person decided about this, or about a folder above it.
    private func verdictByChoice(_ place: Place) -> Verdict? {
        if policy.choices.isEmpty { return nil }
        var at = place
        while true {
            switch policy.choices[at] {
            case .confirmDeletion:
                return holding[.here].map { (.stay(.held($0)), .deletionConfirmed) } ?? (.drop, .deletionConfirmed)
            case .sendAgain: return (.keep, .keptByChoice)
            case .keep, nil: break
            }
            if at.isRoot { return nil }
            at = at.parent
        }
    }

    // MARK: - Moves

    /// Whether the server has it in another folder, or under another name, than was agreed on.
    func movedThere(_ index: Int) -> Bool { folderChangedThere(index) || nameChangedThere(index) }

    /// Whether it has a number there because something else has its name by now: nobody has moved it. A pass that was cut off
    /// had given its name away already, and another device could not leave it without one.
    private func isOnlyNumberedThere(_ index: Int, _ agreed: SyncedFacts) -> Bool {
        guard !folderChangedThere(index), let there = items[index].remote, let folder = remote.tree.parent(of: there),
            remote.tree.child(agreed.remoteName, of: folder) != nil
        else { return false }
        return GivenNames.isNumbered(remote.tree.name(of: there), as: agreed.remoteName)
    }

    /// Whether the disk has it in another folder, or under another name, than was agreed on.
    func movedHere(_ index: Int) -> Bool { folderChangedHere(index) || nameChangedHere(index) }

    func folderChangedThere(_ index: Int) -> Bool {
        !serverWentBack(index) && remoteFolder(of: index) != syncedFolder(of: index)
    }

    func nameChangedThere(_ index: Int) -> Bool {
        guard !serverWentBack(index), let there = items[index].remote, let agreed = items[index].synced else {
            return false
        }
        let name = remote.tree.name(of: there)
        return name != synced[agreed].remoteName && !GivenNames.isTemporary(name)
    }

    func folderChangedHere(_ index: Int) -> Bool {
        let before = serverWentBack(index) ? remoteFolder(of: index) : syncedFolder(of: index)
        return localFolder(of: index) != before
    }

    func nameChangedHere(_ index: Int) -> Bool {
        guard let here = items[index].local, let agreed = items[index].synced else { return false }
        let name = local.tree.name(of: here)
        if GivenNames.isTemporary(name) { return false }
        if serverWentBack(index), let there = items[index].remote {
            return NameMapping.remoteName(for: name, on: policy.disk) != remote.tree.name(of: there)
        }
        return !isSameOnDisk(name, synced.tree.name(of: agreed))
    }

    /// A folder that the other side moved is kept with all that is in it, as something new.
    private mutating func keepWhatMoved(with index: Int) {
        switch items[index].reason {
        case .moveThereBeatsDeletion:
            renew(remote.tree.subtree(of: items[index].remote!).dropFirst().map { item($0) }, .moveThereBeatsDeletion)
        case .moveHereBeatsDeletion:
            renew(local.tree.subtree(of: items[index].local!).dropFirst().map { item($0) }, .moveHereBeatsDeletion)
        default: break
        }
    }

    private mutating func renew(_ below: [Int], _ reason: Reason) {
        for index in below.reversed() where index >= 0 {
            switch items[index].fate {
            case .drop, .mark: break
            case .keep, .stay, .forget: continue
            }
            items[index].fate = .keep
            items[index].reason = reason
            items[index].isRenewed = canForget(index)
        }
    }

    /// A folder's memory goes only with that of all in it.
    private func canForget(_ index: Int) -> Bool {
        guard let node = items[index].synced else { return false }
        return synced.tree.children(of: node).allSatisfy { child in
            let below = item(child)
            return below >= 0 && items[below].isRenewed
        }
    }
}
