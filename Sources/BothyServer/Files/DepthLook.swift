import BothyContract

/// How deep things lie in a folder that is moved, looked up beside the writer: over hundreds of thousands of folders
/// it takes a second, in which nobody could write.
///
/// The move asks it within its transaction, where only what changed since is looked at.
package struct DepthLook: Sendable {
    /// Changes since that are looked at one by one; after more of them the look is worth nothing.
    private static let mostChanges = 256

    private let folder: String
    private let levels: Int
    private let isDeeper: Bool
    /// The drive's last change that was seen.
    private let sequence: Int64

    /// - Returns: nil where the update moves no folder deeper than it lies.
    package static func taken(
        for update: FileUpdate, of drive: Int64, in database: any Database
    ) async throws -> DepthLook? {
        let id = update.id
        guard let parentId = update.request.parentId,
            let levels = try await database.read({ try Self.levels(id, under: parentId, of: drive, in: $0) })
        else { return nil }
        return try await database.readApart { db in
            DepthLook(
                folder: id, levels: levels, isDeeper: try FileTable(db, drive: drive).isDeeper(id, than: levels),
                sequence: try ChangeLog(db, drive: drive).head().sequence)
        }
    }

    /// Levels that may lie in the folder once it is there.
    private static func levels(
        _ id: String, under parentId: String, of drive: Int64, in db: any SQLConnection
    ) throws -> Int? {
        guard let row = try FileTable(db, drive: drive).find(id), row.isFolder, let old = row.parentId else {
            return nil
        }
        var ancestry = Ancestry(db, drive: drive)
        let depth = try ancestry.path(from: parentId).count
        let left = FileLimits.maximumDepth - depth
        // Where nothing may lie any more the move is refused without a look.
        return try left >= 0 && depth > ancestry.path(from: old).count ? left : nil
    }

    /// Whether anything lies in the folder more than so many levels below it, as things stand in this transaction.
    ///
    /// - Returns: nil where it would have to be looked up again.
    func answer(_ folder: String, than levels: Int, in db: any SQLConnection, drive: Int64) throws -> Bool? {
        guard folder == self.folder, levels == self.levels || (!isDeeper && levels > self.levels) else { return nil }
        let changed = try ChangeLog(db, drive: drive).files(changedAfter: sequence, limit: Self.mostChanges + 1)
        if changed.isEmpty { return isDeeper }
        // What was too deep may lie elsewhere now.
        guard changed.count <= Self.mostChanges, !isDeeper else { return nil }
        var ancestry = Ancestry(db, drive: drive)
        for id in changed {
            guard try ancestry.standing(of: id) == .live, let below = try ancestry.path(from: id).firstIndex(of: folder)
            else { continue }
            if below > levels { return true }
            // A folder that was there before may have come with everything in it.
            if below > 0, let link = try ancestry.link(id), link.isFolder, link.serial <= sequence { return nil }
        }
        return false
    }
}
