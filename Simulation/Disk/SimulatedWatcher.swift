import BothySync

/// Tells in which folders of a simulated disk something has changed since it was asked last: what inotify would tell.
final class SimulatedWatcher {
    private let disk: SimulatedDisk
    private var seen: [UInt64: Int] = [:]

    init(_ disk: SimulatedDisk) {
        self.disk = disk
        seen = fingerprints()
    }

    func news() -> FolderNews {
        let now = fingerprints()
        defer { seen = now }
        return FolderNews(folders: Set(now.keys.filter { now[$0] != seen[$0] }))
    }

    /// Of each folder: of what was done to its names, also where that came to nothing, as inotify tells of each; and of what a
    /// look tells of what is in it.
    private func fingerprints() -> [UInt64: Int] {
        let tree = disk.model.tree
        var fingerprints: [UInt64: Int] = [:]
        for (number, inode) in tree.inodes where inode.isFolder {
            var hasher = Hasher()
            hasher.combine(inode.renamings)
            for entry in tree.entries(of: number) {
                hasher.combine(entry.name)
                hasher.combine(entry.inode)
                guard let child = tree.inodes[entry.inode], !child.isFolder else { continue }
                hasher.combine(child.bytes)
                hasher.combine(child.modifiedAt)
                hasher.combine(child.changedAt)
                hasher.combine(child.executable)
            }
            fingerprints[number] = hasher.finalize()
        }
        return fingerprints
    }
}
