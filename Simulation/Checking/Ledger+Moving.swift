import BothyContract

/// What is moved, and under which names others may know it.
extension Ledger {
    mutating func moved(_ hash: ContentHash, by actor: Actor) {
        guard stories[hash] != nil else { return }
        stories[hash]?.movers.insert(actor)
        // It goes where it was meant to there, also back from where somebody else has moved it meanwhile.
        if case .replica = actor { stories[hash]?.isMoreThanMoved = true }
        takenSincePass[actor, default: Taken()].moved.insert(hash)
        takenInPass[actor, default: Taken()].moved.insert(hash)
        if strangers.contains(actor) { stories[hash]?.mayComeBack = true }
        let deed = deed(by: actor)
        stories[hash]?.moves.append(deed)
        // A device that still has another version has not heard that this one was deleted.
        for (other, story) in stories
        where isOlderOrBeside(hash, other) && !story.removers.isSubset(of: [actor]) {
            stories[other]?.mayComeBack = true
        }
    }

    /// Whether one version of a file is older than another, or both were saved over the same.
    func isOlderOrBeside(_ one: ContentHash, _ other: ContentHash) -> Bool {
        guard one != other, let first = stories[one], let second = stories[other] else { return false }
        return second.older.contains(one)
            || !first.older.contains(other) && !first.older.isDisjoint(with: second.older)
    }

    /// It has another place or another name, and no folder above it.
    mutating func relocated(_ hash: ContentHash, from: String, to: String, by actor: Actor) {
        let move = deed(by: actor, at: from)
        guard let story = stories[hash] else { return }
        guard Self.onAnyDisk(to) != move.path else {
            stories[hash]?.respellers.insert(actor)
            return
        }
        stories[hash]?.relocations.append(move)
        for (index, deletion) in story.deletions.enumerated()
        where deletion.path == move.path && isNews(deletion, to: actor) {
            stories[hash]?.deletions[index].isBlind = true
        }
    }

    /// A file comes to a place on a disk that tells no case apart, and one that was spelled in another case there was
    /// deleted by others. While the device has not come to an end with that (it may have crashed between taking it away
    /// and noting so) what is there now is that file, saved anew and renamed.
    ///
    /// - Parameter contents: what the device has, also in its trash: what it never had was never in that place.
    mutating func respelled(_ path: String, among contents: Set<ContentHash>, by actor: Actor) {
        let (place, name) = (Self.onAnyDisk(path), Self.lastName(of: path))
        let renamed = contents.filter { hash in
            guard let story = stories[hash] else { return false }
            return story.deletions.contains { deletion in
                let other = Self.lastName(of: deletion.spelling)
                return deletion.path == place && other != name && other.lowercased() == name.lowercased()
                    && isNews(deletion, to: actor)
            }
        }
        for hash in renamed { moved(hash, by: actor) }
    }

    private static func lastName(of path: String) -> String {
        path.split(separator: "/").last.map { String($0) } ?? ""
    }

    /// All below goes along, also what others have put there and this actor has not seen.
    mutating func movedFolder(from path: String, to target: String, by actor: Actor) {
        var move = deed(by: actor, at: path)
        move.target = Self.onAnyDisk(target)
        folderMoves.append(move)
        for removal in removals where isNews(removal, to: actor) && lies(removal.path, belowAnyNameOf: move.path) {
            if let hash = removal.hash { stories[hash]?.mayComeBack = true }
        }
    }

    /// Whether it lies below a folder, which others may know by a name that it had, or has got by now.
    func lies(_ path: String, belowAnyNameOf folder: String) -> Bool {
        // The nearest first, or names without end would leave no room for the others.
        var (names, known) = ([folder], Set([folder]))
        var next = 0
        while next < names.count {
            let name = names[next]
            next += 1
            if Self.lies(path, below: name) { return true }
            for move in folderMoves {
                guard let target = move.target else { continue }
                let others = [
                    Self.moved(name, from: move.path, to: target), Self.moved(name, from: target, to: move.path),
                ]
                for other in others.compactMap(\.self)
                where names.count < Self.mostNames && known.insert(other).inserted {
                    names.append(other)
                }
            }
        }
        return false
    }

    /// A folder that was moved into what lay in it before has names without end.
    private static let mostNames = 100

    private static func moved(_ path: String, from: String, to: String) -> String? {
        if path == from { return to }
        return lies(path, below: from) ? to + path.dropFirst(from.count) : nil
    }

    /// Both as they may be called on any disk.
    static func lies(_ path: String, below folder: String) -> Bool { path.hasPrefix(folder + "/") }

    /// A disk may have one of the names with another case, or with a number.
    static func onAnyDisk(_ path: String) -> String {
        var path = path.lowercased()
        while let shorter = path.droppingLastParenthesis(where: \.isParenthesizedNumber) { path = shorter }
        return path
    }
}
