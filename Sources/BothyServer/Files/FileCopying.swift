import BothyContract

/// Copying a file by reference: the copy's first revision has the content of the source's head, and no byte moves.
package struct FileCopying: Sendable {
    package var sourceId: String
    /// The source's name where nil.
    package var name: String?
    /// The source's folder where nil.
    package var parentId: String?
    package var requestId: String?

    package init(sourceId: String, name: String?, parentId: String?, requestId: String?) {
        self.sourceId = sourceId
        self.name = name
        self.parentId = parentId
        self.requestId = requestId
    }

    /// - Throws: `not_found`, `not_a_file` for a folder, `invalid_name`, `parent_gone`, `not_a_folder`,
    ///   `name_conflict`.
    package func perform(in db: any SQLConnection, stamp: ChangeStamp) throws -> FileChange {
        let files = FileTable(db, drive: stamp.driveId)
        let source = try files.require(sourceId).row
        guard !source.isFolder, let ownParent = source.parentId else {
            throw Problem(.notAFile, "Folders are not copied by one request: create the folder, then copy its files.")
        }
        let name = try FileName.checked(name ?? source.name)
        let parentId = parentId ?? ownParent
        try files.requireParent(parentId)
        try files.requireFree(name, in: parentId)
        let id = stamp.newId()
        let cursor = try ChangeLog(db, drive: stamp.driveId).append(.file, id, stamp: stamp)
        var row = FileRow(
            id: id, serial: cursor.sequence, parentId: parentId, name: name, isFolder: false,
            mimeType: source.mimeType, now: stamp.now)
        row.modifiedAt = source.modifiedAt
        row.executable = source.executable
        row.requestId = requestId
        row.deviceId = stamp.deviceId
        try copyHead(of: source, to: &row, in: db, stamp: stamp)
        try files.insert(row)
        return FileChange(row: row, cursor: cursor)
    }

    private func copyHead(
        of source: FileRow, to row: inout FileRow, in db: any SQLConnection, stamp: ChangeStamp
    ) throws {
        let revisions = RevisionTable(db, drive: stamp.driveId)
        guard let headId = source.headRevisionId, let head = try revisions.find(headId) else { return }
        let copy = head.copied(id: stamp.newId(), fileId: row.id, version: row.version, stamp: stamp)
        try revisions.insert(copy)
        row.headRevisionId = copy.id
        row.size = copy.size
        row.checksum = copy.checksum
    }
}

extension RevisionRow {
    /// A new revision with this one's content.
    func copied(id: String, fileId: String, version: Int64, stamp: ChangeStamp) -> RevisionRow {
        var copy = self
        copy.id = id
        copy.fileId = fileId
        copy.version = version
        copy.createdAt = stamp.now
        copy.deviceId = stamp.deviceId
        return copy
    }
}
