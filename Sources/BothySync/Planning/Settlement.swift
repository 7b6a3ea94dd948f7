import BothyClient
import BothyContract

/// What an executed action brought about, as both sides were seen right after it.
package struct Outcome: Sendable {
    /// What the server answered; nil where it holds nothing of it.
    package var remote: RemoteFacts?
    /// What is at the action's place on the disk; nil where nothing is.
    package var local: LocalFacts?
    /// The name that the disk lists it under, where it spells names its own way.
    package var localName: NodeName?
    /// A merge that could not be made: the hunks overlap, or it is no text.
    package var couldNotMerge: Bool

    package init(
        remote: RemoteFacts? = nil, local: LocalFacts? = nil, localName: NodeName? = nil, couldNotMerge: Bool = false
    ) {
        self.remote = remote
        self.local = local
        self.localName = localName
        self.couldNotMerge = couldNotMerge
    }
}

/// The rows that an action changed: what a database writes down, in one transaction.
package struct SettledRows: Equatable, Sendable {
    package var written: [String] = []
    package var removed: [String] = []
}

extension SyncedTree {
    /// Moves what is agreed on by one executed action. The one place where agreement comes from.
    ///
    /// - Returns: the ids of the rows that are to be written and removed.
    @discardableResult
    package mutating func settle(_ action: Action, _ outcome: Outcome) -> SettledRows {
        switch action.step {
        case .forget(let id, _): return dropRows(id)
        case .leaveOut(let id, _): return leaveOutRows(id)
        case .trashRemote(let theirs, _, _): return dropRows(theirs.id)
        case .trashLocal(_, let id, _, _): return dropRows(id)
        case .rebind(let id, let theirs, _) where id == theirs.id: return changeRow(id) { $0.local = nil }
        case .rebind(let id, let theirs, _): return rebindRow(id, to: theirs)
        case .record(let spot, let mine, let theirs) where mine.hash != theirs.checksum:
            return moveRow(theirs.id, spot, outcome, settles: true)
        case .record(let spot, _, _): return recordRow(spot, outcome)
        case .markUnsynced(let id, let spot, let mine, let reason): return markRow(id, spot, mine, reason)
        case .makeRemoteFolder(let spot, _, let old), .upload(let spot, _, nil, let old):
            var rows = SettledRows()
            if let old, let remote = outcome.remote { rows = rebindRow(old, to: remote.id, version: remote.version) }
            let placed = sendRow(action.step, spot, outcome)
            return SettledRows(written: rows.written + placed.written, removed: rows.removed)
        case .upload(let spot, _, _?, _): return sendRow(action.step, spot, outcome)
        case .makeLocalFolder(let spot, _), .download(let spot, _, _): return receiveRow(spot, outcome)
        case .moveRemote(let theirs, _, let spot, let settles):
            return moveRow(theirs.id, spot, outcome, settles: settles)
        case .untrashRemote(let theirs, let spot):
            return moveRow(theirs.id, spot, outcome, settles: true, isBack: true)
        case .moveLocal(_, let id, _, let spot, let settles):
            return id.map { moveRow($0, spot, outcome, settles: settles) } ?? SettledRows()
        case .setAside: return SettledRows()
        case .touchRemote(let theirs, _, let modifiedAt, let executable):
            return touchRow(theirs.id, outcome, modifiedAt: modifiedAt, executable: executable)
        case .touchLocal(_, let id, _, let modifiedAt, let executable):
            return touchRow(id, outcome, modifiedAt: modifiedAt, executable: executable)
        case .merge(_, _, let mine, let theirs): return mergeRow(mine, theirs, outcome)
        }
    }

    private func folderId(of spot: Spot) -> String? { spot.folderId ?? facts(at: spot.place.parent)?.remoteId }

    mutating func dropRows(_ id: String) -> SettledRows {
        guard let node = node(id) else { return SettledRows() }
        let gone = tree.subtree(of: node).map { tree[$0].remoteId }
        remove(id)
        return SettledRows(removed: gone)
    }

    /// What is unsynced below it has its own reason to be kept apart, which holds when it is taken in again.
    private mutating func leaveOutRows(_ id: String) -> SettledRows {
        guard let top = node(id) else { return SettledRows() }
        let left = tree.subtree(of: top).map { tree[$0] }.filter { !$0.isKeptApart }.map(\.remoteId)
        for id in left { update(id) { $0.mark = .leftOut } }
        return SettledRows(written: left)
    }

    /// - Parameter version: the other one's: it counts from its own beginning, and has none of the revisions of the first.
    private mutating func rebindRow(_ id: String, to other: String, version: Int64) -> SettledRows {
        guard let top = node(id), node(other) == nil else { return SettledRows() }
        update(id) { facts in
            facts.remoteId = other
            facts.version = version
            facts.baseRevisionId = nil
        }
        // A row that is removed takes all below it along.
        return SettledRows(written: tree.subtree(of: top).map { tree[$0].remoteId }, removed: [id])
    }

    /// What is here is no version of another that has not come yet: a person who moves it until then moves the one that was.
    private mutating func rebindRow(_ id: String, to theirs: RemoteFingerprint) -> SettledRows {
        let rows = rebindRow(id, to: theirs.id, version: theirs.version)
        guard !rows.written.isEmpty, theirs.kind == .file else { return rows }
        update(theirs.id) { facts in
            if facts.checksum != theirs.checksum { facts.local = nil }
        }
        return rows
    }

    mutating func changeRow(_ id: String, _ change: (inout SyncedFacts) -> Void) -> SettledRows {
        guard node(id) != nil else { return SettledRows() }
        update(id, change)
        return SettledRows(written: [id])
    }

    private mutating func placeRow(_ facts: SyncedFacts, _ spot: Spot, _ name: NodeName?) -> SettledRows {
        guard let folder = folderId(of: spot), let parent = node(folder) else { return SettledRows() }
        let displaced = tree.child(name ?? spot.place.name, of: parent).map { tree[$0].remoteId }
        guard put(facts, named: name ?? spot.place.name, under: folder) else { return SettledRows() }
        return SettledRows(
            written: [facts.remoteId] + (displaced == facts.remoteId ? [] : [displaced].compactMap(\.self)))
    }

    private mutating func receiveRow(_ spot: Spot, _ outcome: Outcome) -> SettledRows {
        guard let remote = outcome.remote, let local = outcome.local else { return SettledRows() }
        return placeRow(SyncedFacts(remote: remote, remoteName: spot.remoteName, local: local), spot, outcome.localName)
    }

    /// The content is agreed on by this, time and executable bit are not: where they differ, the server's come here next.
    private mutating func recordRow(_ spot: Spot, _ outcome: Outcome) -> SettledRows {
        guard let remote = outcome.remote, let local = outcome.local else { return SettledRows() }
        var facts = SyncedFacts(remote: remote, remoteName: spot.remoteName, local: local)
        let known = self.facts(remote.id).flatMap { $0.checksum == facts.checksum ? $0 : nil }
        if remote.executable != local.executable {
            facts.remoteExecutable = known?.remoteExecutable ?? local.executable
        }
        if remote.kind == .file, remote.modifiedAt != local.stamp.modifiedAt {
            facts.remoteModifiedAt = known?.remoteModifiedAt ?? local.stamp.modifiedAt
        }
        return placeRow(facts, spot, outcome.localName)
    }

    private mutating func markRow(
        _ id: String, _ spot: Spot, _ mine: LocalFingerprint?, _ reason: UnsyncedReason
    ) -> SettledRows {
        if node(id) != nil { return changeRow(id) { $0.mark = .unsynced(reason) } }
        guard let mine else { return SettledRows() }
        let facts = SyncedFacts(
            remoteId: id, kind: mine.kind, remoteName: spot.remoteName, local: mine.stamp, checksum: mine.hash,
            size: mine.stamp.size, mark: .unsynced(reason))
        return placeRow(facts, spot, nil)
    }

    /// What was sent is what the action's fingerprint names, whatever is on the disk by now.
    private mutating func sendRow(_ step: Step, _ spot: Spot, _ outcome: Outcome) -> SettledRows {
        guard let remote = outcome.remote else { return SettledRows() }
        var facts = SyncedFacts(remote: remote, remoteName: spot.remoteName, local: nil)
        switch step {
        case .makeRemoteFolder(_, let mine, _), .upload(_, let mine, _, _):
            // Of what was changed meanwhile the stamp vouches for nothing: the next scan has to read it.
            facts.local = mine.stamp
            if let local = outcome.local, mine.matches(local), local.hash == mine.hash { facts.local = local.stamp }
            // Somebody wrote while it was sent.
            if mine.kind == .file, remote.checksum != mine.hash { facts.local?.changedAt = Timestamp(seconds: 0) }
        default: break
        }
        // Content takes its executable bit along, as that was when it was read: it may have been turned since the scan.
        facts.localExecutable = remote.executable
        return placeRow(facts, spot, nil)
    }

    /// - Parameter isBack: whether it has come out of the server's trash by this. Both sides have it then, and it is no longer
    ///   unsynced: who deletes it here next deletes it there too, also where what it was brought back for was not sent yet.
    private mutating func moveRow(
        _ id: String, _ spot: Spot, _ outcome: Outcome, settles: Bool, isBack: Bool = false
    ) -> SettledRows {
        guard settles, let node = node(id) else { return SettledRows() }
        var facts = tree[node]
        if isBack, case .unsynced = facts.mark { facts.mark = nil }
        facts.remoteName = spot.remoteName
        if let remote = outcome.remote { facts.version = remote.version }
        facts.refreshStamp(outcome.local)
        return placeRow(facts, spot, outcome.localName)
    }

    /// What was carried over is agreed on, whatever was turned here while it was on its way: that is news, and goes next.
    private mutating func touchRow(
        _ id: String, _ outcome: Outcome, modifiedAt: Timestamp, executable: Bool
    ) -> SettledRows {
        changeRow(id) { facts in
            if let remote = outcome.remote {
                facts.remoteExecutable = remote.executable
                facts.remoteModifiedAt = remote.modifiedAt
                facts.version = remote.version
            }
            facts.localExecutable = executable
            if facts.mark == .leftOut { facts.mark = nil }
            if let local = outcome.local, local.hash == facts.checksum {
                facts.local = local.stamp
            } else {
                facts.local?.modifiedAt = modifiedAt
            }
        }
    }

    /// The server's version is what a merge stands on from now on; what is here is an edit of it.
    private mutating func mergeRow(
        _ mine: LocalFingerprint, _ theirs: RemoteFingerprint, _ outcome: Outcome
    ) -> SettledRows {
        changeRow(theirs.id) { facts in
            if outcome.couldNotMerge, let mine = mine.hash, let theirs = theirs.checksum {
                facts.mark = .unmergeable(mine: mine, theirs: theirs)
            } else {
                facts.checksum = theirs.checksum
                facts.baseRevisionId = theirs.revisionId
                facts.size = theirs.size
                facts.version = theirs.version
                facts.mark = nil
            }
        }
    }
}

extension SyncedFacts {
    /// Takes over a stamp only with the content and the time that were agreed on: a stamp vouches for both.
    fileprivate mutating func refreshStamp(_ facts: LocalFacts?) {
        guard let facts, facts.kind == .folder || facts.hash == checksum else { return }
        if facts.kind == .folder || local?.isSameContent(as: facts.stamp) ?? true { local = facts.stamp }
    }
}
