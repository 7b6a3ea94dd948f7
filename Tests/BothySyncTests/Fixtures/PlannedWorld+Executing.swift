import BothyContract
import BothySync

/// What an action found that its plan did not expect.
struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ action: Action, _ what: String) { description = "\(what), for \(action)" }
}

extension PlannedWorld {
    /// Executes one action as an engine does: looks again, acts on one side, and settles what is agreed on.
    ///
    /// - Parameter crashes: stops between acting and settling, as a process that is killed there.
    mutating func execute(_ action: Action, crashes: Bool = false) throws {
        let outcome = try act(action)
        if !crashes { synced.settle(action, outcome) }
    }

    mutating func act(_ action: Action) throws -> Outcome {
        switch action.step {
        case .forget, .leaveOut, .markUnsynced, .rebind: return Outcome()
        case .record(let spot, let mine, let theirs):
            return Outcome(remote: try there(theirs, action), local: try here(spot.place, mine, action))
        case .makeRemoteFolder(let spot, let mine, _), .upload(let spot, let mine, nil, _):
            let local = try here(spot.place, mine, action)
            return Outcome(remote: try create(spot, mine, action), local: local)
        case .upload(let spot, let mine, let over?, _):
            let local = try here(spot.place, mine, action)
            var facts = newRevision(of: try there(over, action), mine)
            facts.executable = local.executable
            remote.update(facts)
            history.insert(mine.hash!)
            return Outcome(remote: facts, local: local)
        case .moveRemote(let theirs, _, let spot, _): return try moveThere(theirs, spot, action)
        case .untrashRemote(let theirs, let spot): return try untrashThere(theirs, spot, action)
        case .trashRemote(let theirs, _, let count):
            _ = try there(theirs, action)
            guard remote.tree.subtreeCount(of: remote.node(theirs.id)!) == count else {
                throw Unexpected(action, "another count")
            }
            trashThere(theirs.id)
            return Outcome()
        case .touchRemote(let theirs, let place, let time, let executable):
            var facts = try there(theirs, action)
            facts.modifiedAt = time
            facts.executable = executable
            facts.version += 1
            remote.update(facts)
            return Outcome(remote: facts, local: local.facts(at: place))
        default: return try actHere(action)
        }
    }

    private mutating func actHere(_ action: Action) throws -> Outcome {
        switch action.step {
        case .makeLocalFolder(let spot, let theirs):
            let facts = LocalFacts(kind: .folder, stamp: newStamp(size: 0, modifiedAt: Timestamp(seconds: 0)))
            try put(facts, at: spot.place, action)
            return Outcome(remote: try there(theirs, action), local: facts)
        case .download(let spot, let theirs, let over): return try download(spot, theirs, over, action)
        case .moveLocal(let mine, _, let from, let spot, _):
            _ = try here(from, mine, action)
            // What would be replaced is there, though it is the same.
            let to = spot.place
            let isSpelling =
                from != to && from.parent == to.parent
                && NameMapping.fold(from.name, on: policy.disk) == NameMapping.fold(to.name, on: policy.disk)
            guard !isSpelling, !local.specials.keys.contains(spot.place), move(from, to: spot.place) else {
                throw Unexpected(action, "cannot move")
            }
            return Outcome(local: local.facts(at: spot.place))
        case .setAside(let mine, _, let from, let place):
            _ = try here(from, mine, action)
            guard move(from, to: place) else { throw Unexpected(action, "cannot set aside") }
            return Outcome(local: local.facts(at: place))
        case .trashLocal(let mine, _, let place, let count):
            _ = try here(place, mine, action)
            guard local.tree.subtreeCount(of: local.node(at: place)!) == count else {
                throw Unexpected(action, "another count")
            }
            keepHere(place)
            return Outcome()
        case .touchLocal(let mine, let id, let place, let time, let executable):
            var facts = try here(place, mine, action)
            facts.stamp = touchedStamp(facts.stamp, modifiedAt: time)
            facts.executable = executable
            local.put(facts, at: place)
            return Outcome(remote: remote.facts(id), local: facts)
        case .merge(let place, _, let mine, let theirs):
            _ = try there(theirs, action)
            var facts = try here(place, mine, action)
            if mergeFails { return Outcome(couldNotMerge: true) }
            keepHere(place)
            facts.hash = Self.merged(mine.hash!, theirs.checksum!)
            facts.stamp = touchedStamp(facts.stamp, modifiedAt: facts.stamp.modifiedAt.adding(seconds: 1_000_000))
            local.put(facts, at: place)
            return Outcome(local: facts)
        default: throw Unexpected(action, "no such step")
        }
    }

    /// A content of its own for each pair.
    static func merged(_ mine: ContentHash, _ theirs: ContentHash) -> ContentHash {
        ContentHash(bytes: zip(mine.bytes, theirs.bytes).map { $0 &* 31 &+ $1 })!
    }

    // MARK: - Looking again

    private func here(_ place: Place, _ mine: LocalFingerprint, _ action: Action) throws -> LocalFacts {
        guard let facts = local.facts(at: place) else { throw Unexpected(action, "nothing here at \(place)") }
        // What a plan itself has made on the way has no stamp that it could know.
        guard mine.stamp.inode == 0 || mine.matches(facts), mine.hash == facts.hash else {
            throw Unexpected(action, "something else at \(place)")
        }
        return facts
    }

    private func there(_ theirs: RemoteFingerprint, _ action: Action) throws -> RemoteFacts {
        guard let facts = remote.facts(theirs.id) else { throw Unexpected(action, "nothing there") }
        guard facts.checksum == theirs.checksum else { throw Unexpected(action, "another revision there") }
        return facts
    }

    private mutating func put(_ facts: LocalFacts, at place: Place, _ action: Action) throws {
        guard local.node(at: place) == nil, !isTaken(place), local.specials[place] == nil,
            local.put(facts, at: place) != nil
        else {
            throw Unexpected(action, "taken here, or no folder")
        }
    }

    private mutating func create(_ spot: Spot, _ mine: LocalFingerprint, _ action: Action) throws -> RemoteFacts {
        let folder = spot.folderId ?? synced.facts(at: spot.place.parent)?.remoteId ?? "?"
        let facts = newRevision(of: nil, mine)
        guard remote.put(facts, named: spot.remoteName, under: folder) else {
            throw Unexpected(action, "taken there, or no folder \(folder)")
        }
        if let hash = mine.hash { history.insert(hash) }
        return facts
    }

    private mutating func moveThere(_ theirs: RemoteFingerprint, _ spot: Spot, _ action: Action) throws -> Outcome {
        var facts = try there(theirs, action)
        facts.version += 1
        let folder = spot.folderId ?? synced.facts(at: spot.place.parent)?.remoteId ?? "?"
        guard remote.put(facts, named: spot.remoteName, under: folder) else { throw Unexpected(action, "cannot move") }
        return Outcome(remote: facts, local: local.facts(at: spot.place))
    }

    /// Alone, whatever it was deleted with.
    private mutating func untrashThere(
        _ theirs: RemoteFingerprint, _ spot: Spot, _ action: Action
    ) throws -> Outcome {
        guard var facts = takeFromTrashThere(theirs.id), facts.checksum == theirs.checksum else {
            throw Unexpected(action, "not in the trash there")
        }
        facts.version += 1
        let folder = spot.folderId ?? synced.facts(at: spot.place.parent)?.remoteId ?? "?"
        guard remote.put(facts, named: spot.remoteName, under: folder) else { throw Unexpected(action, "taken there") }
        return Outcome(remote: facts, local: local.facts(at: spot.place))
    }

    private mutating func download(
        _ spot: Spot, _ theirs: RemoteFingerprint, _ over: LocalFingerprint?, _ action: Action
    ) throws -> Outcome {
        let facts = try there(theirs, action)
        if let over {
            _ = try here(spot.place, over, action)
            keepHere(spot.place)
        }
        let stamp = newStamp(size: facts.size, modifiedAt: facts.modifiedAt)
        let here = LocalFacts(kind: .file, stamp: stamp, executable: facts.executable, hash: facts.checksum)
        try put(here, at: spot.place, action)
        return Outcome(remote: facts, local: here)
    }
}
