import BothyContent
import BothyContract

/// What the people of a world did with contents: by it the end of a world is judged, and by nothing that an engine says.
///
/// Where it asks less than «what is wanted is there, and what was deleted stays away», a rule of the product says so:
/// - **Move against deletion.** What one person moves and another deletes stays, also where the one who moves it has
///   another version of it, or moves a folder into which it has not come yet, under whichever of its names.
/// - **Back from the trash.** A new version, or a person, takes a file out of the trash with the folders that it lies in
///   and all that is in them; also where somebody who has not heard of that deletes it again meanwhile, in whichever
///   version.
/// - **Linking anew.** A device that is linked anew, or for the first time, deletes nothing by what is absent on it. What
///   was moved on it is known again, but for the first time and on another disk, where it is new in its place. What was
///   deleted under something that is kept apart is not deleted yet, and is absent then like all else.
/// - **Backup.** A server that is put back to a backup has again what the backup has, and no more; of versions that only
///   devices have, and those that are saved before all devices are back, the last to come is the newest, and the others are
///   in its history; or the two are in conflict, where one was written on the backup's version. What the backup lacks comes
///   from each device, and so in each place where a device has it. Of what has one version alone nothing is lost, and once
///   all are back, what the server has then is kept, and stays deleted, as ever.
/// - **Last write wins.** Where a device is told so, of two versions the last to arrive counts, and the other, which that
///   device had not got, is in the history.
/// - **Power cut.** What was not synced to a disk is lost with its power, or what it replaced is back; what is left in a
///   file is a version of it, saved over the one before, also over one that was deleted there and not yet elsewhere, or
///   lies under the name that it had for a moment then. What the server has said yes to can be had back all the same.
/// - **One thing alone.** A folder that is empty all of a sudden, and in which one thing was agreed on, has had that
///   deleted by its person, or gets it anew, or forgets it where others have deleted it too; should it come back, it is
///   something new, beside what is in its place by then.
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
        /// Who wrote it; nil for somebody.
        var writers: Set<Actor?> = []
        /// Who deleted or overwrote it, having it before their eyes.
        var removers: Set<Actor> = []
        /// Who renamed or moved it.
        var movers: Set<Actor> = []
        /// What it was saved over, and what that was, and so on.
        var older: Set<ContentHash> = []
        /// Moves of it, and takings back, of which others may not know.
        var moves: [Deed] = []
        /// Who gave it another place or another name, and where it was before.
        var relocations: [Deed] = []
        /// Who deleted it, and where it was.
        var deletions: [Deed] = []
        /// Something else than moving and deleting has been done about it, by a person or by a server that went back.
        var isMoreThanMoved = false
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
        /// Where a folder was moved.
        var target: String?
        /// To what.
        var hash: ContentHash?
        /// How many passes its actor's device had begun: the last of them may not know of it.
        var passesBegun = 0
        /// The moment by which the server had it.
        var arrived: Int?
        /// Neither had its actor heard of what somebody else did to the same, nor they of this.
        var isBlind = false
    }

    private struct Taken: Sendable {
        var removed: Set<ContentHash> = []
        var moved: Set<ContentHash> = []
    }

    private var stories: [ContentHash: Story] = [:]
    /// Passes that came to their end.
    private var moment = 0
    /// How many passes each device has begun.
    private var passesBegun: [Actor: Int] = [:]
    /// When each device's last pass came to its end.
    private var lastPass: [Actor: Int] = [:]
    private var removals: [Deed] = []
    private var folderMoves: [Deed] = []
    /// Devices that have not been linked, or not since their cursors expired.
    private var linking: Set<Actor> = []
    /// Those of them that have nothing by which they would know what is in their folders: what was moved there is new to them.
    private var strangers: Set<Actor> = []
    /// What was done on a device since its last pass that came to its end.
    private var takenSincePass: [Actor: Taken] = [:]
    /// The same since its pass that is under way began: that may not know of it.
    private var takenInPass: [Actor: Taken] = [:]
    /// Devices of which no pass has come to its end since the server was put back to a backup.
    private var unreturned: Set<Actor> = []

    package init() {}

    // MARK: What people do

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
    }

    /// Two files changed names: what is in a place by now is a version of what was there.
    mutating func exchanged(_ first: ContentHash, _ second: ContentHash) {
        let hashes = [first, second]
        let older = hashes.reduce(into: Set(hashes)) { $0.formUnion(stories[$1]?.older ?? []) }
        for hash in hashes {
            stories[hash]?.older.formUnion(older.subtracting([hash]))
            stories[hash]?.isMoreThanMoved = true
        }
    }

    /// A file comes to a place: what this actor deleted there was saved over, as far as anybody can tell.
    mutating func tookPlace(_ path: String, by actor: Actor) {
        let place = Self.onAnyDisk(path)
        for (hash, story) in stories where story.deletions.contains(where: { $0.actor == actor && $0.path == place }) {
            stories[hash]?.isMoreThanMoved = true
        }
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

    /// All that was in a folder was lost, and its person says that it is meant to be deleted.
    mutating func gaveUp(_ bytes: [UInt8], at path: String, by actor: Actor) {
        removed(SHA256Hasher.hash(bytes), at: path, by: actor)
    }

    mutating func moved(_ hash: ContentHash, by actor: Actor) {
        guard stories[hash] != nil else { return }
        stories[hash]?.movers.insert(actor)
        takenSincePass[actor, default: Taken()].moved.insert(hash)
        takenInPass[actor, default: Taken()].moved.insert(hash)
        if strangers.contains(actor) { stories[hash]?.mayComeBack = true }
        let deed = deed(by: actor)
        stories[hash]?.moves.append(deed)
        // Whoever still has another version has not heard that this one was deleted.
        for (other, story) in stories
        where isOlderOrBeside(hash, other) && !story.removers.isSubset(of: [actor]) {
            stories[other]?.mayComeBack = true
        }
    }

    /// Whether one version of a file is older than another, or both were saved over the same.
    private func isOlderOrBeside(_ one: ContentHash, _ other: ContentHash) -> Bool {
        guard one != other, let first = stories[one], let second = stories[other] else { return false }
        return second.older.contains(one)
            || !first.older.contains(other) && !first.older.isDisjoint(with: second.older)
    }

    /// It has another place or another name, and no folder above it.
    mutating func relocated(_ hash: ContentHash, from: String, to: String, by actor: Actor) {
        let move = deed(by: actor, at: from)
        guard let story = stories[hash], Self.onAnyDisk(to) != move.path else { return }
        stories[hash]?.relocations.append(move)
        for (index, deletion) in story.deletions.enumerated()
        where deletion.path == move.path && isNews(deletion, to: actor) {
            stories[hash]?.deletions[index].isBlind = true
        }
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
    private func lies(_ path: String, belowAnyNameOf folder: String) -> Bool {
        var names: Set<String> = [folder]
        var unfollowed = [folder]
        while let name = unfollowed.popLast() {
            if Self.lies(path, below: name) { return true }
            for move in folderMoves {
                guard let target = move.target else { continue }
                let others = [
                    Self.moved(name, from: move.path, to: target), Self.moved(name, from: target, to: move.path),
                ]
                for other in others.compactMap(\.self)
                where names.insert(other).inserted && names.count <= Self.mostNames {
                    unfollowed.append(other)
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

    private func deed(by actor: Actor, at path: String = "", to hash: ContentHash? = nil) -> Deed {
        Deed(
            actor: actor, path: Self.onAnyDisk(path), hash: hash, passesBegun: passesBegun[actor] ?? 0,
            arrived: actor == .browser ? moment + 1 : nil)
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
        var path = path.lowercased()
        while let shorter = path.droppingLastParenthesis(where: Self.isNumber) { path = shorter }
        return path
    }

    private static func isNumber(_ parenthesis: Substring.UTF8View) -> Bool {
        let digits = parenthesis.dropFirst()
        return !digits.isEmpty && digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
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

    // MARK: What happens to devices

    /// From now on, until a pass of it has come to its end, what is absent on it was not deleted.
    ///
    /// - Parameter knows: it still knows its files and folders by what it agreed on, wherever they are in its folder.
    mutating func linksAnew(_ device: Int, knowingItsFiles knows: Bool) {
        linking.insert(.folder(device))
        let taken = takenSincePass[.folder(device)] ?? Taken()
        if !knows { strangers.insert(.folder(device)) }
        for hash in knows ? taken.removed : taken.removed.union(taken.moved) { stories[hash]?.mayComeBack = true }
    }

    mutating func passBegins(_ device: Int) {
        takenInPass[.folder(device)] = nil
        passesBegun[.folder(device), default: 0] += 1
    }

    /// A pass of the device came to its end, or an exchange of its replica, and nothing is left to be done.
    ///
    /// - Parameters:
    ///   - kept: paths that were not brought in step, by a rule: what was deleted there is not deleted yet.
    ///   - there: what the server has.
    mutating func passed(
        _ device: Actor, keeping kept: [String] = [], _ there: @autoclosure () -> Set<ContentHash> = []
    ) {
        linking.remove(device)
        strangers.remove(device)
        if unreturned.remove(device) != nil, unreturned.isEmpty {
            for hash in there() { stories[hash]?.isOnDevicesAlone = false }
        }
        takenSincePass[device] = takenInPass[device]
        for path in kept.map(Self.onAnyDisk) {
            let waiting = removals.filter { $0.actor == device && ($0.path == path || Self.lies($0.path, below: path)) }
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
    }

    /// What a power cut took away or brought back is nobody's wish, if a person had to do with it there: what only came to the
    /// device, or went from it, is on its disk or off it for good.
    mutating func shaken(_ hash: ContentHash, on device: Int) {
        guard let story = stories[hash] else { return }
        let those: Set<Actor?> = [.folder(device), .replica(device), nil]
        let doers = story.writers.union(story.removers.map(Optional.some)).union(story.movers.map(Optional.some))
        if !doers.isDisjoint(with: those) { stories[hash]?.isShaken = true }
    }

    /// What a power cut left in a file is, to whoever finds it there, a version that was saved over the one before.
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
        let deletion = removals.last {
            $0.actor == .folder(device) && $0.path == Self.onAnyDisk(path) && $0.arrived == nil
        }
        let before = before ?? deletion?.hash
        if let before { shaken(before, on: device) }
        guard let hash else { return }
        shaken(hash, on: device)
        var story = stories[hash] ?? Story(words: String(hash.hex.prefix(8)), isShaken: true)
        if let before { story.older.formUnion((stories[before]?.older ?? []).union([before]).subtracting([hash])) }
        stories[hash] = story
        if isMomentary { moved(hash, by: .folder(device)) }
    }

    /// The server was put back to a backup.
    ///
    /// - Parameters:
    ///   - backup: what the backup has.
    ///   - there: what a device has. Nobody has the rest any more.
    ///   - overwritten: what lay in the history of a file, since the last write wins.
    ///   - devices: how many there are.
    mutating func restored(
        _ backup: Set<ContentHash>, _ there: Set<ContentHash>, overwritten: Set<ContentHash>, devices: Int
    ) {
        unreturned = Set((0..<devices).map(Actor.folder))
        let replaced = stories.values.reduce(into: overwritten) { $0.formUnion($1.older) }
        for hash in stories.keys {
            if replaced.contains(hash) || stories[hash]?.older.isEmpty == false {
                stories[hash]?.isOlderThanReturn = true
            }
            stories[hash]?.isOnDevicesAlone = !backup.contains(hash)
            stories[hash]?.isMoreThanMoved = true
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

    /// Moved by one person, and deleted by others where it was: they had not heard of that, nor the one who moved it of them. It
    /// stays, but for what is deleted at a replica: that is sent as it was meant, whatever the file is called by then.
    var movedAgainstDeletion: [ContentHash] {
        stories.filter { _, story in
            story.isUnique && story.written == 1 && story.relocations.count == 1 && !story.deletions.isEmpty
                && story.deletions.allSatisfy(\.isBlind) && !story.isMoreThanMoved && !story.isShaken && !story.isPurged
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
    func isToBeKept(_ hash: ContentHash) -> Bool {
        stories[hash].map { !$0.isPurged && !($0.isShaken && $0.isOnDevicesAlone) } ?? false
    }
}

extension [ContentHash] {
    fileprivate func sorted() -> [ContentHash] { sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) } }
}

extension [Ledger.Deed] {
    /// The server has all that a device's person did before the pass that came to its end; nil for a replica, which sends what it
    /// has until nothing is left.
    fileprivate mutating func arrive(from device: Ledger.Actor, in pass: Int?, at moment: Int) {
        for index in indices where self[index].actor == device && self[index].arrived == nil {
            if let pass, self[index].passesBegun >= pass { continue }
            self[index].arrived = moment
        }
    }
}
