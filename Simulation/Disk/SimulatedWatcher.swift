import BothySync

/// Tells what has changed in which folders of a simulated disk since it was asked last: what inotify would tell.
final class SimulatedWatcher {
    private let disk: SimulatedDisk
    private var seen: [UInt64: Folder] = [:]

    /// A folder as it was when it was told of last.
    private struct Folder {
        /// What a look tells of each file in it, by name: two spellings are two names.
        var files: [NodeName: Int] = [:]
        /// How many names had come and gone.
        var renamed = 0
    }

    init(_ disk: SimulatedDisk) {
        self.disk = disk
        seen = folders()
    }

    func news() -> FolderNews {
        let now = folders()
        defer { seen = now }
        var news = FolderNews.nothing
        for (number, folder) in now {
            let before = seen[number] ?? Folder()
            let names = Set(folder.files.keys).union(before.files.keys).filter { folder.files[$0] != before.files[$0] }
            for name in names.union(cameAndWent(in: number, since: before)) { news.note(name, in: number) }
        }
        return news
    }

    /// Also what came to nothing: inotify tells of each.
    private func cameAndWent(in folder: UInt64, since before: Folder) -> [NodeName] {
        let renamed = disk.model.tree.inodes[folder]?.renamed ?? []
        // After a power cut a disk may have gone back to before that.
        return (renamed.count < before.renamed ? renamed[...] : renamed[before.renamed...]).map { NodeName($0) }
    }

    private func folders() -> [UInt64: Folder] {
        let tree = disk.model.tree
        var folders: [UInt64: Folder] = [:]
        for (number, inode) in tree.inodes where inode.isFolder {
            var folder = Folder(renamed: inode.renamed.count)
            for entry in tree.entries(of: number) {
                guard let child = tree.inodes[entry.inode], !child.isFolder else { continue }
                var hasher = Hasher()
                hasher.combine(child.bytes)
                hasher.combine(child.modifiedAt)
                hasher.combine(child.changedAt)
                hasher.combine(child.executable)
                folder.files[NodeName(entry.name)] = hasher.finalize()
            }
            folders[number] = folder
        }
        return folders
    }
}
