import BothyContract

extension RemoteTree {
    /// What a server listed and no tree can hold, with why.
    package struct Misfit: Equatable, Sendable {
        package var id: String
        package var name: String
        package var reason: HoldReason
    }

    /// The tree below a folder, from all files that are known, in any order.
    ///
    /// What a server says is not trusted: a name that is none, a second file of the same name, folders that lie in each
    /// other and a file in a file are left out and told.
    package static func below(_ rootId: String, of files: some Sequence<File>) -> (tree: RemoteTree, misfits: [Misfit])
    {
        var tree = RemoteTree(rootId: rootId)
        var misfits: [Misfit] = []
        var waiting: [String: [File]] = [:]
        for file in files where !file.trashed && file.id != rootId {
            if let parent = file.parentId { waiting[parent, default: []].append(file) }
        }
        var folders = [rootId]
        while let folder = folders.popLast() {
            for file in (waiting.removeValue(forKey: folder) ?? []).sorted(by: { $0.id < $1.id }) {
                guard let reason = tree.fault(of: file, under: folder) else {
                    tree.put(RemoteFacts(file), named: NodeName(file.name), under: folder)
                    if file.isFolder { folders.append(file.id) }
                    continue
                }
                misfits.append(Misfit(id: file.id, name: file.name, reason: reason))
            }
        }
        return (tree, misfits)
    }

    private func fault(of file: File, under folder: String) -> HoldReason? {
        let name = NodeName(file.name)
        guard let normal = try? FileName.normalized(file.name), NodeName(normal) == name else {
            return .remoteNameInvalid
        }
        if node(file.id) != nil { return .remoteListedTwice }
        guard let parent = node(folder) else { return .folderNotArrived }
        return tree.child(name, of: parent) == nil ? nil : .remoteListedTwice
    }
}
