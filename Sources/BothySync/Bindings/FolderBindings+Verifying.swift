import BothyClient

extension FolderBindings {
    /// What is to be read of all synced folders.
    package func verifications() async throws -> [FolderVerification] {
        try await verifications(of: store.all().map { VerifiedPart(binding: $0, place: .root) })
    }

    /// What is to be read of some parts of them; those of which nothing was ever agreed on are left out.
    package func verifications(of parts: [VerifiedPart]) async throws -> [FolderVerification] {
        var found = [FolderVerification]()
        for part in VerifiedPart.outermost(parts) {
            let synced = try await store.syncedTree(of: part.binding)
            let disk = SystemFolderDisk(path: part.binding.localPath)
            guard let one = FolderVerification(of: part, synced, store: store, disk: disk) else { continue }
            found.append(one)
        }
        return found
    }

    /// What a path that was typed means: a synced folder or something in one, or all synced folders below it.
    ///
    /// - Returns: nothing where nothing there was ever synced.
    package func parts(at path: String) async throws -> [VerifiedPart] {
        if let (binding, place) = try await binding(holding: path) {
            let isKnown = try await store.syncedTree(of: binding).node(at: place) != nil
            return isKnown ? [VerifiedPart(binding: binding, place: place)] : []
        }
        let directory = Self.directory(path)
        let above = directory == "/" ? directory : directory + "/"
        return try await store.all().filter { $0.localPath.utf8.starts(with: above.utf8) }.map {
            VerifiedPart(binding: $0, place: .root)
        }
    }
}
