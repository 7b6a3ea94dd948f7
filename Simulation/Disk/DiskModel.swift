import BothyContract

/// A disk with its cache: what a look shows, and what a crash would leave of it.
///
/// Names are journaled as ext4 and XFS do it: a crash goes back to some moment since the last sync, and never mixes
/// two. Bytes are not: those of a file that was not synced are lost, though its name may stay.
package struct DiskModel: Sendable {
    package enum Fault: Error, Equatable, Sendable {
        case missing, exists, notAFolder, isAFolder, notEmpty, full, intoItself
    }

    /// Moments to which a crash can go back; older ones have reached the disk by themselves.
    static let unsyncedMoments = 24

    package let nature: DiskNature
    /// Bytes; writes beyond fail as on a full disk. Nil for no bound.
    package var capacity: Int?
    private(set) var tree: DiskTree
    /// The moments since the last sync, oldest first: names as they were then.
    private var unsynced: [DiskTree] = []
    /// The files as they were last synced, bytes and times: what a crash leaves of an inode's bytes is dated so too.
    private var synced: [UInt64: DiskTree.Inode] = [:]
    private var nextInode: UInt64 = 100
    /// The kernel's clock; each change moves it by a nanosecond at least, so that no two changes look the same.
    private var clock: Timestamp

    package init(nature: DiskNature, now: Timestamp) {
        self.nature = nature
        capacity = nature.capacity
        clock = now
        tree = DiskTree(nature: nature, now: now)
    }

    // MARK: Looking

    package func exists(_ names: [String]) -> Bool { tree.find(names) != nil }
    package func isFolder(_ names: [String]) -> Bool {
        tree.find(names).flatMap { tree.inodes[$0] }?.isFolder ?? false
    }
    package func bytes(_ names: [String]) -> [UInt8]? { tree.find(names).flatMap { tree.inodes[$0]?.bytes } }
    package func names(in folder: [String]) -> [String] {
        tree.find(folder).map { tree.entries(of: $0).map(\.name) } ?? []
    }

    /// Everything below a folder, parents first.
    package func walk(_ folder: [String] = []) -> [[String]] {
        tree.find(folder).map { tree.walk(below: $0, folder).map(\.names) } ?? []
    }

    /// What is changed now gets this time.
    package var time: Timestamp { nature.kept(clock) }

    package var usedBytes: Int { tree.usedBytes }
    package var freeBytes: Int { capacity.map { max(0, $0 - usedBytes) } ?? .max }

    // MARK: Changing

    package mutating func setClock(_ now: Timestamp) { clock = now }

    package mutating func makeFolder(_ names: [String]) throws(Fault) {
        let (parent, name) = try place(names)
        guard tree.entry(name, in: parent) == nil else { throw .exists }
        remember()
        let inode = add(.folder([:]))
        tree.put(name, inode, in: parent)
        touch(parent, content: true)
    }

    package mutating func makeLink(_ names: [String], target: String) throws(Fault) {
        let (parent, name) = try place(names)
        guard tree.entry(name, in: parent) == nil else { throw .exists }
        remember()
        tree.put(name, add(.link(target: target)), in: parent)
        touch(parent, content: true)
    }

    /// Writes a file in place: a file that is there keeps its inode.
    package mutating func write(_ names: [String], _ bytes: [UInt8]) throws(Fault) {
        let (parent, name) = try place(names)
        let old = tree.entry(name, in: parent)
        if let old, tree.inodes[old.inode]?.bytes == nil { throw .isAFolder }
        let before = old.flatMap { tree.inodes[$0.inode]?.bytes?.count } ?? 0
        guard bytes.count - before <= freeBytes else { throw .full }
        remember()
        if let old {
            tree.inodes[old.inode]?.body = .file(bytes)
            touch(old.inode, content: true)
        } else {
            tree.put(name, add(.file(bytes)), in: parent)
            touch(parent, content: true)
        }
    }

    /// Renames. What is at `to` is replaced where `replacing`, if it is a file or an empty folder of the same kind.
    package mutating func rename(_ from: [String], _ to: [String], replacing: Bool) throws(Fault) {
        let (source, name) = try place(from)
        guard let moved = tree.entry(name, in: source) else { throw .missing }
        let (target, newName) = try place(to)
        if tree.walk(below: moved.inode).contains(where: { $0.inode == target }) || moved.inode == target {
            throw .intoItself
        }
        let replaced = tree.entry(newName, in: target)
        if let replaced, replaced.inode != moved.inode {
            guard replacing else { throw .exists }
            try requireReplaceable(replaced.inode, by: moved.inode)
        }
        remember()
        tree.take(name, from: source)
        tree.put(newName, moved.inode, in: target)
        if let replaced, replaced.inode != moved.inode { tree.release(replaced.inode) }
        touch(moved.inode, content: false)
        touch(source, content: true)
        touch(target, content: true)
    }

    /// Two things change their names in one instant.
    package mutating func exchange(_ one: [String], _ other: [String]) throws(Fault) {
        let ((parent, name), (otherParent, otherName)) = (try place(one), try place(other))
        guard let first = tree.entry(name, in: parent), let second = tree.entry(otherName, in: otherParent) else {
            throw .missing
        }
        remember()
        tree.put(name, second.inode, in: parent)
        tree.put(otherName, first.inode, in: otherParent)
        for inode in [first.inode, second.inode] { touch(inode, content: false) }
        for folder in [parent, otherParent] { touch(folder, content: true) }
    }

    private func requireReplaceable(_ old: UInt64, by new: UInt64) throws(Fault) {
        let isFolder = tree.inodes[old]?.isFolder == true
        guard isFolder == (tree.inodes[new]?.isFolder == true) else { throw isFolder ? .isAFolder : .notAFolder }
        if isFolder, !tree.entries(of: old).isEmpty { throw .notEmpty }
    }

    /// Removes a name, and all that lies below where `recursively`.
    package mutating func remove(_ names: [String], recursively: Bool) throws(Fault) {
        let (parent, name) = try place(names)
        guard let entry = tree.entry(name, in: parent) else { throw .missing }
        if !recursively, !tree.entries(of: entry.inode).isEmpty { throw .notEmpty }
        remember()
        tree.take(name, from: parent)
        tree.release(entry.inode)
        touch(parent, content: true)
    }

    package mutating func setModified(_ names: [String], _ time: Timestamp) throws(Fault) {
        guard let inode = tree.find(names) else { throw .missing }
        remember()
        touch(inode, content: false)
        tree.inodes[inode]?.modifiedAt = nature.kept(time)
    }

    package mutating func setExecutable(_ names: [String], _ executable: Bool) throws(Fault) {
        guard let inode = tree.find(names) else { throw .missing }
        remember()
        tree.inodes[inode]?.executable = executable
        touch(inode, content: false)
    }

    // MARK: Syncing, and crashing

    /// Makes a file's bytes, and every name so far, outlive a crash.
    package mutating func sync(_ names: [String]) {
        if let inode = tree.find(names), let file = tree.inodes[inode], !file.isFolder { synced[inode] = file }
        unsynced = []
    }

    /// Everything reaches the disk, as it does by itself after some seconds.
    package mutating func settle() {
        for (inode, node) in tree.inodes where !node.isFolder { synced[inode] = node }
        unsynced = []
    }

    /// The power goes: only what was synced is certain.
    package mutating func crash(_ random: inout SeededRandom) {
        let moments = unsynced + [tree]
        tree = moments[Int.random(in: 0..<moments.count, using: &random)]
        for (inode, node) in tree.inodes where node.bytes != nil {
            guard let file = synced[inode], let bytes = file.bytes else {
                tree.inodes[inode]?.body = .file([])
                continue
            }
            if bytes != node.bytes { tree.inodes[inode] = file }
        }
        unsynced = []
        synced = synced.filter { tree.inodes[$0.key] != nil }
    }

    // MARK: Going away as a whole

    /// Takes out everything in the root but one folder.
    package mutating func takeOut(butFor kept: String) -> Detached {
        settle()
        var out = Detached()
        for entry in tree.entries(of: DiskTree.root) where entry.name != kept {
            for (_, inode) in tree.walk(below: entry.inode) { out.inodes[inode] = tree.inodes[inode] }
            out.inodes[entry.inode] = tree.inodes[entry.inode]
            out.entries.append(entry)
            tree.take(entry.name, from: DiskTree.root)
            tree.release(entry.inode)
        }
        return out
    }

    /// Beside what has come into their places meanwhile.
    package mutating func putBack(_ out: Detached) {
        for entry in out.entries {
            var name = entry.name
            while tree.entry(name, in: DiskTree.root) != nil { name += " (back)" }
            tree.put(name, entry.inode, in: DiskTree.root)
        }
        tree.inodes.merge(out.inodes) { $1 }
        settle()
    }

    /// Everything is on another disk now: the same, in inodes of their own.
    package mutating func copyToNewDisk() {
        settle()
        tree.makeNewInodes(bornAt: clock)
        synced = [:]
        settle()
    }

    /// The disk is mounted anew: one that keeps no inode numbers gives them out in another order.
    package mutating func mountAnew() {
        guard !nature.keepsInodes else { return }
        settle()
        tree.renumber()
        synced = [:]
        settle()
    }

    /// What was taken out of a disk, as it was.
    package struct Detached: Sendable {
        fileprivate(set) var entries: [DiskTree.Entry] = []
        fileprivate(set) var inodes: [UInt64: DiskTree.Inode] = [:]

        /// What each file holds, by its path from the root.
        package var files: [(path: [String], bytes: [UInt8])] {
            entries.flatMap { read($0, []) }
        }

        private func read(_ entry: DiskTree.Entry, _ folder: [String]) -> [(path: [String], bytes: [UInt8])] {
            let path = folder + [entry.name]
            guard let inode = inodes[entry.inode] else { return [] }
            guard case .folder(let entries) = inode.body else { return inode.bytes.map { [(path, $0)] } ?? [] }
            return entries.values.sorted { $0.inode < $1.inode }.flatMap { read($0, path) }
        }
    }

    // MARK: Parts

    private mutating func remember() {
        unsynced.append(tree)
        if unsynced.count > Self.unsyncedMoments { unsynced.removeFirst() }
    }

    private mutating func add(_ body: DiskTree.Inode.Body) -> UInt64 {
        defer { nextInode += 1 }
        tick()
        tree.inodes[nextInode] = DiskTree.Inode(
            body: body, modifiedAt: time, changedAt: time, bornAt: clock)
        return nextInode
    }

    private mutating func touch(_ inode: UInt64, content: Bool) {
        tick()
        let now = time
        tree.inodes[inode]?.changedAt = now
        if content { tree.inodes[inode]?.modifiedAt = now }
    }

    private mutating func tick() {
        let next = clock.nanoseconds + 1
        clock =
            next < 1_000_000_000
            ? Timestamp(seconds: clock.seconds, nanoseconds: next) : Timestamp(seconds: clock.seconds + 1)
    }

    /// The folder that a path lies in, and its last name.
    private func place(_ names: [String]) throws(Fault) -> (UInt64, String) {
        guard let name = names.last else { throw .isAFolder }
        guard let parent = tree.find(Array(names.dropLast())) else { throw .missing }
        guard tree.inodes[parent]?.isFolder == true else { throw .notAFolder }
        return (parent, name)
    }
}
