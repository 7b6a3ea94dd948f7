import BothyContent
import BothyContract

/// What people do with contents.
extension Ledger {
    /// - Parameter old: what it was saved over, in the same file.
    mutating func wrote(_ content: Content, over old: ContentHash? = nil, by actor: Actor? = nil) {
        let hash = SHA256Hasher.hash(content.bytes)
        var story = stories[hash] ?? Story(words: content.words)
        if case .unique = content { story.isUnique = true }
        story.written += 1
        story.writers.insert(actor)
        if old != nil, !unreturned.isEmpty { story.isOlderThanReturn = true }
        if let old {
            story.older.formUnion((stories[old]?.older ?? []).union([old]))
            stories[old]?.isMoreThanMoved = true
        }
        stories[hash] = story
        // What a folder lacks, and what then has the same content in it, is one thing that was moved, as far as anybody can tell.
        if let actor, !story.isUnique, takenSinceAway[actor] != nil { moved(hash, by: actor) }
    }

    /// Two files changed names: what is in a place by now is a version of what was there, saved just now.
    mutating func exchanged(_ first: ContentHash, _ second: ContentHash, by actor: Actor) {
        let hashes = [first, second]
        let older = hashes.reduce(into: Set(hashes)) { $0.formUnion(stories[$1]?.older ?? []) }
        for hash in hashes {
            stories[hash]?.older.formUnion(older.subtracting([hash]))
            stories[hash]?.isMoreThanMoved = true
            if !unreturned.isEmpty { stories[hash]?.isOlderThanReturn = true }
            displaced(with: hash, by: actor)
        }
    }

    /// A file comes to a place: what this actor deleted there was saved over, as far as anybody can tell.
    ///
    /// - Parameter moved: what was moved there, from elsewhere in the folder.
    mutating func tookPlace(_ path: String, moving moved: ContentHash? = nil, by actor: Actor) {
        let place = Self.onAnyDisk(path)
        takenSinceAway[actor, default: []].insert(place)
        for (hash, story) in stories where story.deletions.contains(where: { $0.actor == actor && $0.path == place }) {
            stories[hash]?.isMoreThanMoved = true
            if let moved { displaced(with: moved, by: actor) }
        }
    }

    /// What is moved into the place of something else is a version of that, and no longer there where it was: which is no
    /// deletion while the device is linked anew.
    private mutating func displaced(with hash: ContentHash, by actor: Actor) {
        takenSincePass[actor, default: Taken()].displacing.insert(hash)
        takenInPass[actor, default: Taken()].displacing.insert(hash)
        if linking.contains(actor) { stories[hash]?.mayComeBack = true }
    }

    mutating func copied(_ hash: ContentHash, by actor: Actor? = nil) {
        stories[hash]?.written += 1
        stories[hash]?.writers.insert(actor)
    }

    /// - Parameter path: where it lay, for this actor.
    mutating func removed(_ hash: ContentHash, at path: String = "", by actor: Actor) {
        guard let story = stories[hash] else { return }
        stories[hash]?.removers.insert(actor)
        takenSincePass[actor, default: Taken()].removed.insert(hash)
        takenInPass[actor, default: Taken()].removed.insert(hash)
        if story.isOnDevicesAlone {
            stories[hash]?.isPurged = true
            stories[hash]?.mayComeBack = true
        }
        if unaware.contains(actor), story.isOfNoBackup { stories[hash]?.mayComeBack = true }
        var removal = deed(by: actor, at: path, to: hash)
        removals.append(removal)
        removal.isBlind = story.relocations.contains { $0.path == removal.path && isNews($0, to: actor) }
        if case .replica = actor { stories[hash]?.isMoreThanMoved = true }
        stories[hash]?.deletions.append(removal)
        let moves = stories.keys.filter { isOlderOrBeside($0, hash) }.flatMap { stories[$0]?.moves ?? [] }
        let news = folderMoves.filter { isNews($0, to: actor) }
        if linking.contains(actor) || moves.contains(where: { isNews($0, to: actor) })
            || news.contains(where: { lies(removal.path, belowAnyNameOf: $0.path) })
        {
            stories[hash]?.mayComeBack = true
        }
    }

    /// A person decided about it: whichever side that takes away, and when, it can be had back.
    mutating func decidedAbout(_ hash: ContentHash, at path: String, by actor: Actor) {
        removed(hash, at: path, by: actor)
        tookBack(hash)
    }

    /// A device's folder is not there, or empty, from now on.
    mutating func wentAway(_ device: Int) { takenSinceAway[.folder(device)] = [] }

    /// All that was in a folder was lost, and its person says that it is meant to be deleted. What something else has come into the
    /// place of meanwhile was saved over.
    mutating func gaveUp(_ bytes: [UInt8], at path: String, by actor: Actor) {
        let hash = SHA256Hasher.hash(bytes)
        removed(hash, at: path, by: actor)
        if takenSinceAway[actor, default: []].contains(Self.onAnyDisk(path)) { stories[hash]?.isMoreThanMoved = true }
    }

    /// A person took it out of the trash, or thought better of deleting it.
    mutating func tookBack(_ hash: ContentHash) {
        stories[hash]?.mayComeBack = true
        stories[hash]?.isMoreThanMoved = true
    }

    /// The same at a replica: it arrives later, and who deletes a newer version of it may not know of that yet.
    mutating func tookBack(_ hash: ContentHash, by actor: Actor) {
        tookBack(hash)
        let deed = deed(by: actor)
        stories[hash]?.moves.append(deed)
        for (newer, story) in stories where story.older.contains(hash) && !story.removers.isEmpty { tookBack(newer) }
    }

    mutating func purged(_ hash: ContentHash) { stories[hash]?.isPurged = true }
}
