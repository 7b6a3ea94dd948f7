import BothyClient
import BothyContract

/// What is moved while it is looked for is met at the new place, and still known at the old one.
extension FolderScan {
    /// What somebody has moved to a place that was looked into before the old one's news came. Who believed both would take what was
    /// moved for something new, and then its old place for a deletion.
    ///
    /// - Parameter arrived: what was taken in now.
    /// - Returns: what stands in the tree under the inode of one of those, and no longer on the disk; each folder before what is in it.
    func left(for arrived: Set<LocalTree.ID>) -> [LocalTree.ID] {
        guard !arrived.isEmpty else { return [] }
        let inodes = Set(arrived.map { local[$0].stamp.inode })
        let known = local.tree.nodes { inodes.contains($0.stamp.inode) }
        return known.filter { !arrived.contains($0) && hasLeft($0) }
            .sorted { local.tree.place(of: $0).depth < local.tree.place(of: $1).depth }
    }

    /// A file with two names stands at both; of what cannot be looked at nothing is known.
    private func hasLeft(_ node: LocalTree.ID) -> Bool {
        do {
            let found = try disk.facts(local.tree.place(of: node))
            return !(found?.stamp.isSameInode(as: local[node].stamp) ?? false)
        } catch {
            return false
        }
    }
}
