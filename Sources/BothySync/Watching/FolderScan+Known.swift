import BothyClient

/// Folders that are not what they look like.
extension FolderScan {
    /// Whether a folder in this one is synced by itself. A copy of one that is, its private folder included, is synced with this one like
    /// any other folder; the folder itself, mounted here once more, is not. What cannot be read may be a mark.
    func isInStepByItself(_ place: Place) -> Bool {
        do {
            guard let mark = try disk.mark(of: place) else { return false }
            guard let met = try disk.facts(place) else { return true }
            if let root = try disk.root(), met.isSameFolder(as: root) { return true }
            return !knownFolders.isCopy(mark, met)
        } catch {
            return true
        }
    }

    /// Notes whether something is mounted in a folder.
    mutating func noteMount(_ facts: DiskFacts, at place: Place) {
        if facts.isMountRoot {
            local.mounts.insert(place)
        } else if !local.mounts.isEmpty {
            local.mounts.remove(place)
        }
    }

    /// Whether what was mounted in a folder, and agreed on, is not there: the bare folder below it must not be taken for one that somebody has
    /// emptied. Where all that was agreed on is in it, somebody has put that there instead.
    func isUnmounted(_ facts: DiskFacts, at place: Place) -> Bool {
        guard !facts.isMountRoot, !knownFolders.mounts.isEmpty, let node = synced.node(at: place),
            knownFolders.mounts.contains(synced[node].remoteId),
            // Where inodes cannot be told apart, they do not say that it is the agreed one.
            !(traits.keepsInodes && (synced[node].local.map { traits.isSameInode($0, facts.stamp) } ?? false))
        else { return false }
        do {
            let names = Set(try disk.list(place).map(\.name))
            return !synced.tree.children(of: node).allSatisfy { names.contains(synced.tree.name(of: $0)) }
        } catch {
            return true
        }
    }

    /// Asked after a folder was listed: one that was unmounted a moment before looks as if somebody had emptied it.
    func isMountedStill(_ place: Place) -> Bool {
        do {
            return try disk.facts(place)?.isMountRoot ?? false
        } catch {
            return false
        }
    }
}

extension LocalTree {
    /// Which agreed folders something is mounted in, by their ids on the server. One that is not mounted at the moment stays known until its
    /// place has an ordinary folder, or it is no longer agreed on.
    func mounts(after known: Set<String>, in synced: SyncedTree) -> Set<String> {
        let there = mounts.filter { facts(at: $0)?.kind == .folder }.compactMap { synced.facts(at: $0)?.remoteId }
        let missing = known.filter { id in
            guard let node = synced.node(id) else { return false }
            return facts(at: synced.tree.place(of: node))?.condition != .quiet
        }
        return missing.union(there)
    }
}
