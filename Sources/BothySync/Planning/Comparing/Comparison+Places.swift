import BothyContract

/// Where each item shall be: its folder and its name, each merged by itself from what both sides did. Where both
/// moved it, the server's place counts, on every device alike.
extension Comparison {
    mutating func decidePlaces() {
        for index in items.indices.dropFirst() where items[index].fate != .forget {
            decideFolder(index)
            decideName(index)
        }
        breakCycles()
        for index in items.indices.dropFirst() where items[index].fate == .keep {
            items[index].isBusy = isBusy(index)
        }
    }

    private mutating func decideFolder(_ index: Int) {
        let (there, here) = (remoteFolder(of: index), localFolder(of: index))
        if items[index].remote == nil {
            items[index].folder = here
        } else if items[index].local == nil || items[index].synced == nil || there == here {
            items[index].folder = there
        } else if folderChangedThere(index) {
            items[index].folder = there
            items[index].moveReason = folderChangedHere(index) ? .movedOnBothSides : .movedThere
        } else {
            items[index].folder = here
            items[index].moveReason = .movedHere
        }
    }

    private mutating func decideName(_ index: Int) {
        let item = items[index]
        let nameThere = item.remote.map { remote.tree.name(of: $0) }
        let nameHere = item.local.map { local.tree.name(of: $0) }
        let agreed = item.synced.map { (here: agreedNameHere($0), there: synced[$0].remoteName) }
        switch (nameThere, nameHere) {
        case (let there?, let here?):
            guard let agreed else { return setNames(index, here: here, there: there) }
            if nameChangedThere(index) {
                let isSame = NameMapping.remoteName(for: here, on: policy.disk) == there
                if isSame { return setNames(index, here: here, there: there) }
                noteMove(index, nameChangedHere(index) ? .movedOnBothSides : .movedThere)
                setNames(index, here: NameMapping.localName(for: there, on: policy.disk), there: there)
            } else if nameChangedHere(index) {
                noteMove(index, .movedHere)
                setNames(index, here: here, there: NameMapping.remoteName(for: here, on: policy.disk))
            } else if serverWentBack(index) {
                setNames(index, here: here, there: there)
            } else {
                setNames(index, here: nameKept(here, agreed.here, for: agreed.there), there: agreed.there)
            }
        case (let there?, nil):
            if let agreed, !nameChangedThere(index) {
                setNames(index, here: agreed.here, there: agreed.there)
            } else {
                setNames(index, here: NameMapping.localName(for: there, on: policy.disk), there: there)
            }
        case (nil, let here?):
            if let agreed, !nameChangedHere(index) {
                setNames(index, here: GivenNames.isTemporary(here) ? agreed.here : here, there: agreed.there)
            } else {
                setNames(index, here: here, there: NameMapping.remoteName(for: here, on: policy.disk))
            }
        case (nil, nil): break
        }
    }

    /// A node whose place was given away before its own way was settled has its name on the server still.
    func agreedNameHere(_ node: SyncedTree.ID) -> NodeName {
        let name = synced.tree.name(of: node)
        guard SyncedTree.isOfNoPlace(name) else { return name }
        return NameMapping.localName(for: synced[node].remoteName, on: policy.disk) ?? name
    }

    /// A name that was given because its own was taken here gives way to its own, as soon as that is free.
    private func nameKept(_ here: NodeName, _ agreed: NodeName, for there: NodeName) -> NodeName {
        // One that has made way wants what it wanted before, or it would go back for ever.
        let here = GivenNames.isTemporary(here) ? agreed : here
        if NameMapping.remoteName(for: here, on: policy.disk) == there { return here }
        return NameMapping.localName(for: there, on: policy.disk) ?? here
    }

    /// A name that one side cannot hold holds the item back.
    private mutating func setNames(_ index: Int, here: NodeName?, there: NodeName?) {
        guard let here, let there else {
            items[index].fate = .stay(.held(here == nil ? .nameNotHeldHere : .nameInvalidThere))
            return
        }
        items[index].localName = here
        items[index].remoteName = there
    }

    private mutating func noteMove(_ index: Int, _ reason: Reason) {
        let isFirst = items[index].moveReason == .sameOnBothSides
        items[index].moveReason = isFirst || reason == .movedOnBothSides ? reason : items[index].moveReason
    }

    // MARK: - Cycles

    /// Two folders that were moved into each other, one here and one on the server: what was moved here goes where the
    /// server has it. Each side's own tree has no cycles, so every one has a folder that was moved here.
    private mutating func breakCycles() {
        for index in items.indices.dropFirst() where items[index].moveReason != .sameOnBothSides {
            while isInCycle(index) {
                var at = index
                while !wasMovedHereOnly(at), items[at].folder != index { at = items[at].folder }
                precondition(wasMovedHereOnly(at), "a cycle has a folder that was moved here")
                items[at].folder = remoteFolder(of: at)
                items[at].moveReason = .moveCycle
            }
        }
    }

    private func wasMovedHereOnly(_ index: Int) -> Bool {
        items[index].remote != nil && items[index].local != nil && items[index].folder == localFolder(of: index)
            && items[index].folder != remoteFolder(of: index)
    }

    private func isInCycle(_ index: Int) -> Bool {
        var (slow, fast) = (index, items[index].folder)
        while fast > 0, fast != index, fast != slow {
            slow = items[slow].folder
            fast = items[fast].folder
            if fast > 0, fast != index { fast = items[fast].folder }
        }
        return fast == index
    }

    // MARK: - Folders that must stay

    /// A folder that was deleted stays for what is kept in it; and one that holds what is not synced stays, marked.
    mutating func keepFolders() {
        for index in items.indices where items[index].fate == .keep && items[index].isBusy { keepAbove(index) }
        for node in leftOutHere { stayAbove(item(local.tree.parent(of: node)), \.localParent) }
        for place in local.leftOut.union(local.specials.keys) {
            stayAbove(item(local.node(at: place.parent)), \.localParent)
        }
        for node in leftOutThere { stayAbove(item(remote.tree.parent(of: node)), \.remoteParent) }
        for index in items.indices {
            guard case .stay = items[index].fate else { continue }
            if items[index].local != nil { stayAbove(localFolder(of: index), \.localParent) }
            if items[index].remote != nil { stayAbove(remoteFolder(of: index), \.remoteParent) }
        }
    }

    private mutating func keepAbove(_ index: Int) {
        var at = items[index].folder
        while at > 0 {
            switch items[at].fate {
            case .drop, .mark, .stay(.unsynced), .stay(.held(.guarded)), .stay(.held(.justDeleted)): break
            case .keep, .forget, .stay: return
            }
            items[at].fate = .keep
            items[at].reason = .holdsWhatIsKept
            items[at].isBusy = true
            at = items[at].folder
        }
    }

    private mutating func stayAbove(_ index: Int, _ parent: KeyPath<Comparison, (Int) -> Int>) {
        var at = index
        while at > 0 {
            if items[at].fate == .drop { keepForWhatIsInIt(at) }
            at = self[keyPath: parent](at)
        }
    }

    /// A folder that would go stays, marked, for what is in it and not synced.
    mutating func keepForWhatIsInIt(_ index: Int) {
        let isMarked = items[index].synced.map { synced[$0].mark } == .unsynced(.holdsWhatIsNotSynced)
        items[index].fate = isMarked ? .stay(.unsynced(.holdsWhatIsNotSynced)) : .mark(.holdsWhatIsNotSynced)
        items[index].reason = .holdsWhatIsNotSynced
    }

    private var localParent: (Int) -> Int { { localFolder(of: $0) } }
    private var remoteParent: (Int) -> Int { { remoteFolder(of: $0) } }

    // MARK: - Names that two want

    /// Of two that shall have the same name, the one that has it already keeps it, and the server's before the one here.
    mutating func settleNames() {
        let busy = items.indices.filter { items[$0].isBusy && items[$0].fate == .keep }
        var ranked = (0..<4).flatMap { rank in busy.filter { self.rank($0) == rank } }
        guard policy.disk.foldsNames else {
            // Before any number is given: it must not be the name that another has for its own.
            for index in ranked { claimOwnName(index) }
            for index in ranked { settleName(index) }
            return
        }
        // Two names on the server may be one here. Who of them keeps it must not depend on how far a plan has come.
        for index in ranked { settleNameThere(index) }
        for index in ranked.sorted(by: { isBefore($0, $1, by: claimHere) }) { claimOwnNameHere(index) }
        ranked.sort { isBefore($0, $1) { keepsNameHere($0) ? 0 : 1 } }
        for index in ranked { settleNameHere(index) }
    }

    private func isBefore(_ left: Int, _ right: Int, by rank: (Int) -> Int) -> Bool {
        let (before, after) = (rank(left), rank(right))
        return before == after ? items[left].remoteName < items[right].remoteName : before < after
    }

    /// Which of several that such a disk takes for one name has it before the others: the least. What comes from the server goes
    /// before what stands under another name here already: that may have come a moment ago, when the name was not free yet.
    private func claimHere(_ index: Int) -> Int {
        if keepsNameHere(index) { return 0 }
        return items[index].local == nil ? 1 : 2
    }

    /// What is new here has nothing but its name to be known by until it is agreed on; and what both sides have where it was
    /// agreed on is busy with its content alone.
    private func keepsNameHere(_ index: Int) -> Bool {
        guard let agreed = items[index].synced else { return items[index].local != nil }
        return isAtPlaceThere(index) && isAtPlaceHere(index) && isAgreedPlace(index, agreed)
    }

    private func rank(_ index: Int) -> Int {
        switch (isAtPlaceThere(index), isAtPlaceHere(index)) {
        case (true, true): 0
        case (true, false): 1
        case (false, true): 2
        case (false, false): 3
        }
    }

    func isAtPlaceThere(_ index: Int) -> Bool {
        guard let node = items[index].remote else { return false }
        return remoteFolder(of: index) == items[index].folder && remote.tree.name(of: node) == items[index].remoteName
    }

    func isAtPlaceHere(_ index: Int) -> Bool {
        guard let node = items[index].local else { return false }
        return localFolder(of: index) == items[index].folder && local.tree.name(of: node) == items[index].localName
    }

    private mutating func claimOwnName(_ index: Int) {
        let item = items[index]
        guard !isTakenThere(item.remoteName, index) else { return }
        claims.claimThere(item.remoteName, in: item.folder, for: index)
        claimOwnNameHere(index)
    }

    private mutating func claimOwnNameHere(_ index: Int) {
        let item = items[index]
        guard !isTakenHere(item.localName, index) else { return }
        claims.claimHere(NameMapping.fold(item.localName, on: policy.disk), in: item.folder, for: index)
    }

    private mutating func settleName(_ index: Int) {
        settleNameThere(index)
        settleNameHere(index)
    }

    private mutating func settleNameThere(_ index: Int) {
        let wanted = items[index].remoteName
        if isTakenThere(wanted, index) {
            var attempt = 0
            repeat {
                let name = GivenNames.numbered(wanted, attempt: attempt)
                items[index].remoteName = name
                items[index].localName = NameMapping.localName(for: name, on: policy.disk) ?? name
                attempt += 1
            } while isTakenThere(items[index].remoteName, index) || isTakenHere(items[index].localName, index)
            items[index].moveReason = .nameTaken
        }
        claims.claimThere(items[index].remoteName, in: items[index].folder, for: index)
    }

    private mutating func settleNameHere(_ index: Int) {
        let wanted = items[index].localName
        var attempt = 0
        while isTakenHere(items[index].localName, index) {
            items[index].localName = GivenNames.numbered(wanted, attempt: attempt)
            items[index].moveReason = .nameNotHeldHere
            attempt += 1
        }
        let folded = NameMapping.fold(items[index].localName, on: policy.disk)
        claims.claimHere(folded, in: items[index].folder, for: index)
    }

    /// What made way under a number keeps that on both sides.
    mutating func keepName(_ index: Int, _ number: NodeName) {
        items[index].localName = number
        items[index].remoteName = NameMapping.remoteName(for: number, on: policy.disk) ?? number
        claims.claimThere(items[index].remoteName, in: items[index].folder, for: index)
        claims.claimHere(NameMapping.fold(number, on: policy.disk), in: items[index].folder, for: index)
    }

    /// Whether an item shall have the name, on either side.
    func isClaimed(_ name: NodeName, in folder: Int) -> Bool {
        claims.holderThere(name, in: folder) != nil
            || claims.holderHere(NameMapping.fold(name, on: policy.disk), in: folder) != nil
    }

    /// Whether another item has the name on the server and keeps it, or shall have it.
    private func isTakenThere(_ name: NodeName, _ index: Int) -> Bool {
        let folder = items[index].folder
        if let holder = claims.holderThere(name, in: folder), holder != index { return true }
        guard folder >= 0, let parent = items[folder].remote, let child = remote.tree.child(name, of: parent) else {
            return false
        }
        let other = item(child)
        return other >= 0 && other != index && stays(other)
    }

    private func isTakenHere(_ name: NodeName, _ index: Int) -> Bool {
        let folder = items[index].folder
        let folded = NameMapping.fold(name, on: policy.disk)
        if let holder = claims.holderHere(folded, in: folder), holder != index { return true }
        guard folder >= 0, let parent = items[folder].local else { return false }
        let other = local.tree.child(name, of: parent, as: policy.disk).map { item($0) } ?? -1
        return other >= 0 && other != index && stays(other)
    }

    /// Whether an item keeps the name that it has. What moves or is made has its say among the claims.
    private func stays(_ index: Int) -> Bool {
        switch items[index].fate {
        case .drop, .forget: false
        case .keep: !items[index].isBusy
        case .mark, .stay: true
        }
    }
}
