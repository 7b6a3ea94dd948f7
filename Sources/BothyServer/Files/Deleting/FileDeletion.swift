import BothyContract

/// Deleting to the trash, or for good; a folder with all that lies below it, in one change.
package struct FileDeletion: Sendable {
    package var id: String
    package var permanent: Bool
    /// A change cursor: nothing below may have changed since.
    package var asOf: String?
    /// The head revision that the one who deletes has seen.
    package var baseRevisionId: String?
    package var precondition: Precondition

    package init(
        id: String, permanent: Bool, asOf: String? = nil, baseRevisionId: String? = nil,
        precondition: Precondition = .none
    ) {
        self.id = id
        self.permanent = permanent
        self.asOf = asOf
        self.baseRevisionId = baseRevisionId
        self.precondition = precondition
    }

    /// - Throws: `not_found`, `root_immutable`, `version_mismatch`, `revision_conflict`, `subtree_changed`,
    ///   `cursor_expired`.
    package func perform(in db: any SQLConnection, stamp: ChangeStamp) throws -> FileChange {
        let files = FileTable(db, drive: stamp.driveId)
        let row = try files.require(id).row
        try precondition.check(EntityTag(epoch: try ServerEpoch.read(db), version: row.version))
        guard row.parentId != nil else { throw Problem(.rootImmutable, "The root folder cannot be deleted.") }
        if let baseRevisionId, baseRevisionId != row.headRevisionId {
            throw Problem(.revisionConflict, "“\(row.name)” has a newer revision than the one you have seen.").with {
                $0.currentRevisionId = row.headRevisionId
            }
        }
        if let asOf { try requireUnchanged(row, since: asOf, in: db, drive: stamp.driveId) }
        if permanent { return try Purge.cutOff(row, in: db, stamp: stamp) }
        var request = UpdateFileRequest()
        request.trashed = true
        return try FileUpdate(id: id, request: request).perform(in: db, stamp: stamp)
    }

    private func requireUnchanged(
        _ row: FileRow, since asOf: String, in db: any SQLConnection, drive: Int64
    ) throws {
        let log = ChangeLog(db, drive: drive)
        let cursor = try log.validate(asOf)
        let changed = Problem(
            .subtreeChanged, "Something in “\(row.name)” changed since you looked: nothing was deleted.")
        guard try !log.hasTooMuchToCheck(after: cursor.sequence) else { throw changed }
        var ancestry = Ancestry(db, drive: drive)
        for entity in try log.files(changedAfter: cursor.sequence) {
            if entity == row.id {
                if row.isFolder { continue }
                throw changed
            }
            if try ancestry.path(from: entity).contains(row.id) { throw changed }
        }
    }
}
