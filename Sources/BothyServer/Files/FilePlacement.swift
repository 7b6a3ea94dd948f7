import BothyContract

/// Where content is to go: a new file in a folder, or a new revision of a file that is there.
package struct FilePlacement: Sendable {
    /// The file that gets a new revision; nil for a new file.
    package var fileId: String?
    package var name: String
    /// The root where nil; for a fork of `fileId`, its folder.
    package var parentId: String?
    /// The revision that the content was made from.
    package var baseRevisionId: String?
    package var conflict: ConflictPolicy

    package init(
        fileId: String? = nil, name: String, parentId: String? = nil, baseRevisionId: String? = nil,
        conflict: ConflictPolicy = .fail
    ) {
        self.fileId = fileId
        self.name = name
        self.parentId = parentId
        self.baseRevisionId = baseRevisionId
        self.conflict = conflict
    }

    package enum Target: Sendable {
        case newFile(name: String, parentId: String)
        /// A file in the trash comes back: an edit wins over a deletion.
        case newRevision(of: FileRow)
    }

    /// Decides, as things stand in this transaction. At the start of an upload it says early what finalize would say.
    ///
    /// - Throws: `not_found`, `not_a_file`, `parent_gone`, `not_a_folder`, `invalid_name`, `name_conflict`,
    ///   `revision_conflict`.
    package func target(in db: any SQLConnection, drive: Int64) throws -> Target {
        var ancestry = Ancestry(db, drive: drive)
        return try target(in: db, drive: drive, &ancestry)
    }

    /// `target(in:drive:)`, with what others of the transaction have looked up.
    func target(in db: any SQLConnection, drive: Int64, _ ancestry: inout Ancestry) throws -> Target {
        let files = FileTable(db, drive: drive)
        let name = try FileName.checked(name)
        if let fileId { return try revisionTarget(of: fileId, name: name, files, &ancestry) }
        let parentId = parentId ?? File.rootId
        try files.requireParent(parentId, &ancestry)
        guard let other = try files.child(named: name, of: parentId) else {
            return .newFile(name: name, parentId: parentId)
        }
        switch conflict {
        case .overwrite where !other.isFolder:
            return .newRevision(of: other)
        case .fork:
            return .newFile(name: try files.freeName(like: name, in: parentId), parentId: parentId)
        case .fail, .overwrite:
            throw Problem(.nameConflict, "There is already something called “\(name)” in this folder.").with {
                $0.conflictingFileId = other.id
            }
        }
    }

    private func revisionTarget(
        of fileId: String, name: String, _ files: FileTable, _ ancestry: inout Ancestry
    ) throws -> Target {
        let (row, trashed) = try files.require(fileId, &ancestry)
        guard !row.isFolder else { throw Problem(.notAFile, "This is a folder, and only files have content.") }
        guard let baseRevisionId, baseRevisionId != row.headRevisionId else { return .newRevision(of: row) }
        switch conflict {
        case .overwrite:
            return .newRevision(of: row)
        case .fork:
            let own = trashed ? File.rootId : row.parentId ?? File.rootId
            let parentId = parentId ?? own
            try files.requireParent(parentId, &ancestry)
            return .newFile(name: try files.freeName(like: name, in: parentId), parentId: parentId)
        case .fail:
            let detail = "“\(row.name)” was changed elsewhere meanwhile."
            throw Problem(.revisionConflict, detail).with { $0.currentRevisionId = row.headRevisionId }
        }
    }
}
