import BothyContract

extension PlanWriter {
    /// From the server to the disk.
    mutating func bring(_ index: Int) {
        let spot = spot(index)
        let theirs = remoteFingerprint(index)
        let step =
            theirs.kind == .folder
            ? Step.makeLocalFolder(at: spot, theirs: theirs) : .download(at: spot, theirs: theirs, over: nil)
        add(step, view.items[index].reason)
        let facts = LocalFacts(kind: theirs.kind, hash: theirs.checksum)
        let folder = view.items[view.items[index].folder].local!
        guard let node = local.tree.insert(facts, named: spot.place.name, under: folder) else { return }
        view.items[index].local = node
        note(node, index)
    }

    /// From the disk to the server.
    mutating func send(_ index: Int) {
        if let trashed = view.items[index].trashed { return sendOver(trashed, index) }
        let mine = localFingerprint(index)
        sendNode(mine, at: spot(index), insteadOf: agreedId(index), view.items[index].reason)
        let id = "\0\(index)"
        let folder = remote[view.items[view.items[index].folder].remote!].id
        remote.put(RemoteFacts(id: id, kind: mine.kind), named: view.items[index].remoteName, under: folder)
        view.items[index].remote = remote.node(id)
        if let node = remote.node(id) { note(node, index) }
    }

    /// Out of the server's trash, and what is here over it, if that is another version: its versions and its star come along.
    private mutating func sendOver(_ trashed: RemoteFacts, _ index: Int) {
        // It takes the new stamp along, as a move does.
        let steps = view.contentSteps(index).filter { $0 != .record(.identityChanged) }
        add(.untrashRemote(RemoteFingerprint(trashed), at: spot(index)), view.items[index].reason)
        let folder = remote[view.items[view.items[index].folder].remote!].id
        remote.put(trashed, named: view.items[index].remoteName, under: folder)
        view.items[index].remote = remote.node(trashed.id)
        if let node = remote.node(trashed.id) { note(node, index) }
        for step in steps { write(step, index) }
    }

    private mutating func sendNode(_ mine: LocalFingerprint, at spot: Spot, insteadOf old: String?, _ reason: Reason) {
        let step =
            mine.kind == .folder
            ? Step.makeRemoteFolder(at: spot, mine: mine, insteadOf: old)
            : .upload(at: spot, mine: mine, over: nil, insteadOf: old)
        add(step, reason)
    }

    /// - Parameter wasMoved: whether a move has just settled its place.
    mutating func writeContent(_ index: Int, wasMoved: Bool) {
        // A move that settles takes the new stamp along.
        let isMovedAlike = !wasMoved && isElsewhereThanAgreed(index)
        // Nor is it the stamp that a person should hear of where both sides moved it: renaming a file changes that.
        let steps = view.contentSteps(index).filter { !(wasMoved || isMovedAlike) || $0 != .record(.identityChanged) }
        // They agree on its place, also where a person has yet to choose between their versions.
        if isMovedAlike, steps.isEmpty || steps == [.ask] { write(.record(.movedAlike), index) }
        for step in steps { write(step, index) }
    }

    private func isElsewhereThanAgreed(_ index: Int) -> Bool {
        guard let agreed = view.items[index].synced, !view.items[index].isRebound else { return false }
        return !view.isAgreedPlace(index, agreed)
    }

    private mutating func write(_ step: ContentStep, _ index: Int) {
        let (spot, mine, theirs) = (spot(index), localFingerprint(index), remoteFingerprint(index))
        switch step {
        case .record(let reason): add(.record(at: spot, mine: mine, theirs: theirs), reason)
        case .download(let reason): add(.download(at: spot, theirs: theirs, over: mine), reason)
        case .upload(let reason): add(.upload(at: spot, mine: mine, over: theirs, insteadOf: nil), reason)
        case .touchHere(let time, let executable):
            let step = Step.touchLocal(
                mine, remoteId: theirs.id, at: spot.place, modifiedAt: time, executable: executable)
            // What was never agreed on nobody has changed: the server's count where the two meet.
            add(step, view.items[index].synced == nil ? .sameOnBothSides : .attributesChangedThere)
        case .touchThere(let time, let executable):
            let step = Step.touchRemote(theirs, at: spot.place, modifiedAt: time, executable: executable)
            add(step, .attributesChangedHere)
        case .merge:
            let base = view.items[index].synced.flatMap { view.synced[$0].baseRevisionId }
            add(.merge(at: spot.place, base: base, mine: mine, theirs: theirs), .conflictMerged)
        case .ask: plan.standing[spot.place] = .conflict(mine: mine, theirs: theirs)
        case .hold(let reason): plan.standing[spot.place] = .held(reason)
        case .fork(let isNumbered): fork(index, isNumbered: isNumbered)
        }
    }

    /// The version here goes aside and becomes a file of its own; the server's takes the place.
    private mutating func fork(_ index: Int, isNumbered: Bool) {
        let (place, mine, theirs) = (spot(index), localFingerprint(index), remoteFingerprint(index))
        // A look between the steps would take what stands aside for a file of that content that was deleted, moved.
        for deleted in mine.hash.flatMap({ deletedHere[$0] }) ?? [] where !view.items[deleted].isPlaced {
            writeDropThere(deleted)
        }
        var attempt = 0
        var name = place.place.name
        repeat {
            name =
                isNumbered
                ? GivenNames.numbered(view.items[index].remoteName, attempt: attempt)
                : GivenNames.conflict(
                    view.items[index].remoteName, device: view.policy.deviceName, day: view.policy.day,
                    attempt: attempt)
            attempt += 1
        } while !isFree(name, in: view.items[index].folder)
        let aside = place.place.parent.appending(NameMapping.localName(for: name, on: view.policy.disk) ?? name)
        if let agreed = view.items[index].synced.map({ view.synced[$0] }), agreed.local != nil,
            !(view.items[index].isRebound && agreed.checksum != theirs.checksum), let id = agreedId(index)
        {
            // One that was made anew there, with other content, has lost its agreed file with its old id already.
            add(.rebind(remoteId: id, to: theirs, at: place.place), .conflictForked)
        }
        add(.setAside(mine, remoteId: agreedId(index), from: place.place, to: aside), .conflictForked)
        add(.download(at: place, theirs: theirs, over: nil), isNumbered ? .createdThere : .conflictForked)
        sendNode(
            mine, at: Spot(aside, folderId: place.folderId, remoteName: name), insteadOf: nil, .createdHere)
        local.put(local[view.items[index].local!], at: aside)
        let folder = view.items[view.items[index].folder].remote!
        let copy = RemoteFacts(id: "\0copy\(index)", kind: .file)
        remote.put(copy, named: name, under: remote[folder].id)
        let folded = NameMapping.fold(aside.name, on: view.policy.disk)
        view.claims.claimThere(name, in: view.items[index].folder, for: index)
        view.claims.claimHere(folded, in: view.items[index].folder, for: index)
    }

    private func isFree(_ name: NodeName, in folder: Int) -> Bool {
        let here = NameMapping.localName(for: name, on: view.policy.disk) ?? name
        let folded = NameMapping.fold(here, on: view.policy.disk)
        if view.claims.holderThere(name, in: folder) != nil || view.claims.holderHere(folded, in: folder) != nil {
            return false
        }
        guard let there = view.items[folder].remote, let parent = view.items[folder].local else { return false }
        return remote.tree.child(name, of: there) == nil && occupantHere(here, of: parent) == nil
            && !isBlocked(here, of: parent)
    }
}
