import BothyContract

extension UpdateFileRequest {
    /// Whether all that it asks for is to put something in the trash.
    var isDeletion: Bool { self == UpdateFileRequest(requestId: requestId, trashed: true) }
}

/// Renaming, moving, starring, hiding, trashing and untrashing: one change, whatever lies below.
package struct FileUpdate: Sendable {
    package var id: String
    package var request: UpdateFileRequest
    package var precondition: Precondition
    /// What was seen of a folder that is moved; without it the whole of it is looked through in the transaction.
    package var seen: DepthLook?

    package init(id: String, request: UpdateFileRequest, precondition: Precondition = .none) {
        self.id = id
        self.request = request
        self.precondition = precondition
    }

    /// - Throws: `not_found`, `root_immutable`, `version_mismatch`, `invalid_name`, `parent_gone`, `not_a_folder`,
    ///   `cycle`, `invalid_parameter` for what would lie too deep, `name_conflict`.
    package func perform(in db: any SQLConnection, stamp: ChangeStamp) throws -> FileChange {
        let files = FileTable(db, drive: stamp.driveId)
        let log = ChangeLog(db, drive: stamp.driveId)
        let (old, wasTrashed) = try files.require(id)
        try precondition.check(EntityTag(epoch: try ServerEpoch.read(db), version: old.version))
        guard old.parentId != nil else { throw Problem(.rootImmutable, "The root folder cannot be changed.") }
        var row = applyFlags(to: old)
        try move(&row, files)
        let restored = try changeTrash(&row, wasTrashed: wasTrashed, in: db, stamp: stamp)
        try requireFreeName(row, old: old, files)
        guard row != old else {
            return FileChange(row: row, trashed: try files.require(id).trashed, cursor: try restored ?? log.head())
        }
        row.version += 1
        row.updatedAt = stamp.now
        row.deviceId = stamp.deviceId
        let cursor = try log.append(.file, id, stamp: stamp)
        try files.update(row, by: cursor.sequence)
        return FileChange(row: row, trashed: try files.require(id).trashed, cursor: cursor)
    }

    private func applyFlags(to old: FileRow) -> FileRow {
        var row = old
        row.starred = request.starred ?? row.starred
        row.hidden = request.hidden ?? row.hidden
        row.executable = request.executable ?? row.executable
        row.modifiedAt = request.modifiedAt ?? row.modifiedAt
        return row
    }

    private func move(_ row: inout FileRow, _ files: FileTable) throws {
        if let name = request.name { row.name = try FileName.checked(name) }
        guard let parentId = request.parentId, parentId != row.parentId else { return }
        try files.requireParent(parentId)
        var ancestry = Ancestry(files.db, drive: files.drive)
        guard try !ancestry.path(from: parentId).contains(row.id) else {
            throw Problem(.cycle, "“\(row.name)” cannot be moved into itself or one of its subfolders.")
        }
        if row.isFolder { try requireDepth(of: row, under: parentId, &ancestry, files) }
        row.parentId = parentId
    }

    /// What moves no deeper than it was lies no deeper than it may.
    private func requireDepth(
        of row: FileRow, under parentId: String, _ ancestry: inout Ancestry, _ files: FileTable
    ) throws {
        let depth = try ancestry.path(from: parentId).count
        guard let old = row.parentId, try depth > ancestry.path(from: old).count,
            try isDeeper(row.id, than: FileLimits.maximumDepth - depth, files)
        else { return }
        throw Problem(
            .invalidParameter,
            "Folders can be at most \(FileLimits.maximumDepth) levels deep, and the content of this one would be deeper."
        )
    }

    private func isDeeper(_ id: String, than levels: Int, _ files: FileTable) throws -> Bool {
        if let answer = try seen?.answer(id, than: levels, in: files.db, drive: files.drive) { return answer }
        return try files.isDeeper(id, than: levels)
    }

    /// - Returns: the place of the last folder's change that came back with the row.
    private func changeTrash(
        _ row: inout FileRow, wasTrashed: Bool, in db: any SQLConnection, stamp: ChangeStamp
    ) throws -> ChangeCursor? {
        switch request.trashed {
        case true where row.trash == nil:
            row.trash = FileRow.Trash(at: stamp.now, lived: stamp.lived)
            return nil
        case false where wasTrashed:
            // A name that is asked for is that name or a refusal; one that is only kept gives way.
            if request.name != nil, let parentId = row.parentId {
                try FileTable(db, drive: stamp.driveId).requireFree(row.name, in: parentId, for: row.id)
            }
            return try Untrashing.bringBack(&row, in: db, stamp: stamp)
        default:
            return nil
        }
    }

    private func requireFreeName(_ row: FileRow, old: FileRow, _ files: FileTable) throws {
        guard row.trash == nil, let parentId = row.parentId else { return }
        if row.name != old.name || row.parentId != old.parentId || old.trash != nil {
            try files.requireFree(row.name, in: parentId, for: row.id)
        }
    }
}
