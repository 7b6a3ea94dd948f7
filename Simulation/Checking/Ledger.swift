import BothyContent
import BothyContract

/// What the people of a world did with contents: by it the end of a world is judged, and by nothing that an engine says.
///
/// Where it asks less than «what is wanted is there, and what was deleted stays away», a rule of the product says so:
/// - **Move against deletion.** What one person moves and another deletes stays, also where the one who moves it has an
///   older version of it, or moves a folder into which it has not come yet.
/// - **Back from the trash.** A new version, or a person, takes a file out of the trash with the folders that it lies in and
///   all that is in them.
/// - **Linking anew.** A device that is linked anew, or for the first time, deletes nothing by what is absent on it, or is in
///   another place.
/// - **Backup.** A server that is put back to a backup has again what the backup has, and no more; of versions that only
///   devices have, and those that are saved before all devices are back, the last to come is the newest, and the others are
///   in its history; or the two are in conflict, where one was written on the backup's version. What the backup
///   lacks comes from each device, and so in each place where a device has it.
/// - **Last write wins.** Where a device is told so, of two versions the last to arrive counts, and the other is in the
///   history.
/// - **Power cut.** What was not synced to a disk is lost with its power, or what it replaced is back; what is left in a file
///   is a version of it, saved over the one before, or lies under the name that it had for a moment then.
package struct Ledger: Sendable {
    /// Who did something, and so has seen what was there: a person in a device's folder, at a device's replica, or at the
    /// server's own pages.
    package enum Actor: Hashable, Sendable {
        case folder(Int), replica(Int), browser
    }

    private struct Story: Sendable {
        var words: String
        var isUnique = false
        /// How often a person wrote it: copies count.
        var written = 0
        /// Who deleted or overwrote it, having it before their eyes.
        var removers: Set<Actor> = []
        /// Who renamed or moved it.
        var movers: Set<Actor> = []
        /// What it was saved over, and what that was, and so on.
        var older: Set<ContentHash> = []
        /// Moves of it of which others may not know.
        var moves: [Deed] = []
        /// A rule lets it come back.
        var mayComeBack = false
        /// A power cut took it, or brought it back.
        var isShaken = false
        /// It was there when the server was put back to a backup, or was saved before everyone who has something newer was back.
        var isOlderThanReturn = false
        /// The backup to which the server was put back does not have it: what is left of it is on devices.
        var isOnDevicesAlone = false
        /// A person deleted it for good on the server, or it lay in what was: nothing needs to be left of it.
        var isPurged = false
    }

    /// Something that was done, of which others hear later.
    fileprivate struct Deed: Sendable {
        let actor: Actor
        /// Where, for its actor at that time, as it may be called on any disk.
        var path = ""
        /// To what.
        var hash: ContentHash?
        /// The moment by which the server had it.
        var arrived: Int?
    }

    private var stories: [ContentHash: Story] = [:]
    /// Passes that came to their end.
    private var moment = 0
    /// When each device's last pass came to its end.
    private var lastPass: [Actor: Int] = [:]
    private var removals: [Deed] = []
    private var folderMoves: [Deed] = []
    /// Devices that have not been linked, or not since their cursors expired.
    private var linking: Set<Actor> = []
    /// What was removed or moved on a device since its last pass that came to its end.
    private var takenSincePass: [Actor: Set<ContentHash>] = [:]
    /// The same since its pass that is under way began: that may not know of it.
    private var takenInPass: [Actor: Set<ContentHash>] = [:]
    /// Devices of which no pass has come to its end since the server was put back to a backup.
    private var unreturned: Set<Actor> = []

    package init() {}

    // MARK: What people do

    /// - Parameter old: what it was saved over, in the same file.
    mutating func wrote(_ content: Content, over old: ContentHash? = nil) {
        let hash = SHA256Hasher.hash(content.bytes)
        var story = stories[hash] ?? Story(words: content.words)
        if case .unique = content { story.isUnique = true }
        story.written += 1
        if old != nil, !unreturned.isEmpty { story.isOlderThanReturn = true }
        if let old { story.older.formUnion((stories[old]?.older ?? []).union([old])) }
        stories[hash] = story
    }

    /// Two files changed names: what is in a place by now is a version of what was there.
    mutating func exchanged(_ first: ContentHash, _ second: ContentHash) {
        let hashes = [first, second]
        let older = hashes.reduce(into: Set(hashes)) { $0.formUnion(stories[$1]?.older ?? []) }
        for hash in hashes { stories[hash]?.older.formUnion(older.subtracting([hash])) }
    }

    mutating func copied(_ hash: ContentHash) { stories[hash]?.written += 1 }

    /// - Parameter path: where it lay, for this actor.
    mutating func removed(_ hash: ContentHash, at path: String = "", by actor: Actor) {
        guard let story = stories[hash] else { return }
        stories[hash]?.removers.insert(actor)
        took(hash, actor)
        if story.isOnDevicesAlone {
            stories[hash]?.isPurged = true
            stories[hash]?.mayComeBack = true
        }
        let removal = deed(by: actor, at: path, to: hash)
        removals.append(removal)
        let moves = story.older.flatMap { stories[$0]?.moves ?? [] }
        if linking.contains(actor) || moves.contains(where: { isNews($0, to: actor) })
            || folderMoves.contains(where: { Self.lies(removal.path, below: $0.path) && isNews($0, to: actor) })
        {
            stories[hash]?.mayComeBack = true
        }
    }

    /// A person decided about it: whichever side that takes away, and when, it can be had back.
    mutating func decidedAbout(_ hash: ContentHash, at path: String, by actor: Actor) {
        removed(hash, at: path, by: actor)
        tookBack(hash)
    }

    /// All that was in a folder was lost, and its person says that it is meant to be deleted.
    mutating func gaveUp(_ bytes: [UInt8], at path: String, by actor: Actor) {
        removed(SHA256Hasher.hash(bytes), at: path, by: actor)
    }

    mutating func moved(_ hash: ContentHash, by actor: Actor) {
        guard stories[hash] != nil else { return }
        stories[hash]?.movers.insert(actor)
        took(hash, actor)
        if linking.contains(actor) { stories[hash]?.mayComeBack = true }
        let deed = deed(by: actor)
        stories[hash]?.moves.append(deed)
        // Whoever still has the older version has not heard that the newer one was deleted.
        for (newer, story) in stories
        where story.older.contains(hash) && !story.removers.isSubset(of: [actor]) { stories[newer]?.mayComeBack = true }
    }

    /// All below goes along, also what others have put there and this actor has not seen.
    mutating func movedFolder(from path: String, by actor: Actor) {
        let move = deed(by: actor, at: path)
        folderMoves.append(move)
        for removal in removals where Self.lies(removal.path, below: move.path) && isNews(removal, to: actor) {
            if let hash = removal.hash { stories[hash]?.mayComeBack = true }
        }
    }

    private mutating func took(_ hash: ContentHash, _ actor: Actor) {
        takenSincePass[actor, default: []].insert(hash)
        takenInPass[actor, default: []].insert(hash)
    }

    private func deed(by actor: Actor, at path: String = "", to hash: ContentHash? = nil) -> Deed {
        Deed(
            actor: actor, path: Self.onAnyDisk(path), hash: hash, arrived: actor == .browser ? moment + 1 : nil)
    }

    /// Whether somebody else's deed may not have been heard of.
    private func isNews(_ deed: Deed, to actor: Actor) -> Bool {
        let heard = actor == .browser ? moment : lastPass[actor] ?? -1
        return deed.actor != actor && deed.arrived.map { $0 > heard } ?? true
    }

    /// Both as they may be called on any disk.
    private static func lies(_ path: String, below folder: String) -> Bool { path.hasPrefix(folder + "/") }

    /// A disk may have one of the names with another case, or with a number.
    private static func onAnyDisk(_ path: String) -> String {
        path.lowercased().replacing(#/ \([0-9]+\)/#, with: "")
    }

    /// A person took it out of the trash, or thought better of deleting it.
    mutating func tookBack(_ hash: ContentHash) { stories[hash]?.mayComeBack = true }

    mutating func purged(_ hash: ContentHash) { stories[hash]?.isPurged = true }

    // MARK: What happens to devices

    /// From now on, until a pass of it has come to its end, what is absent on it was not deleted.
    mutating func linksAnew(_ device: Int) {
        linking.insert(.folder(device))
        for hash in takenSincePass[.folder(device)] ?? [] { stories[hash]?.mayComeBack = true }
    }

    mutating func passBegins(_ device: Int) { takenInPass[.folder(device)] = nil }

    /// A pass of the device came to its end, or an exchange of its replica, and nothing is left to be done.
    mutating func passed(_ device: Actor) {
        linking.remove(device)
        unreturned.remove(device)
        takenSincePass[device] = takenInPass[device]
        moment += 1
        lastPass[device] = moment
        for hash in stories.keys { stories[hash]?.moves.arrive(from: device, at: moment) }
        removals.arrive(from: device, at: moment)
        folderMoves.arrive(from: device, at: moment)
    }

    /// What a power cut took away or brought back is nobody's wish.
    mutating func shaken(_ hash: ContentHash) { stories[hash]?.isShaken = true }

    /// What a power cut left in a file is, to whoever finds it there, a version that was saved over the one before.
    ///
    /// - Parameters:
    ///   - hash: what the file has now; nil where it is gone.
    ///   - before: what it had; nil where there was none.
    ///   - mover: the device, where that is the name that something has for a moment while it is saved; nil elsewhere.
    mutating func leftByPowerCut(_ hash: ContentHash?, over before: ContentHash?, movedBy mover: Actor?) {
        guard hash != before else { return }
        if let before { stories[before]?.isShaken = true }
        guard let hash else { return }
        var story = stories[hash] ?? Story(words: String(hash.hex.prefix(8)))
        story.isShaken = true
        if let before { story.older.formUnion((stories[before]?.older ?? []).union([before]).subtracting([hash])) }
        stories[hash] = story
        if let mover { moved(hash, by: mover) }
    }

    /// The server was put back to a backup.
    ///
    /// - Parameters:
    ///   - backup: what the backup has.
    ///   - there: what a device has. Nobody has the rest any more.
    ///   - devices: how many there are.
    mutating func restored(_ backup: Set<ContentHash>, _ there: Set<ContentHash>, devices: Int) {
        unreturned = Set((0..<devices).map(Actor.folder))
        for hash in stories.keys {
            stories[hash]?.isOlderThanReturn = true
            stories[hash]?.isOnDevicesAlone = !backup.contains(hash)
            if !backup.contains(hash), !there.contains(hash) { stories[hash]?.isPurged = true }
            if stories[hash]?.removers.isEmpty == false { stories[hash]?.mayComeBack = true }
        }
    }

    // MARK: What is to be judged

    func words(_ hash: ContentHash) -> String { stories[hash]?.words ?? String(hash.hex.prefix(8)) }

    /// Somebody wrote it, and nobody ever took it away: it must be there, where a person finds it.
    var wanted: [ContentHash] {
        stories.filter {
            $0.value.removers.isEmpty && !$0.value.isShaken && !$0.value.isPurged && !$0.value.isOlderThanReturn
        }
        .map(\.key).sorted()
    }

    /// Written once, and taken away by a person: it must not come back.
    var deleted: [ContentHash] {
        stories.filter { _, story in
            story.isUnique && story.written == 1 && !story.removers.isEmpty && !story.mayComeBack && !story.isShaken
                && (story.movers.isEmpty || story.movers.union(story.removers).count == 1)
        }
        .map(\.key).sorted()
    }

    /// Somebody wrote it, and nobody deleted it for good.
    func isToBeKept(_ hash: ContentHash) -> Bool { stories[hash].map { !$0.isPurged && !$0.isShaken } ?? false }
}

extension [ContentHash] {
    fileprivate func sorted() -> [ContentHash] { sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) } }
}

extension [Ledger.Deed] {
    /// The server has all that a device's person did so far.
    fileprivate mutating func arrive(from device: Ledger.Actor, at moment: Int) {
        for index in indices where self[index].actor == device && self[index].arrived == nil {
            self[index].arrived = moment
        }
    }
}
