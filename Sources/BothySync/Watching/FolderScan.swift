import BothyClient
import BothyContent
import BothyContract

/// One look at everything in a bound folder. Nothing is read but what a look cannot vouch for.
///
/// A file whose stamp (inode, size, times) is the one under which its content was last known is not opened: a pass in
/// which nothing changed costs one look a file.
package struct FolderScan {
    let disk: any FolderDisk
    let synced: SyncedTree
    var previous: LocalTree?
    private let now: Timestamp

    /// Seconds that a file which somebody has open to write must have been left alone to be taken as it is.
    package static let quietTime: Int64 = 10
    /// Folders below folders that are looked into; the server takes no more.
    static let deepest = FileLimits.maximumDepth

    /// Files that were saved again and again lately: each waits until it is quiet.
    var restless: Set<Place> = []
    let device: UInt64
    /// What the disk's stamps can tell.
    let traits: DiskTraits
    /// As it was before anything was read.
    let clock: DiskClock
    var local: LocalTree
    /// Ids on the server of what was agreed on under a stamp that vouched for nothing, and was read now: it is as it was agreed on, and its
    /// stamp vouches for that by now.
    var proven: Set<String> = []
    /// What a look alone does not tell of folders in this one.
    package var knownFolders = KnownFolders()
    /// Those of this device, and of every ignore file that was met.
    private(set) var rules: IgnoreRules
    private(set) var review: RulesReview
    /// Contents by the stamps that they were known under, wherever; made when something is not where it was.
    var byStamp: [LocalStamp: ContentHash]?
    /// Files of the folder that is looked into whose contents are not known yet, and their bytes.
    private var unread: [(node: LocalTree.ID, file: ExpectedFile)] = []
    private var unreadBytes: Int64 = 0
    /// Bytes of files that are taken in before they are read: somebody may begin to write in them meanwhile.
    private static let mostUnread: Int64 = 64 << 20

    /// - Parameters:
    ///   - previous: what an earlier scan of this process saw.
    ///   - now: for the quiet time alone.
    ///   - traits: the disk's.
    ///   - heeded: what the ignore files said that a person here has agreed to, by folder.
    /// - Throws: `fileMissing` when the folder itself is not there.
    package init(
        _ disk: any FolderDisk, rules: IgnoreRules = .none, heeded: [Place: String] = [:], synced: SyncedTree,
        previous: LocalTree?, now: Timestamp, traits: DiskTraits = .exact
    ) throws(ClientFailure) {
        guard let root = try disk.root() else {
            throw ClientFailure(.fileMissing, "“\(disk.absolute(.root))” does not exist.")
        }
        self.disk = disk
        self.rules = rules
        review = RulesReview(heeded)
        self.synced = synced
        self.previous = previous
        self.now = now
        self.traits = traits
        clock = DiskClock(time: try Self.time(on: disk), granularity: traits.timeGranularity)
        device = root.device
        local = LocalTree(root: LocalFacts(kind: .folder, stamp: root.stamp))
    }

    /// - Parameters:
    ///   - rules: those that held in `local`.
    ///   - review: what the ignore files said then.
    ///   - local: what an earlier look saw; some of its folders are looked at anew.
    ///   - now: for the quiet time alone.
    ///   - traits: the disk's.
    /// - Throws: `fileMissing` when the folder itself is not there.
    init(
        _ disk: any FolderDisk, rules: IgnoreRules, review: RulesReview, synced: SyncedTree,
        over local: consuming LocalTree, now: Timestamp, traits: DiskTraits = .exact
    ) throws(ClientFailure) {
        try self.init(disk, rules: rules, synced: synced, previous: nil, now: now, traits: traits)
        self.review = review
        self.local = local
        byStamp = [:]
    }

    /// - Returns: nil where nothing can be written: then nothing that is read now is vouched for by its stamp.
    private static func time(on disk: any FolderDisk) throws(ClientFailure) -> Timestamp? {
        do {
            return try disk.time()
        } catch  where [.permissionDenied, .fileMissing, .destinationFolderMissing, .diskFull].contains(error.code) {
            return nil
        }
    }

    struct Folder {
        var place: Place
        var node: LocalTree.ID
        /// Its counterpart at the same place, for the hashes of what is in it.
        var synced: SyncedTree.ID?
        var previous: LocalTree.ID?
        var depth: Int
    }

    /// What is there, and the rules that hold in it.
    package struct Seen: Sendable {
        package var local: LocalTree
        package var rules: IgnoreRules
        package var review = RulesReview([:])
        /// See ``FolderScan/proven``.
        package var proven: Set<String> = []
        package var clock = DiskClock.unknown
    }

    package mutating func run() throws(ClientFailure) -> Seen {
        let beginning = self
        try lookIntoRoot()
        try settle(from: beginning)
        return Seen(local: local, rules: rules, review: review, proven: proven, clock: clock)
    }

    mutating func lookIntoRoot() throws(ClientFailure) {
        local.tree.reserveCapacity(synced.tree.count)
        try lookInto([
            Folder(place: .root, node: .root, synced: .root, previous: previous.map { _ in .root }, depth: 0)
        ])
    }

    /// Takes in folders that are in the tree, each still empty there, with all below them.
    mutating func lookInto(_ folders: [Folder]) throws(ClientFailure) {
        var folders = folders
        while let folder = folders.popLast() {
            guard let entries = try entries(of: folder) else { continue }
            readRules(among: entries, in: folder.place)
            for entry in entries {
                if DiskWork.isCancelled { throw DiskWork.canceled }
                if let below = try take(entry, in: folder) { folders.append(below) }
            }
            try readUnread()
        }
    }

    /// - Returns: nil for what cannot be looked into, or is bound by itself; that is noted.
    mutating func entries(of folder: Folder) throws(ClientFailure) -> [DiskEntry]? {
        let entries: [DiskEntry]
        do {
            entries = try disk.list(folder.place)
        } catch  where folder.node != .root || error.code == .permissionDenied || error.code == .diskFailed {
            // One that went away meanwhile cannot be read either; the pass after this one knows more.
            local.tree[folder.node].condition = .unreadable
            return nil
        }
        if local.mounts.contains(folder.place), !isMountedStill(folder.place) {
            local.tree[folder.node].condition = .unreadable
            return nil
        }
        // One that cannot be asked is taken for another's: nothing in it is touched.
        if folder.node != .root, entries.contains(where: { $0.name.text == PrivateNames.folder }),
            isInStepByItself(folder.place)
        {
            local.remove(folder.place)
            local.specials[folder.place] = .otherBinding
            return nil
        }
        return entries
    }

    /// Bytes of the largest ignore file that is heeded.
    private static let mostRules = 1 << 20

    private mutating func readRules(among entries: [DiskEntry], in folder: Place) {
        let place = folder.appending(IgnoreRules.fileName)
        var bytes: [UInt8]?
        if let entry = entries.first(where: { $0.name == IgnoreRules.fileName }) {
            bytes = entry.facts.flatMap { facts in
                // As below: what cannot be read says nothing else yet.
                guard facts.kind == .file, (try? isBusy(facts.stamp, at: place)) == false else { return nil }
                return try? disk.contents(place, atMost: Self.mostRules)
            }
            // What cannot be read, is being written, or is a link in the file's place says nothing else yet: what holds goes on.
            if bytes == nil { return rules.setFile(review.heeded[folder], in: folder) }
        }
        let text = bytes.map { String(decoding: $0, as: UTF8.self) }
        let agreed = synced.facts(at: place)
        // What was brought here is as it was agreed on; what a person has changed here is not, until it is sent.
        let isFromHere = bytes.map { SHA256Hasher.hash($0) } != agreed?.checksum
        review.take(text, in: folder, isFromHere: isFromHere)
        rules.setFile(text, in: folder)
        rules.keepFile(review.loosened[folder].flatMap { _ in review.heeded[folder] }, in: folder)
    }

    private func leavesOut(_ place: Place, _ facts: DiskFacts) -> Bool {
        switch facts.kind {
        case .folder: rules.match(place, kind: .folder) != nil
        case .file: rules.match(place, kind: .file, size: facts.stamp.size) != nil
        case .special: false
        }
    }

    /// Takes in what stands in a folder; ``readUnread()`` reads what is in its files, where that is not known.
    ///
    /// - Returns: a folder that is to be looked into.
    mutating func take(_ entry: DiskEntry, in folder: Folder) throws(ClientFailure) -> Folder? {
        let place = folder.place.appending(entry.name)
        guard entry.isText else {
            takeUnspelled(entry, at: place, in: folder, as: .nameNotText)
            return nil
        }
        guard !PrivateNames.isPartial(entry.name.text) else {
            takeUnspelled(entry, at: place, in: folder, as: .partName)
            return nil
        }
        guard let facts = entry.facts else {
            // A disk that fails, a mount that lost its server: that it is not seen is no sign that it is not there.
            local.tree[folder.node].condition = .unreadable
            return nil
        }
        if leavesOut(place, facts) {
            local.leftOut.insert(place)
            return nil
        }
        switch facts.kind {
        case .special(let kind): local.specials[place] = kind
        case .folder where entry.name.text == PrivateNames.folder: local.specials[place] = .remains
        // Nothing takes the place of a file on which another is mounted.
        case .file where facts.isMountRoot: local.specials[place] = .mountPoint
        case .folder where isUnmounted(facts, at: place): local.specials[place] = .unmounted
        case .folder:
            guard facts.device == device else {
                local.specials[place] = .mountPoint
                return nil
            }
            noteMount(facts, at: place)
            let seen = LocalFacts(kind: .folder, stamp: facts.stamp)
            guard folder.depth < Self.deepest,
                let node = local.tree.insert(seen, named: entry.name, under: folder.node)
            else { return nil }
            return Folder(
                place: place, node: node, synced: folder.synced.flatMap { synced.tree.child(entry.name, of: $0) },
                previous: folder.previous.flatMap { previous?.tree.child(entry.name, of: $0) }, depth: folder.depth + 1)
        case .file: try take(facts, entry.name, at: place, in: folder)
        }
        return nil
    }

    /// Its place is good for nothing but to be told. What was agreed on under another name is known by its inode to be there.
    private mutating func takeUnspelled(
        _ entry: DiskEntry, at place: Place, in folder: Folder, as kind: SpecialKind
    ) {
        local.specials[place] = kind
        guard let facts = entry.facts else {
            local.tree[folder.node].condition = .unreadable
            return
        }
        switch facts.kind {
        case .file, .folder: if facts.device == device { local.noteUnspelled(facts.stamp, at: place) }
        case .special: break
        }
    }

    private mutating func take(
        _ facts: DiskFacts, _ name: NodeName, at place: Place, in folder: Folder
    ) throws(ClientFailure) {
        var seen = LocalFacts(kind: .file, stamp: facts.stamp, executable: facts.executable)
        seen.hash = known(facts.stamp, name, in: folder)
        if seen.hash == nil { seen.stamp.isRecent = clock.isRecent(facts.stamp) }
        var isUnread = false
        if seen.hash == nil {
            do {
                isUnread = try !isBusy(facts.stamp, at: place)
                if !isUnread { seen.condition = .beingWritten }
            } catch {
                guard let condition = Self.condition(after: error) else { return }
                seen.condition = condition
            }
        }
        guard let node = local.tree.insert(seen, named: name, under: folder.node), isUnread else { return }
        unread.append((node, ExpectedFile(place: place, facts: facts)))
        // A hole may be as large as a number can say.
        unreadBytes += min(facts.stamp.size, Self.mostUnread)
        if unreadBytes >= Self.mostUnread { try readUnread() }
    }

    /// Reads files that were taken in, side by side where the disk can.
    mutating func readUnread() throws(ClientFailure) {
        for ((node, file), hash) in zip(unread, disk.hash(unread.map(\.file))) {
            switch hash {
            case .success(let hash):
                local.tree[node].hash = hash
                noteProven(file.place, local[node])
            case .failure(let failure):
                if let condition = Self.condition(after: failure) {
                    local.tree[node].condition = condition
                } else {
                    local.tree.remove(node)
                }
            }
        }
        (unread, unreadBytes) = ([], 0)
        if DiskWork.isCancelled { throw DiskWork.canceled }
    }

    /// - Returns: of a file that cannot be read; nil for one that went away meanwhile.
    private static func condition(after failure: ClientFailure) -> LocalCondition? {
        switch failure.code {
        case .fileMissing: nil
        case .sourceChanged: .beingWritten
        default: .unreadable
        }
    }

    private func isBusy(_ stamp: LocalStamp, at place: Place) throws(ClientFailure) -> Bool {
        let sinceTouched = abs(now.milliseconds - stamp.changedAt.milliseconds)
        if restless.contains(place), sinceTouched < Int64(SavePace.quiet * 1000) { return true }
        guard isFresh(stamp) else { return false }
        return try disk.isBeingWritten(place)
    }

    private func isFresh(_ stamp: LocalStamp) -> Bool {
        abs(now.seconds(since: stamp.modifiedAt)) < Self.quietTime
    }

    private mutating func noteProven(_ place: Place, _ now: LocalFacts) {
        guard !now.stamp.isRecent, let agreed = synced.facts(at: place), agreed.checksum == now.hash,
            let stamp = agreed.local, stamp.isRecent, traits.isSame(stamp, now.stamp)
        else { return }
        proven.insert(agreed.remoteId)
    }

    /// - Returns: nil for what no stamp vouches for.
    private mutating func known(_ stamp: LocalStamp, _ name: NodeName, in folder: Folder) -> ContentHash? {
        if let node = folder.synced.flatMap({ synced.tree.child(name, of: $0) }), let agreed = synced[node].local,
            vouches(agreed, for: stamp), synced[node].kind == .file, let hash = synced[node].checksum
        {
            return hash
        }
        if let previous, let node = folder.previous.flatMap({ previous.tree.child(name, of: $0) }),
            vouches(previous[node].stamp, for: stamp), let hash = previous[node].hash
        {
            return hash
        }
        // In another place the number of its inode alone tells a file from others of its size and time.
        guard traits.keepsInodes else { return nil }
        knowStamps()
        return byStamp?[stamp]
    }

    private func vouches(_ known: LocalStamp, for now: LocalStamp) -> Bool {
        !known.isRecent && traits.isSame(known, now)
    }

    mutating func knowStamps() {
        if byStamp == nil { byStamp = stamps() }
    }

    private func stamps() -> [LocalStamp: ContentHash] {
        var known = [LocalStamp: ContentHash](minimumCapacity: synced.tree.count)
        for node in synced.tree.subtree(of: .root) {
            let facts = synced[node]
            guard facts.kind == .file, let stamp = facts.local, !stamp.isRecent, let hash = facts.checksum else {
                continue
            }
            known[stamp] = hash
        }
        for node in previous?.tree.subtree(of: .root) ?? [] {
            guard let facts = previous?[node], !facts.stamp.isRecent, let hash = facts.hash else { continue }
            known[facts.stamp] = hash
        }
        return known
    }
}
