import BothyClient
import BothyContract

/// What somebody moves while everything is looked at may go from a folder that is yet to be looked into to one that has
/// been, and be met nowhere, as if it were deleted; or the other way, and be met twice.
extension FolderScan {
    /// How often folders that have changed meanwhile are looked into once more. A folder in which something comes and goes
    /// all the time would be looked into for ever.
    private static let secondLooks = 5

    /// - Parameter beginning: this scan before it looked at anything.
    mutating func settle(from beginning: FolderScan) throws(ClientFailure) {
        for _ in 0..<Self.secondLooks {
            let changed = try changedMeanwhile()
            if changed.isEmpty { return }
            let seen = local
            knowStamps()
            guard try run(over: changed).places == nil else { continue }
            // Rules have changed, and they hold far beyond their folder.
            let known = proven
            self = beginning
            (previous, proven) = (seen, known)
            try lookIntoRoot()
        }
    }

    /// Folders that are where they were met, and in which names have come or gone since; each is noted as it is now.
    private mutating func changedMeanwhile() throws(ClientFailure) -> [Place: NamesInFolder] {
        var changed: [Place: NamesInFolder] = [:]
        for node in local.tree.subtree(of: .root) where local[node].kind == .folder {
            if DiskWork.isCancelled { throw DiskWork.canceled }
            let place = local.tree.place(of: node)
            // What cannot be looked at now stays as it was met: a look that failed is no sign of a change.
            guard let stamp = try? disk.facts(place)?.stamp, stamp.isSameInode(as: local[node].stamp),
                stamp != local[node].stamp
            else { continue }
            local.tree[node].stamp = stamp
            changed[place] = .all
        }
        return changed
    }
}
