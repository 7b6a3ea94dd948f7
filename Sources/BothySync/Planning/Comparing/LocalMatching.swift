import BothyContract

/// Which node on the disk is which of those that were agreed on.
///
/// 0. What was cut off between two moves has a passing name, which tells which it is (``GivenNames/temporary(for:attempt:)``).
/// 1. What stands at a place that was agreed on is that node, whatever its inode: editors save by renaming, and keep a
///    backup under another name. Only a folder gives way: one that is known to be another (two that changed names), unless that
///    one was found by its own place, and one that has taken the place of one that stands elsewhere now. And a file, to one that
///    was moved there from a place that is empty now, where it stands under a new name itself: so a look between the renames
///    sees two files that are being swapped.
/// 2. What left its place is known again by its inode, with its size and time, or by what its inode was born.
/// 3. What has no inode left is known by its content (a move across disks; an archive unpacked in another place).
///
/// A hard link is no move, since the place of the first still has it.
struct LocalMatching {
    private let remote: RemoteTree
    private let local: LocalTree
    private let synced: SyncedTree
    private let disk: DiskTraits
    private let lacksMounts: Bool

    /// By slot of the synced tree.
    private(set) var localOf: [LocalTree.ID?]
    /// By slot of the local tree.
    private(set) var isTaken: [Bool]

    private var folders: [UInt64: SyncedTree.ID] = [:]
    /// Folders in whose places others stand, by their inodes.
    private var takenForOthers: [(node: SyncedTree.ID, found: LocalTree.ID, other: SyncedTree.ID)] = []
    /// Files in whose places others stand that may have been moved there.
    private var displaced: [(node: SyncedTree.ID, found: LocalTree.ID)] = []
    /// Needed only where something stands in the place of a folder.
    private lazy var foldersHere = Dictionary(
        grouping: local.tree.subtree(of: .root).filter { local[$0].kind == .folder }
    ) { local[$0].stamp.inode }

    init(_ synced: SyncedTree, to local: LocalTree, _ remote: RemoteTree, disk: DiskTraits) {
        self.remote = remote
        self.local = local
        self.synced = synced
        self.disk = disk
        lacksMounts = local.specials.values.contains(.unmounted)
        localOf = Array(repeating: nil, count: synced.tree.slotCount)
        isTaken = Array(repeating: false, count: local.tree.slotCount)
        for node in synced.tree.subtree(of: .root) where synced[node].kind == .folder {
            if let stamp = agreedStamp(node) { folders[stamp.inode] = node }
        }
        tie(.root, .root)
        follow([.root] + matchPassingNames(), trustsPlace: false)
        let missing = synced.tree.subtree(of: .root).filter { localOf[$0.slot] == nil && synced[$0].local != nil }
        guard !missing.isEmpty else { return }
        matchFolders(missing.filter { synced[$0].kind == .folder })
        follow(synced.tree.subtree(of: .root).filter { localOf[$0.slot] != nil }, trustsPlace: true)
        let files = missing.filter { synced[$0].kind == .file }
        // What is left out is not missing: of what has its content, what another may have become is that one first.
        matchFiles(files.filter { synced[$0].mark != .leftOut } + files.filter { synced[$0].mark == .leftOut })
    }

    private mutating func tie(_ node: SyncedTree.ID, _ found: LocalTree.ID) {
        localOf[node.slot] = found
        isTaken[found.slot] = true
    }

    // MARK: - By a passing name

    /// Matches what has a temporary name between two moves. By its inode alone it would be a stranger, where its editor had
    /// saved it by renaming: it was known by the place that it has left.
    private mutating func matchPassingNames() -> [SyncedTree.ID] {
        let passing = local.tree.subtree(of: .root).filter { node in
            GivenNames.isTemporary(local.tree.name(of: node)) && synced.node(at: local.tree.place(of: node)) == nil
        }
        guard !passing.isEmpty else { return [] }
        let byName = Dictionary(grouping: passing) { local.tree.name(of: $0) }
        var tied: [SyncedTree.ID] = []
        for node in synced.tree.subtree(of: .root).dropFirst() where !isAtItsPlace(node) {
            guard let found = whatHasPassingName(of: node, in: byName) else { continue }
            tie(node, found)
            tied.append(node)
        }
        return tied
    }

    /// What has the passing name of a node. Of several the last that was made: it had to take another for those left behind.
    private func whatHasPassingName(of node: SyncedTree.ID, in byName: [NodeName: [LocalTree.ID]]) -> LocalTree.ID? {
        let names = (0..<GivenNames.knownPassingNames).map {
            GivenNames.temporary(for: synced[node].remoteId, attempt: $0)
        }
        let found = names.reversed().flatMap { byName[$0] ?? [] }.filter {
            !isTaken[$0.slot] && local[$0].kind == synced[node].kind
        }
        let same = found.first { agreedStamp(node)?.isSameInode(as: local[$0].stamp) ?? false }
        return same ?? (standsAtItsPlace(node) ? nil : found.first)
    }

    /// Whether something of its kind stands there, whatever its inode; except for what was brought for another, when this was not
    /// written down: one that is new on the server, or one that is by its inode what stands there.
    private func standsAtItsPlace(_ node: SyncedTree.ID) -> Bool {
        let place = synced.tree.place(of: node)
        guard let found = local.node(at: place), local[found].kind == synced[node].kind else { return false }
        guard let there = remote.tree.node(at: place) else { return true }
        guard let other = synced.node(remote[there].id) else { return false }
        return other == node || !(agreedStamp(other)?.isSameInode(as: local[found].stamp) ?? false)
    }

    private func isAtItsPlace(_ node: SyncedTree.ID) -> Bool {
        guard let stamp = agreedStamp(node), let found = local.tree.node(at: synced.tree.place(of: node)) else {
            return false
        }
        return stamp.isSameInode(as: local[found].stamp)
    }

    // MARK: - By place

    /// Matches what stands at the places below some nodes that are matched.
    private mutating func follow(_ tops: [SyncedTree.ID], trustsPlace: Bool) {
        var queue = tops
        while !queue.isEmpty {
            descend(queue, trustsPlace: trustsPlace)
            queue = tieReplaced()
        }
        tieDisplaced()
    }

    private mutating func descend(_ tops: [SyncedTree.ID], trustsPlace: Bool) {
        var queue = tops
        while let node = queue.popLast() {
            guard let folder = localOf[node.slot] else { continue }
            let children = synced.tree.children(of: node)
            // Of two that such a disk takes for one name, the one that is spelled as it is on the disk stands there.
            if disk.foldsNames {
                for child in children {
                    let found = local.tree.child(synced.tree.name(of: child), of: folder)
                    if tieAtPlace(child, found, trustsPlace: trustsPlace) { queue.append(child) }
                }
            }
            for child in children {
                let found = childOnDisk(synced.tree.name(of: child), of: folder)
                if tieAtPlace(child, found, trustsPlace: trustsPlace) { queue.append(child) }
            }
        }
    }

    /// Matches what was taken for another that has been found elsewhere by now: it is no longer that other, and
    /// the place alone speaks. Written down one by one, the other's number would be forgotten before its turn came.
    private mutating func tieReplaced() -> [SyncedTree.ID] {
        var tied: [SyncedTree.ID] = []
        for (node, found, other) in takenForOthers where localOf[other.slot] != nil {
            if localOf[node.slot] == nil, !isTaken[found.slot], !standsElsewhere(node, found) {
                tie(node, found)
                tied.append(node)
            }
        }
        takenForOthers.removeAll { localOf[$0.other.slot] != nil }
        return tied
    }

    /// - Returns: whether the two are one.
    private mutating func tieAtPlace(_ node: SyncedTree.ID, _ found: LocalTree.ID?, trustsPlace: Bool) -> Bool {
        guard localOf[node.slot] == nil, let found, !isTaken[found.slot], local[found].kind == synced[node].kind,
            trustsPlace || !(isTakenForAnother(found, node) || standsElsewhere(node, found))
        else { return false }
        if !trustsPlace, mayHaveMovedThere(found, node) {
            displaced.append((node, found))
            return false
        }
        tie(node, found)
        return true
    }

    /// Whether a folder is, by its inode, another folder that was agreed on and is not found yet.
    private mutating func isTakenForAnother(_ found: LocalTree.ID, _ node: SyncedTree.ID) -> Bool {
        let facts = local[found]
        guard facts.kind == .folder, let stamp = agreedStamp(node), !stamp.isSameInode(as: facts.stamp),
            let other = folders[facts.stamp.inode], other != node, other != .root,
            agreedStamp(other)?.isSameInode(as: facts.stamp) ?? false
        else { return false }
        takenForOthers.append((node, found, other))
        return true
    }

    /// Whether a folder has left its place to what is there now.
    private mutating func standsElsewhere(_ node: SyncedTree.ID, _ found: LocalTree.ID) -> Bool {
        // Without a time of birth a number says nothing: some disks give it away again at once.
        guard local[found].kind == .folder, let stamp = agreedStamp(node), stamp.bornAt != nil,
            !stamp.isSameInode(as: local[found].stamp)
        else { return false }
        return foldersHere[stamp.inode]?.contains { stamp.bornAt == local[$0].stamp.bornAt } ?? false
    }

    private func childOnDisk(_ name: NodeName, of folder: LocalTree.ID) -> LocalTree.ID? {
        local.tree.child(name, of: folder, as: disk)
    }

    // MARK: - Files in each other's places

    /// Seconds. An editor that saves by renaming gives its file the name as soon as it is written: what had lived longer by then
    /// was moved.
    private static let longestSave: Int64 = 10

    private func mayHaveMovedThere(_ found: LocalTree.ID, _ node: SyncedTree.ID) -> Bool {
        let stamp = local[found].stamp
        guard local[found].kind == .file, !disk.foldsNames, let known = agreedStamp(node), known.bornAt != nil,
            !known.isSameInode(as: stamp), let born = stamp.bornAt
        else { return false }
        return stamp.changedAt.seconds(since: born) > Self.longestSave
    }

    /// Matches each with what stands in its place, except one that stands under a new name itself, and what had moved there.
    private mutating func tieDisplaced() {
        guard !displaced.isEmpty else { return }
        let inodes = Set(displaced.map { local[$0.found].stamp.inode })
        let agreed = Dictionary(
            grouping: synced.tree.subtree(of: .root).filter { node in
                synced[node].kind == .file && agreedStamp(node).map { inodes.contains($0.inode) } ?? false
            }
        ) { agreedStamp($0)!.inode }
        let found = Dictionary(grouping: untied(.file).filter(isUnderNewName)) { local[$0].stamp.inode }
        for (node, there) in displaced where !isTaken[there.slot] {
            let stamp = local[there].stamp
            let mover = agreed[stamp.inode]?.first { other in
                hasLeft(other) && agreedStamp(other)!.isSameContent(as: stamp) && isSameFile(other, there)
            }
            let own = found[agreedStamp(node)!.inode]?.first { !isTaken[$0.slot] && isSameFile(node, $0) }
            if let mover, let own {
                tie(mover, there)
                tie(node, own)
            } else {
                tie(node, there)
            }
        }
        displaced = []
    }

    /// Whether nothing stands in its place, in a folder that is here.
    private func hasLeft(_ node: SyncedTree.ID) -> Bool {
        guard localOf[node.slot] == nil, let folder = synced.tree.parent(of: node).flatMap({ localOf[$0.slot] }) else {
            return false
        }
        return childOnDisk(synced.tree.name(of: node), of: folder) == nil
    }

    /// Whether no file was agreed on there, in a folder that stands where it was agreed on.
    private func isUnderNewName(_ found: LocalTree.ID) -> Bool {
        guard let folder = local.tree.parent(of: found), let agreed = synced.node(at: local.tree.place(of: folder)),
            localOf[agreed.slot] == folder
        else { return false }
        return synced.tree.child(local.tree.name(of: found), of: agreed) == nil
    }

    // MARK: - By inode and by content

    private func untied(_ kind: NodeKind) -> [LocalTree.ID] {
        local.tree.subtree(of: .root).filter { !isTaken[$0.slot] && local[$0].kind == kind }
    }

    private mutating func matchFolders(_ missing: [SyncedTree.ID]) {
        guard !missing.isEmpty else { return }
        let found = Dictionary(grouping: untied(.folder)) { local[$0].stamp.inode }
        for node in missing where localOf[node.slot] == nil {
            guard let stamp = agreedStamp(node),
                let folder = found[stamp.inode]?.first(where: {
                    !isTaken[$0.slot] && stamp.isSameInode(as: local[$0].stamp)
                })
            else { continue }
            tie(node, folder)
            follow([node], trustsPlace: false)
        }
    }

    private mutating func matchFiles(_ missing: [SyncedTree.ID]) {
        let missing = missing.filter { localOf[$0.slot] == nil }
        guard !missing.isEmpty else { return }
        let files = untied(.file)
        let byInode = Dictionary(grouping: files) { local[$0].stamp.inode }
        for node in missing {
            guard let stamp = agreedStamp(node) else { continue }
            let same = (byInode[stamp.inode] ?? []).filter { isSameFile(node, $0) }
            if let found = best(same, for: node) { tie(node, found) }
        }
        let strangers = files.filter { local[$0].hash != nil && !isNewThereToo($0) }
        let byHash = Dictionary(grouping: strangers) { local[$0].hash! }
        // All empty files have the same content, which says nothing.
        for node in missing where localOf[node.slot] == nil && synced[node].size > 0 {
            guard let hash = synced[node].checksum, !mayBeThere(node) else { continue }
            if let found = best(byHash[hash] ?? [], for: node) { tie(node, found) }
        }
    }

    /// Whether it lies in a folder that nobody can look into, or on a disk that is not mounted, where it may be still; or was given a name
    /// that is not synced, by itself or with a folder above it.
    private func mayBeThere(_ node: SyncedTree.ID) -> Bool {
        var next: SyncedTree.ID? = node
        while let at = next {
            if let found = localOf[at.slot], local[found].condition == .unreadable { return true }
            if let stamp = agreedStamp(at), local.holdsUnspelled(stamp) { return true }
            if lacksMounts, local.specials[synced.tree.place(of: at)] == .unmounted { return true }
            next = synced.tree.parent(of: at)
        }
        return false
    }

    /// Whether the server has the same as something new: it was brought from there or sent there, and this was not written down.
    private func isNewThereToo(_ node: LocalTree.ID) -> Bool {
        guard let there = remote.tree.node(at: local.tree.place(of: node)) else { return false }
        return remote[there].checksum == local[node].hash && synced.node(remote[there].id) == nil
    }

    /// What was agreed on of a node's stamp, as far as the disk still tells it: no inode has the number 0.
    private func agreedStamp(_ node: SyncedTree.ID) -> LocalStamp? { synced[node].local.map(disk.lasting) }

    /// An inode's number is given away again at once by some disks, so that it says nothing alone; where no birth tells them apart, nor do
    /// size and time, which many files may have.
    private func isSameFile(_ node: SyncedTree.ID, _ found: LocalTree.ID) -> Bool {
        let now = local[found].stamp
        guard let known = agreedStamp(node), known.isSameInode(as: now) else { return false }
        if let born = known.bornAt { return born == now.bornAt || (now.bornAt == nil && known.isSameContent(as: now)) }
        return known.isSameContent(as: now) && local[found].hash == synced[node].checksum
    }

    /// Of several, one of the same name, else the first in the order of places.
    private func best(_ found: [LocalTree.ID], for node: SyncedTree.ID) -> LocalTree.ID? {
        let free = found.filter { !isTaken[$0.slot] }
        if free.count < 2 { return free.first }
        let name = synced.tree.name(of: node)
        return free.first { local.tree.name(of: $0) == name }
            ?? free.min { local.tree.place(of: $0) < local.tree.place(of: $1) }
    }
}
