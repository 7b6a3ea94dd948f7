import BothyClient
import BothyContract

/// Content that is on this device because a synced folder holds it.
extension FolderBindings {
    /// Where a version of a file lies in a synced folder, untouched since both sides agreed on it.
    ///
    /// That is told by its stamps. The reader compares its hash.
    ///
    /// - Returns: nil where no folder holds it so.
    package func localContent(of fileId: String, revision: String) async throws -> String? {
        for binding in try await store.all() {
            guard let (agreed, place) = try await store.agreed(on: fileId, in: binding),
                agreed.baseRevisionId == revision, let stamp = agreed.local
            else { continue }
            let disk = SystemFolderDisk(path: binding.localPath)
            let isThere = try await DiskQueue("content").run {
                let there = try disk.facts(place)
                return there?.kind == .file && there?.stamp == stamp
            }
            if isThere { return disk.absolute(place) }
        }
        return nil
    }

    /// Where a file lies in a synced folder with other content than the server's newest, as far as is known here.
    package func otherContent(of file: File) async throws -> String? {
        for binding in try await store.all() {
            guard let (_, place) = try await store.agreed(on: file.id, in: binding) else { continue }
            let disk = SystemFolderDisk(path: binding.localPath)
            let isThere = try await DiskQueue("content").run { try disk.facts(place)?.kind == .file }
            if isThere { return disk.absolute(place) }
        }
        return nil
    }
}
