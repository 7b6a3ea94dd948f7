import BothyContract

/// Content that becomes a file: a new one, or a new head revision of one that is there.
package struct FileCommit: Sendable {
    package var placement: FilePlacement
    /// The type of the content; nil keeps the file's, and is `application/octet-stream` for a new one.
    package var mimeType: String?
    /// A row of `contents`, in the same drive.
    package var contentId: Int64
    /// The content's own time; now where nil.
    package var modifiedAt: Timestamp?
    package var executable: Bool?
    /// The request that creates the file.
    package var requestId: String?

    package init(
        placement: FilePlacement, mimeType: String? = nil, contentId: Int64, modifiedAt: Timestamp? = nil,
        executable: Bool? = nil, requestId: String? = nil
    ) {
        self.placement = placement
        self.mimeType = mimeType
        self.contentId = contentId
        self.modifiedAt = modifiedAt
        self.executable = executable
        self.requestId = requestId
    }

    package struct Outcome: Sendable {
        package var file: FileRow
        package var revision: RevisionRow
        package var cursor: ChangeCursor
    }

    /// Commits the content inside the caller's write transaction: file, revision and change, all or nothing.
    ///
    /// - Throws: what ``FilePlacement/target(in:drive:)`` throws; nothing is changed then.
    package static func commit(_ commit: FileCommit, in db: any SQLConnection, stamp: ChangeStamp) throws -> Outcome {
        guard let content = try ContentTable(db, drive: stamp.driveId).find(commit.contentId) else {
            throw DatabaseError.failed("contents: no row \(commit.contentId)")
        }
        switch try commit.placement.target(in: db, drive: stamp.driveId) {
        case .newFile(let name, let parentId):
            return try commit.create(name: name, parentId: parentId, content: content, in: db, stamp: stamp)
        case .newRevision(let row):
            return try commit.revise(row, content: content, in: db, stamp: stamp)
        }
    }

    private func create(
        name: String, parentId: String, content: ContentTable.Content, in db: any SQLConnection, stamp: ChangeStamp
    ) throws -> Outcome {
        let id = stamp.newId()
        let cursor = try ChangeLog(db, drive: stamp.driveId).append(.file, id, stamp: stamp)
        let made = newFile(id, name: name, parentId: parentId, content: content, at: cursor, stamp: stamp)
        try FileTable(db, drive: stamp.driveId).insert(made.file)
        try RevisionTable(db, drive: stamp.driveId).insert(made.revision, by: cursor.sequence)
        return made
    }

    /// The rows of a new file, which are not written yet.
    ///
    /// - Parameter cursor: of the change that makes it.
    func newFile(
        _ id: String, name: String, parentId: String, content: ContentTable.Content, at cursor: ChangeCursor,
        stamp: ChangeStamp
    ) -> Outcome {
        var row = FileRow(
            id: id, serial: cursor.sequence, parentId: parentId, name: name, isFolder: false,
            mimeType: mimeType ?? File.defaultMimeType, now: stamp.now)
        row.requestId = requestId
        row.deviceId = stamp.deviceId
        let revision = newHead(of: &row, content: content, stamp: stamp)
        return Outcome(file: row, revision: revision, cursor: cursor)
    }

    private func revise(
        _ old: FileRow, content: ContentTable.Content, in db: any SQLConnection, stamp: ChangeStamp
    ) throws -> Outcome {
        var row = old
        row.version += 1
        row.updatedAt = stamp.now
        row.deviceId = stamp.deviceId
        row.mimeType = mimeType ?? row.mimeType
        try Untrashing.bringBack(&row, in: db, stamp: stamp)
        let revision = newHead(of: &row, content: content, stamp: stamp)
        let cursor = try ChangeLog(db, drive: stamp.driveId).append(.file, row.id, stamp: stamp)
        try FileTable(db, drive: stamp.driveId).update(row, by: cursor.sequence)
        try RevisionTable(db, drive: stamp.driveId).insert(revision, by: cursor.sequence)
        return Outcome(file: row, revision: revision, cursor: cursor)
    }

    private func newHead(
        of row: inout FileRow, content: ContentTable.Content, stamp: ChangeStamp
    ) -> RevisionRow {
        let revision = RevisionRow(
            id: stamp.newId(), fileId: row.id, version: row.version, contentId: content.id, mimeType: row.mimeType,
            size: content.size, checksum: content.checksum, createdAt: stamp.now, modifiedAt: modifiedAt ?? stamp.now,
            deviceId: stamp.deviceId)
        row.headRevisionId = revision.id
        row.size = content.size
        row.checksum = content.checksum
        row.modifiedAt = revision.modifiedAt
        row.executable = executable ?? row.executable
        return revision
    }
}
