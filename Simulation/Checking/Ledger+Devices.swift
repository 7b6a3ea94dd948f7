import BothyContract

/// What happens to devices and to the server.
extension Ledger {
    /// From now on, until a pass of it has come to its end, what is absent on it was not deleted.
    ///
    /// - Parameter knows: it still knows its files and folders by what it agreed on, wherever they are in its folder.
    mutating func linksAnew(_ device: Int, knowingItsFiles knows: Bool) {
        linking.insert(.folder(device))
        let taken = takenSincePass[.folder(device)] ?? Taken()
        if !knows { strangers.insert(.folder(device)) }
        let unknown = knows ? taken.displacing : taken.moved
        for hash in taken.removed.union(unknown) { stories[hash]?.mayComeBack = true }
    }

    mutating func passBegins(_ device: Int) {
        takenInPass[.folder(device)] = nil
        passesBegun[.folder(device), default: 0] += 1
    }

    /// A pass of the device came to its end, or an exchange of its replica, and nothing is left to be done.
    ///
    /// - Parameters:
    ///   - kept: paths that were not synced, by a rule: what was deleted there is not deleted yet.
    ///   - there: what the server has.
    ///   - places: in how many places it has that.
    mutating func passed(
        _ device: Actor, keeping kept: [String] = [], _ there: @autoclosure () -> Set<ContentHash> = [],
        places: @autoclosure () -> [ContentHash: Int] = [:]
    ) {
        linking.remove(device)
        strangers.remove(device)
        let isBack = unreturned.remove(device) != nil
        let isAware = unaware.remove(device) != nil
        let areAllBack = unreturned.isEmpty && (isBack || isAware && unaware.isEmpty)
        takenSincePass[device] = takenInPass[device]
        for path in kept.map(Self.onAnyDisk) {
            let waiting = removals.filter { removal in
                removal.actor == device
                    && wasThere(removal, for: device).contains { name in
                        name == path || Self.lies(name, below: path)
                    }
            }
            takenSincePass[device, default: Taken()].removed.formUnion(waiting.compactMap(\.hash))
        }
        moment += 1
        lastPass[device] = moment
        let pass = passesBegun[device]
        for hash in stories.keys {
            stories[hash]?.moves.arrive(from: device, in: pass, at: moment)
            stories[hash]?.relocations.arrive(from: device, in: pass, at: moment)
            stories[hash]?.deletions.arrive(from: device, in: pass, at: moment)
        }
        removals.arrive(from: device, in: pass, at: moment)
        folderMoves.arrive(from: device, in: pass, at: moment)
        if areAllBack { toldAgain(there(), places()) }
    }

    /// Where what was deleted lay, last and before that: it may never have been anywhere else for others.
    private func wasThere(_ removal: Deed, for device: Actor) -> [String] {
        let relocations = removal.hash.flatMap { stories[$0]?.relocations } ?? []
        return [removal.path] + relocations.filter { $0.actor == device }.map(\.path)
    }

    /// Everyone is back who had something, or had heard of something, that the backup lacks.
    private mutating func toldAgain(_ there: Set<ContentHash>, _ places: [ContentHash: Int]) {
        for hash in there { stories[hash]?.isOnDevicesAlone = false }
        for (hash, count) in places {
            guard let story = stories[hash], story.isOfNoBackup else { continue }
            stories[hash]?.written = max(story.written, count)
        }
        for hash in stories.keys { stories[hash]?.moves.comeBack(at: moment) }
        folderMoves.comeBack(at: moment)
    }

    /// What a power cut took away or brought back is nobody's wish, if a person had to do with it there: what only came to the
    /// device, or went from it, is on its disk or off it for good.
    mutating func shaken(_ hash: ContentHash, on device: Int) {
        guard let story = stories[hash] else { return }
        let those: Set<Actor?> = [.folder(device), .replica(device), nil]
        let doers = story.writers.union(story.removers.map(Optional.some)).union(story.movers.map(Optional.some))
        if !doers.isDisjoint(with: those) { stories[hash]?.isShaken = true }
    }

    /// What a power cut left in a file is, to a reader that finds it there, a version that was saved over the one before.
    ///
    /// - Parameters:
    ///   - hash: what the file has now; nil where it is gone.
    ///   - before: what it had; nil where there was none.
    ///   - path: where it is: what was deleted there, and is not deleted anywhere else yet, was before it.
    ///   - device: whose disk it is.
    ///   - isMomentary: whether that is the name that something has for a moment while it is saved.
    mutating func leftByPowerCut(
        _ hash: ContentHash?, over before: ContentHash?, at path: String, on device: Int, isMomentary: Bool
    ) {
        guard hash != before else { return }
        // Of what has one name on any disk, each may have been there.
        let deletions = removals.filter {
            $0.actor == .folder(device) && $0.path == Self.onAnyDisk(path) && $0.arrived == nil
        }
        for hash in before.map({ [$0] }) ?? deletions.compactMap(\.hash) { shaken(hash, on: device) }
        let before = before ?? deletions.last?.hash
        guard let hash else { return }
        shaken(hash, on: device)
        var story = stories[hash] ?? Story(words: String(hash.hex.prefix(8)), isShaken: true)
        if let before { story.older.formUnion((stories[before]?.older ?? []).union([before]).subtracting([hash])) }
        stories[hash] = story
        if isMomentary { moved(hash, by: .folder(device)) }
    }

    mutating func backedUp() {
        moment += 1
        backupMoment = moment
    }

    /// The server was put back to a backup.
    ///
    /// - Parameters:
    ///   - backup: what the backup has.
    ///   - there: what a device has. Nobody has the rest any more.
    ///   - overwritten: what lay in the history of a file, since the last write wins.
    ///   - devices: how many have folders.
    ///   - replicas: how many there are.
    mutating func restored(
        _ backup: Set<ContentHash>, _ there: Set<ContentHash>, overwritten: Set<ContentHash>, devices: Int,
        replicas: Int
    ) {
        unreturned = Set((0..<devices).map(Actor.folder))
        unaware = Set((0..<replicas).map(Actor.replica))
        if !unreturned.isEmpty { folderMoves.leave(after: backupMoment) }
        let replaced = stories.values.reduce(into: overwritten) { $0.formUnion($1.older) }
        for hash in stories.keys {
            if !unreturned.isEmpty { stories[hash]?.moves.leave(after: backupMoment) }
            if replaced.contains(hash) || stories[hash]?.older.isEmpty == false {
                stories[hash]?.isOlderThanReturn = true
            }
            stories[hash]?.isOnDevicesAlone = !backup.contains(hash)
            stories[hash]?.isOfNoBackup = !backup.contains(hash)
            stories[hash]?.isMoreThanMoved = true
            if !backup.contains(hash), !there.contains(hash) { stories[hash]?.isPurged = true }
            if stories[hash]?.removers.isEmpty == false { stories[hash]?.mayComeBack = true }
        }
    }
}
