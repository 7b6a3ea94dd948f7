import BothyContract
import BothySync

/// Something in the server's trash.
struct KeptThere {
    var facts: RemoteFacts
    var name: NodeName
    var folderId: String
}

/// Why a step cannot be taken back.
struct ChangedSince: Error {
    let reversal: Reversal
}

extension PlannedWorld {
    /// Executes one action, and remembers what it takes to take it back.
    mutating func take(_ action: Action) throws -> TakenStep {
        let id = action.step.remoteId
        var taken = TakenStep(
            action.step, reason: action.reason, before: id.flatMap { synced.facts($0) },
            was: id.flatMap { spotThere($0) })
        lastKeep = nil
        let outcome = try act(action)
        if case .trashLocal(_, let id, _, _) = action.step, let lastKeep { keptRows[lastKeep] = synced.rows(of: id) }
        synced.settle(action, outcome)
        taken.remoteId = outcome.remote?.id ?? id
        if action.step.agreesOnContent, !outcome.couldNotMerge, let id = taken.remoteId { reopened.remove(id) }
        taken.content = outcome.local?.hash
        taken.keep = lastKeep
        return taken
    }

    private func spotThere(_ id: String) -> RemoteSpot? {
        if let node = remote.node(id), let folder = remote.tree.parent(of: node) {
            return RemoteSpot(folderId: remote[folder].id, name: remote.tree.name(of: node))
        }
        guard let node = synced.node(id), let folder = synced.tree.parent(of: node) else { return nil }
        return RemoteSpot(folderId: synced[folder].remoteId, name: synced[node].remoteName)
    }

    // MARK: - Both trashes

    @discardableResult
    mutating func keepHere(_ place: Place) -> String? {
        guard let node = local.node(at: place) else { return nil }
        let depth = place.depth
        let gone = local.tree.subtree(of: node).map { node in
            (place: Place(local.tree.place(of: node).names.dropFirst(depth)), facts: local[node])
        }
        let keep = "keep\(keptHere.count + 1)"
        keptHere[keep] = gone
        trash.formUnion(gone.compactMap(\.facts.hash))
        local.remove(place)
        lastKeep = keep
        return keep
    }

    mutating func takeBackHere(_ keep: String, to place: Place) -> Bool {
        guard let kept = keptHere[keep], local.node(at: place) == nil else { return false }
        for item in kept { local.put(item.facts, at: Place(place.names + item.place.names)) }
        takenBack.insert(keep)
        return local.node(at: place) != nil
    }

    mutating func trashThere(_ id: String) {
        guard let top = remote.node(id) else { return }
        keptThere[id] = remote.tree.subtree(of: top).map { node in
            KeptThere(
                facts: remote[node], name: remote.tree.name(of: node),
                folderId: remote[remote.tree.parent(of: node)!].id)
        }
        remote.remove(id)
    }

    /// Of what went with its folder, itself alone.
    mutating func takeFromTrashThere(_ id: String) -> RemoteFacts? {
        for (top, kept) in keptThere {
            guard let index = kept.firstIndex(where: { $0.facts.id == id }) else { continue }
            keptThere[top]?.remove(at: index)
            return kept[index].facts
        }
        return nil
    }

    mutating func untrashThere(_ id: String) -> Bool {
        guard let kept = keptThere[id] else { return false }
        for item in kept where !remote.put(item.facts, named: item.name, under: item.folderId) { return false }
        keptThere[id] = nil
        return true
    }

    // MARK: - Taking back

    /// - Returns: what was reversed, in order, and how many steps could not be since others have changed what they are about.
    ///
    /// - Parameters:
    ///   - begun: how far it came before; what is done is noted there.
    ///   - cutOff: where it ends now.
    ///   - failing: how many go well before one that fails by itself, though nobody has changed anything.
    mutating func undo(
        _ taken: [TakenStep], decidedSince: Set<String> = [], begun: inout Undoing.Begun, cutOff: CutOff? = nil,
        failing: Int? = nil
    ) -> (reversed: [TakenStep], refused: [Reversal]) {
        var reversed: [TakenStep] = []
        var refused: [Reversal] = []
        let turns = Undoing.plan(taken, remote: remote, local: local, decidedSince: decidedSince, begun: begun)
        var agreed: [Int: [AgreedRow]] = [:]
        for turn in turns { agreed[turn.index] = turn.keep.flatMap { keptRows[$0] } }
        var stuck = Undoing.Stuck()
        var failing = failing
        for turn in turns {
            let step = taken[turn.index].step
            let isLeftOut = stuck.leavesOut(turn, of: step)
            if stuck.place(blocking: turn) != nil, !turn.hasChanged {
                begun.noteFailure(of: turn.index)
                stuck.note(turn, of: step, isForGood: false)
                continue
            }
            if turn.hasChanged || isLeftOut {
                begun.noteFailure(of: turn.index)
                if turn.hasChanged { refused.append(turn.reversals[0]) }
                stuck.note(turn, of: step, isForGood: true)
                continue
            }
            for reversal in turn.reversals {
                if let cutOff, reversed.count == cutOff.count {
                    cut(cutOff.moment, free(reversal), of: taken[turn.index])
                    return (reversed, refused)
                }
                if failing == reversed.count {
                    failing = nil
                    begun.noteFailure(of: turn.index)
                    stuck.note(turn, of: step, isForGood: false)
                    break
                }
                do {
                    let done = try reverse(
                        free(reversal), of: taken[turn.index], agreed: agreed[turn.index] ?? [],
                        reopening: turn.decided)
                    guard var done else { continue }
                    done.decidesAgain = turn.reopened
                    reversed.append(done)
                    begun.noteDone(of: turn.index)
                } catch {
                    refused.append(reversal)
                    begun.noteFailure(of: turn.index)
                    stuck.note(turn, of: step, isForGood: true)
                    break
                }
            }
        }
        return (reversed, refused)
    }

    /// What has a passing name gets a number, where somebody has taken the name that it had before.
    private func free(_ reversal: Reversal) -> Reversal {
        let numbered = (0..<Reversal.mostNumbers).lazy.compactMap { reversal.numbered($0) }
        return isTaken(reversal) ? numbered.first { !isTaken($0) } ?? reversal : reversal
    }

    private func isTaken(_ reversal: Reversal) -> Bool {
        switch reversal {
        case .moveThere(let id, _, _, let to):
            guard let folder = remote.node(to.folderId), let other = remote.tree.child(to.name, of: folder) else {
                return false
            }
            return remote[other].id != id
        case .moveHere(_, let to, _): return local.node(at: to) != nil
        default: return false
        }
    }

    /// - Parameter isWritten: whether it is written down.
    mutating func reverse(
        _ reversal: Reversal, of taken: TakenStep, agreed: [AgreedRow] = [], reopening: Reopened? = nil,
        isWritten: Bool = true
    ) throws -> TakenStep? {
        var done = TakenStep(taken.step, reversal: reversal)
        let id = reversal.remoteId
        done.remoteId = id
        done.was = id.flatMap { spotThere($0) }
        lastKeep = nil
        let changed = ChangedSince(reversal: reversal)
        switch reversal {
        case .trashThere(let id, _, _, let count, _):
            guard let node = remote.node(id), remote.tree.subtreeCount(of: node) <= count else { throw changed }
            trashThere(id)
        case .untrashThere(let id, let at):
            guard let brought = comeBackThere(id, at) else { throw changed }
            done.brought = brought
        case .rejoinThere(let id, _, let content, let spot) where remote.node(id) != nil:
            guard remote.facts(id)?.checksum == content, spotThere(id) == spot else { return nil }
        case .rejoinThere(let id, _, let content, let spot):
            guard let top = keptThere[id]?.first, top.facts.checksum == content,
                spot == RemoteSpot(folderId: top.folderId, name: top.name), untrashThere(id)
            else { return nil }
        case .setContentThere(let id, _, _, let old, _):
            guard var facts = remote.facts(id) else { throw changed }
            done.replaced = RemoteFingerprint(facts)
            facts.checksum = old.checksum
            facts.size = old.size
            facts.version += 1
            facts.headRevisionId = "r\(id)-\(facts.version)"
            remote.update(facts)
        case .moveThere(let id, _, _, let to):
            guard var facts = remote.facts(id) else { throw changed }
            facts.version += 1
            guard remote.put(facts, named: to.name, under: to.folderId) else { throw changed }
        case .touchThere(let id, _, _, let to):
            guard var facts = remote.facts(id) else { throw changed }
            (facts.modifiedAt, facts.executable, facts.version) = (to.modifiedAt, to.executable, facts.version + 1)
            remote.update(facts)
        default: try reverseHere(reversal, &done)
        }
        guard isWritten else { return done }
        let there = id.flatMap { remote.node($0) }.map { remote.tree.subtree(of: $0).map { remote[$0].id } } ?? []
        if case .trashLocal(_, let id, _, _) = taken.step, reversal.takesAFolderAway, let keep = done.keep {
            keptRows[keep] = synced.rows(of: id)
        }
        synced.settle(
            reversal, remote: id.flatMap { remote.facts($0) }, agreed: agreed, there: Set(there), reopening: reopening)
        done.reopened = reopening
        if let reopening { reopened.insert(reopening.id) }
        return done
    }

    private mutating func reverseHere(_ reversal: Reversal, _ done: inout TakenStep) throws {
        let changed = ChangedSince(reversal: reversal)
        switch reversal {
        case .removeFolderHere(let at):
            guard let node = local.node(at: at), local[node].kind == .folder, !local.tree.hasChildren(node) else {
                throw changed
            }
            local.remove(at)
        case .makeFolderHere(let at):
            guard local.node(at: at) == nil else { throw changed }
            makeFolder(at)
        case .exchangeHere(let at, let taking, let keep):
            if taking != .nothing {
                guard keepHere(at) != nil else { throw changed }
                done.keep = lastKeep
            }
            if let keep {
                guard let brought = comeBackHere(keep, to: at) else { throw changed }
                done.brought = brought
            }
            done.content = local.facts(at: at)?.hash
        case .moveHere(let from, let to, _): guard move(from, to: to) else { throw changed }
        case .touchHere(let at, _, let to):
            guard local.node(at: at) != nil else { throw changed }
            change(at) { facts in
                facts.stamp.modifiedAt = to.modifiedAt
                facts.executable = to.executable
            }
        default: throw changed
        }
    }
}
