import BothyClient
import BothyContract

/// Looking again at parts of what an earlier look saw: at single names in a folder, or at all that is in it, whatever else
/// there is.
extension FolderScan {
    /// What was seen of some folders.
    package struct PartSeen: Sendable {
        package var local: LocalTree
        /// What is new, another, or gone; nil where only a look at everything will do, and `local` is good for nothing.
        package var places: Set<Place>?
        /// Folders that are new.
        package var newFolders: [Place]
        /// See ``FolderScan/proven``.
        package var proven: Set<String> = []
        package var clock = DiskClock.unknown
    }

    /// - Parameter folders: what of them is looked at, and nothing below but what is new. Those that are not there any
    ///   more are passed over: the folder above each of them is told of, too.
    mutating func run(over folders: [Place: NamesInFolder]) throws(ClientFailure) -> PartSeen {
        var part = Part()
        var known: [(folder: Folder, entries: [DiskEntry])] = []
        // What went is taken out everywhere before what came is taken in: it may be the same.
        for (place, told) in folders.sorted(by: { $0.key < $1.key }) {
            guard let node = local.node(at: place), local[node].kind == .folder else { continue }
            let folder = folder(place, node)
            if case .some(let names) = told, let entries = entries(names, in: folder) {
                forget(folder, notAmong: entries, of: names, &part)
                if part.rulesWent { return PartSeen(local: local, places: nil, newFolders: []) }
                known.append((folder, entries))
                continue
            }
            guard let entries = try entries(of: folder) else {
                forgetAll(in: folder, &part)
                continue
            }
            if entriesNeedMore(entries, in: folder) { return PartSeen(local: local, places: nil, newFolders: []) }
            noteReadable(folder, &part)
            forget(folder, notAmong: entries, &part)
            if part.rulesWent { return PartSeen(local: local, places: nil, newFolders: []) }
            known.append((folder, entries))
        }
        var (fresh, arrived): ([Folder], Set<LocalTree.ID>) = ([], [])
        for (folder, entries) in known where local.tree.contains(folder.node) {
            let new = entries.filter { !isKnown($0, in: folder) }
            for entry in new {
                part.places.insert(folder.place.appending(entry.name))
                if let below = try take(entry, in: folder) { fresh.append(below) }
            }
            if local[folder.node].condition == .unreadable { part.places.insert(folder.place) }
            try readUnread()
            for entry in new {
                if let node = local.tree.child(entry.name, of: folder.node) { arrived.insert(node) }
            }
        }
        let before = (rules, review)
        try lookInto(fresh)
        for folder in fresh where local.tree.contains(folder.node) {
            arrived.formUnion(local.tree.subtree(of: folder.node))
        }
        // One that is bound by itself was taken out again.
        arrived = arrived.filter(local.tree.contains)
        // What was edited arrived where it was taken out.
        let strangers = arrived.filter { !part.gone.contains(local[$0].stamp.inode) }
        for node in left(for: strangers) where local.tree.contains(node) { forget(node, &part) }
        if part.rulesWent || (rules, review) != before { return PartSeen(local: local, places: nil, newFolders: []) }
        return seen(part, fresh)
    }

    /// - Returns: nil where only a listing tells enough: of rules, of what cannot be looked at, of one file under two names,
    ///   of a name under which something else is listed whose own is no text.
    private func entries(_ names: Set<NodeName>, in folder: Folder) -> [DiskEntry]? {
        guard local[folder.node].condition == .quiet, !names.contains(IgnoreRules.fileName),
            local.unspelled.isEmpty || !names.contains(where: { local.unspelled[folder.place.appending($0)] != nil })
        else { return nil }
        var entries: [DiskEntry] = []
        for name in names.sorted() where !(folder.place.isRoot && name.text == PrivateNames.folder) {
            do {
                guard let facts = try disk.facts(folder.place.appending(name)) else { continue }
                if facts.kind == .file, facts.links > 1 { return nil }
                entries.append(DiskEntry(name: name, facts: facts))
            } catch {
                return nil
            }
        }
        return entries
    }

    private struct Part {
        var places = Set<Place>()
        /// Inodes of what was taken out.
        var gone = Set<UInt64>()
        /// An ignore file went with the folder that it was in.
        var rulesWent = false
    }

    private func folder(_ place: Place, _ node: LocalTree.ID) -> Folder {
        Folder(place: place, node: node, synced: synced.node(at: place), previous: nil, depth: place.depth)
    }

    private func seen(_ part: Part, _ fresh: [Folder]) -> PartSeen {
        var (places, folders) = (part.places, [Place]())
        for top in fresh {
            // What was agreed on in it and is not there is news too: the folder may have been brought here by Bothy, and lost
            // something since.
            if let agreed = synced.tree.node(at: top.place) {
                for below in synced.tree.subtree(of: agreed) { places.insert(synced.tree.place(of: below)) }
            }
            guard let node = local.node(at: top.place) else { continue }
            for below in local.tree.subtree(of: node) {
                let place = local.tree.place(of: below)
                places.insert(place)
                if local[below].kind == .folder { folders.append(place) }
            }
        }
        return PartSeen(local: local, places: places, newFolders: folders, proven: proven, clock: clock)
    }

    /// Rules that came, changed or went hold far beyond their folder; so does a binding that was made inside.
    private func entriesNeedMore(_ entries: [DiskEntry], in folder: Folder) -> Bool {
        let now = entries.first { $0.name == IgnoreRules.fileName }?.facts?.stamp
        let before = local.tree.child(IgnoreRules.fileName, of: folder.node).map { local[$0].stamp }
        return now != before || before?.isRecent == true
    }

    private mutating func noteReadable(_ folder: Folder, _ part: inout Part) {
        guard local[folder.node].condition != .quiet else { return }
        local.tree[folder.node].condition = .quiet
        part.places.insert(folder.place)
    }

    /// Takes out what is not there any more, or is another thing by now.
    private mutating func forget(_ folder: Folder, notAmong entries: [DiskEntry], _ part: inout Part) {
        let there = Dictionary(entries.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        for node in Array(local.tree.children(of: folder.node)) {
            forget(node, unlessItIs: there[local.tree.name(of: node)], &part)
        }
        let isIn: (Place) -> Bool = { $0.parent == folder.place && !$0.isRoot }
        for place in local.specials.keys.filter(isIn) + local.leftOut.filter(isIn) { forgetApart(place, &part) }
    }

    /// The same of some names alone.
    private mutating func forget(
        _ folder: Folder, notAmong entries: [DiskEntry], of names: Set<NodeName>, _ part: inout Part
    ) {
        let there = Dictionary(entries.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        for name in names {
            if let node = local.tree.child(name, of: folder.node) {
                forget(node, unlessItIs: there[name], &part)
            }
            forgetApart(folder.place.appending(name), &part)
        }
    }

    private mutating func forget(
        _ node: LocalTree.ID, unlessItIs entry: DiskEntry?, _ part: inout Part
    ) {
        if let entry, isSame(entry, node) { return }
        forget(node, &part)
    }

    private mutating func forget(_ node: LocalTree.ID, _ part: inout Part) {
        remember(node, &part)
        let place = local.tree.place(of: node)
        part.places.insert(place)
        if local[node].kind == .folder { forgetApart(below: place, &part) }
        local.tree.remove(node)
    }

    /// What lay there and took no part went with its folder: one link left behind, and an emptied folder would not look empty.
    private mutating func forgetApart(below place: Place, _ part: inout Part) {
        for gone in local.specials.keys.filter({ $0.isWithin(place) }) + local.leftOut.filter({ $0.isWithin(place) }) {
            forgetApart(gone, &part)
        }
    }

    /// What is there and takes no part: it is found again, if it is there still.
    private mutating func forgetApart(_ place: Place, _ part: inout Part) {
        if local.specials.removeValue(forKey: place) != nil { part.places.insert(place) }
        if local.leftOut.remove(place) != nil { part.places.insert(place) }
        local.forgetUnspelled(at: place)
    }

    private mutating func forgetAll(in folder: Folder, _ part: inout Part) {
        part.places.insert(folder.place)
        guard local.tree.contains(folder.node) else { return }
        forget(folder, notAmong: [], &part)
    }

    /// Whether what is there is what was seen, so that it stays: a file to its last attribute, where its stamp vouches for its content, a
    /// folder by its inode, where it could be looked into.
    private func isSame(_ entry: DiskEntry, _ node: LocalTree.ID) -> Bool {
        guard let facts = entry.facts, entry.isText else { return false }
        let seen = local[node]
        switch facts.kind {
        case .folder:
            return seen.kind == .folder && facts.device == device && seen.stamp.isSameInode(as: facts.stamp)
                && seen.condition == .quiet
        case .file:
            return seen.kind == .file && seen.stamp == facts.stamp && !seen.stamp.isRecent
                && seen.executable == facts.executable
                && seen.condition == .quiet && seen.hash != nil
        case .special: return false
        }
    }

    private func isKnown(_ entry: DiskEntry, in folder: Folder) -> Bool {
        entry.isText && local.tree.child(entry.name, of: folder.node) != nil
    }

    /// What goes may come again elsewhere, with the same content.
    private mutating func remember(_ node: LocalTree.ID, _ part: inout Part) {
        for node in local.tree.subtree(of: node) {
            if local.tree.name(of: node) == IgnoreRules.fileName { part.rulesWent = true }
            let facts = local[node]
            part.gone.insert(facts.stamp.inode)
            if facts.kind == .file, !facts.stamp.isRecent, let hash = facts.hash { byStamp?[facts.stamp] = hash }
        }
    }
}
