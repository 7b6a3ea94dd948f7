import BothyContract

/// Making a new head revision with the content of an old one; nothing is rewritten.
package struct RevisionRestoring: Sendable {
    package var fileId: String
    package var revisionId: String
    package var precondition: Precondition

    package init(fileId: String, revisionId: String, precondition: Precondition = .none) {
        self.fileId = fileId
        self.revisionId = revisionId
        self.precondition = precondition
    }

    /// - Throws: `not_found`, `not_a_file`, `version_mismatch`.
    package func perform(in db: any SQLConnection, stamp: ChangeStamp) throws -> FileCommit.Outcome {
        let files = FileTable(db, drive: stamp.driveId)
        let revisions = RevisionTable(db, drive: stamp.driveId)
        var row = try files.requireFile(fileId)
        try precondition.check(EntityTag(epoch: try ServerEpoch.read(db), version: row.version))
        let old = try revisions.require(revisionId, of: fileId)
        row.version += 1
        row.updatedAt = stamp.now
        row.deviceId = stamp.deviceId
        try Untrashing.bringBack(&row, in: db, stamp: stamp)
        let head = old.copied(id: stamp.newId(), fileId: fileId, version: row.version, stamp: stamp)
        row.headRevisionId = head.id
        row.mimeType = head.mimeType
        row.size = head.size
        row.checksum = head.checksum
        row.modifiedAt = head.modifiedAt
        let cursor = try ChangeLog(db, drive: stamp.driveId).append(.file, fileId, stamp: stamp)
        try files.update(row, by: cursor.sequence)
        try revisions.insert(head, by: cursor.sequence)
        return FileCommit.Outcome(file: row, revision: head, cursor: cursor)
    }
}

extension FileTable {
    /// - Throws: `not_found`, `not_a_file`.
    package func requireFile(_ id: String) throws -> FileRow {
        let row = try require(id).row
        guard !row.isFolder else { throw Problem(.notAFile, "This is a folder, and only files have revisions.") }
        return row
    }
}

extension RevisionTable {
    /// - Throws: `not_found` for a revision that is not there, or not this file's.
    package func require(_ id: String, of fileId: String) throws -> RevisionRow {
        guard let row = try find(id), row.fileId == fileId else {
            throw Problem(.notFound, "The file has no such revision.")
        }
        return row
    }
}
