import BothyClient
import BothyContract

extension RemoteTree {
    /// The tree below a folder, from all files of the drive that are known, in any order.
    ///
    /// What a server says is not trusted: a name that is none, a second file of the same name, folders that lie in each
    /// other and a file in a file are left out and told as misfits, with all below them.
    package init(rootId: String, files: some Sequence<File>) {
        self.init(rootId: rootId)
        var waiting: [String: [File]] = [:]
        for file in files where file.id != rootId {
            if let parent = file.parentId { waiting[parent, default: []].append(file) }
        }
        take(&waiting)
        noteOrphans(waiting)
    }

    /// From the bound folder down; what is in the trash takes what is below it along.
    private mutating func take(_ waiting: inout [String: [File]]) {
        var folders = [(id: rootId, isMisfit: false)]
        while let folder = folders.popLast() {
            for file in (waiting.removeValue(forKey: folder.id) ?? []).sorted(by: { $0.id < $1.id }) {
                let isGone = file.trashedAt != nil
                let reason = folder.isMisfit ? HoldReason.folderHeld : fault(of: file, under: folder.id)
                if let reason, !isGone {
                    if node(file.id) == nil { misfits[file.id] = Misfit(name: file.name, reason: reason) }
                } else if !isGone {
                    put(RemoteFacts(file), named: NodeName(file.name), under: folder.id)
                }
                if file.isFolder, !isGone { folders.append((file.id, reason != nil)) }
            }
        }
    }

    /// What hangs from a folder that is not known may be below the bound one; what hangs from one that is known is not.
    private mutating func noteOrphans(_ waiting: [String: [File]]) {
        let known = Set(waiting.values.joined().map(\.id))
        for (parent, files) in waiting where !known.contains(parent) && parent != File.rootId {
            var orphans = files
            while let orphan = orphans.popLast() {
                guard misfits[orphan.id] == nil, node(orphan.id) == nil, orphan.trashedAt == nil else { continue }
                misfits[orphan.id] = Misfit(name: orphan.name, reason: .folderNotArrived)
                orphans += waiting[orphan.id] ?? []
            }
        }
    }

    /// Whether its name is Bothy's own where it lies: no look at a disk would ever see it there.
    func isReserved(_ file: File, under folder: String) -> Bool {
        PrivateNames.holds(file.name, inRoot: folder == rootId) || (file.isFolder && file.name == PrivateNames.folder)
    }

    private func fault(of file: File, under folder: String) -> HoldReason? {
        let name = NodeName(file.name)
        // What cannot be made a name is none.
        guard let normal = try? FileName.normalized(file.name), NodeName(normal) == name else {
            return .remoteNameInvalid
        }
        if isReserved(file, under: folder) { return .remoteNameReserved }
        if node(file.id) != nil { return .remoteListedTwice }
        guard let parent = node(folder), self[parent].kind == .folder else { return .folderNotArrived }
        return tree.child(name, of: parent) == nil ? nil : .remoteListedTwice
    }
}
