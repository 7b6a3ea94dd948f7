import BothyContract

extension FileTable {
    /// The node, wherever it lies but in the grave.
    ///
    /// - Throws: `not_found`, also for another drive's id: no one learns what another has.
    package func require(_ id: String) throws -> (row: FileRow, trashed: Bool) {
        var ancestry = Ancestry(db, drive: drive)
        return try require(id, &ancestry)
    }

    package func require(_ id: String, _ ancestry: inout Ancestry) throws -> (row: FileRow, trashed: Bool) {
        guard let row = try find(id) else { throw Self.notFound }
        ancestry.know(row)
        switch try ancestry.standing(of: id) {
        case .live: return (row, false)
        case .trashed: return (row, true)
        case .gone: throw Self.notFound
        }
    }

    /// Checks that something may be put into the folder.
    ///
    /// - Throws: `parent_gone` when it is not there or in the trash, `not_a_folder`, `invalid_parameter` when it lies
    ///   deeper than files may.
    package func requireParent(_ id: String) throws {
        var ancestry = Ancestry(db, drive: drive)
        try requireParent(id, &ancestry)
    }

    func requireParent(_ id: String, _ ancestry: inout Ancestry) throws {
        guard try ancestry.standing(of: id) == .live, let link = try ancestry.link(id) else {
            throw Problem(.parentGone, "The target folder does not exist, or is in the trash.")
        }
        guard link.isFolder else { throw Problem(.notAFolder, "The target is a file, not a folder.") }
        guard try ancestry.path(from: id).count <= FileLimits.maximumDepth else {
            throw Problem(
                .invalidParameter,
                "Folders can be at most \(FileLimits.maximumDepth) levels deep, and this would be deeper.")
        }
    }

    /// Whether anything lies in a folder more than so many levels below it; what is in the trash does not count.
    func isDeeper(_ id: String, than levels: Int) throws -> Bool {
        try db.first(
            """
            WITH RECURSIVE inside(node_id, level) AS (
                SELECT ?, 0
                UNION ALL
                SELECT nodes.node_id, level + 1 FROM inside JOIN nodes
                    ON nodes.drive_id = ? AND nodes.parent_id = inside.node_id AND nodes.kind = ?
                        AND nodes.trashed = 0 AND nodes.purged = 0
                WHERE level < ?
            )
            SELECT 1 FROM inside JOIN nodes ON nodes.drive_id = ? AND nodes.parent_id = inside.node_id
                AND nodes.trashed = 0 AND nodes.purged = 0
            WHERE level = ? LIMIT 1
            """,
            [id.sql, drive.sql, FileRow.folderKind.sql, levels.sql, drive.sql, levels.sql]) != nil
    }

    /// - Throws: `name_conflict` when a live sibling other than `id` has the name.
    package func requireFree(_ name: String, in parentId: String, for id: String? = nil) throws {
        guard let other = try child(named: name, of: parentId), other.id != id else { return }
        throw Problem(.nameConflict, "There is already something called “\(name)” in this folder.").with {
            $0.conflictingFileId = other.id
        }
    }

    static var notFound: Problem { Problem(.notFound, "There is no such file or folder.") }
}

extension FileName {
    /// The name as it is kept.
    ///
    /// - Throws: `invalid_name`.
    static func checked(_ name: String) throws -> String {
        do {
            return try normalized(name)
        } catch {
            throw Problem(.invalidName, "This name \(error.reason).")
        }
    }
}
