import BothyContract

extension RemoteTree {
    /// Takes in what a server's log told since: each file at its newest state, nil for one that is gone for good.
    ///
    /// - Returns: the ids that it may have touched in this tree; nil where only all files of the drive can tell how things
    ///   are, and the tree is good for nothing.
    package mutating func take(_ news: [String: File?]) -> Set<String>? {
        var (gone, placed) = ([String](), [File]())
        for (id, file) in news where id != rootId {
            guard let file, file.trashedAt == nil, let parent = file.parentId,
                parent == rootId || node(parent) != nil || news[parent] != nil
            else {
                gone.append(id)
                continue
            }
            if let known = facts(id), known.version >= file.version { continue }
            if !isTellable(file) || isReserved(file, under: parent) { return nil }
            placed.append(file)
        }
        makeWay(for: placed)
        for id in gone { remove(id) }
        guard giveNames(to: placed) else { return nil }
        return Set(gone).union(placed.map(\.id))
    }

    /// A folder that is new here and was not made just now may come with anything in it, which the log does not tell; and
    /// a name that is none, or is Bothy's own, is for those who look at everything.
    private func isTellable(_ file: File) -> Bool {
        if file.isFolder, node(file.id) == nil, file.version > 1 { return false }
        guard let normal = try? FileName.normalized(file.name) else { return false }
        return NodeName(normal) == NodeName(file.name)
    }

    /// What moves gives up its name first, so that two may change names, and no folder that goes takes it along.
    private mutating func makeWay(for files: [File]) {
        for file in files {
            guard let known = node(file.id) else { continue }
            let parent = tree.parent(of: known).map { tree[$0].id }
            if parent == file.parentId, tree.name(of: known) == NodeName(file.name) { continue }
            put(tree[known], named: NodeName("\0\(file.id)"), under: rootId)
        }
    }

    /// Folders before what is in them.
    ///
    /// - Returns: false where two want one name, or folders lie in each other.
    private mutating func giveNames(to files: [File]) -> Bool {
        var waiting = Dictionary(grouping: files) { $0.parentId ?? "" }
        var folders = waiting.keys.filter { node($0) != nil && !isOnTheWay($0) }
        while let folder = folders.popLast() {
            for file in waiting.removeValue(forKey: folder) ?? [] {
                guard put(RemoteFacts(file), named: NodeName(file.name), under: folder) else { return false }
                if waiting[file.id] != nil { folders.append(file.id) }
            }
        }
        // What is left hangs from something that is not in this tree.
        for file in waiting.values.joined() { remove(file.id) }
        return true
    }

    /// Whether a folder has given up its name and has no other yet.
    private func isOnTheWay(_ id: String) -> Bool {
        node(id).map { tree.name(of: $0).text.utf8.first == 0 } ?? false
    }
}
