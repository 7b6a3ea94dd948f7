import BothyClient
import BothyContract

/// What a command replaces in a synced folder.
extension FolderBindings {
    /// Puts a copy of a file into the local trash of the synced folder that it lies in, before a command replaces it: its content may be
    /// nowhere else.
    ///
    /// - Parameter path: absolute.
    /// - Returns: whether there is such a folder, and such a file in it.
    @discardableResult
    package func keepCopy(ofFileAt path: String) async throws -> Bool {
        guard let (binding, place) = try await binding(holding: path), !place.isRoot else { return false }
        let disk = SystemFolderDisk(path: binding.localPath)
        // With this ending, a pass that goes on meanwhile leaves it alone: it moves away what else it does not know in the staging folder.
        let (keep, name) = (environment.newId(), "kept-\(environment.newId())\(PrivateNames.partial)")
        let queue = DiskQueue("keeping")
        do {
            let found = try await queue.run { () throws -> (facts: DiskFacts, hash: ContentHash)? in
                guard try disk.mark() == binding.mark, let facts = try disk.facts(place), facts.kind == .file else {
                    return nil
                }
                return (facts, try disk.stageCopy(of: place, expecting: facts, as: name))
            }
            guard let kept = found else { return false }
            try await store.addToTrash(
                TrashedHere(
                    keep: keep, bindingId: binding.id, place: place, isFolder: false, size: kept.facts.stamp.size,
                    checksum: kept.hash, reason: .editedThere, takenAt: environment.clock.now(),
                    livedAt: try await store.livedSeconds(uptime: environment.clock.uptime())))
            try await queue.run {
                try SystemDisk().openForWriting(disk.staging(name)).sync()
                try disk.discardStaged(name, keep: keep)
            }
            return true
        } catch {
            // No pass clears this away.
            try? await queue.run { try disk.unstage(name) }
            let isKept = try? await queue.run { try disk.isInTrash(keep) }
            if isKept == false { try? await store.removeFromTrash(keep) }
            throw error
        }
    }
}
