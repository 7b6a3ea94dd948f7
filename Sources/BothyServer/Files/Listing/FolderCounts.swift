/// The table `folder_counts` of one drive: how many entries each folder shows. It is written with the nodes, in the same
/// transaction.
package struct FolderCounts {
    package struct Count: Equatable, Sendable {
        package var folders = 0
        package var files = 0

        package var all: Int { folders + files }
    }

    /// What decides where a node counts.
    struct Place: Hashable {
        var parentId: String?
        var kind: Int64
        /// Neither hidden nor trashed by itself nor cut off.
        var isShown: Bool
    }

    private let db: any SQLConnection
    private let drive: Int64

    package init(_ db: any SQLConnection, drive: Int64) {
        self.db = db
        self.drive = drive
    }

    package func count(of folderId: String) throws -> Count {
        let rows = try db.query(
            "SELECT kind, entries FROM folder_counts WHERE drive_id = ? AND folder_id = ?",
            [drive.sql, folderId.sql])
        var count = Count()
        for row in rows {
            if row.int64(0) == FileRow.folderKind { count.folders = row.int(1) } else { count.files = row.int(1) }
        }
        return count
    }

    /// A node goes from a place to another; nil where it was not there, or no longer exists.
    func move(from old: Place?, to new: Place?) throws {
        guard old != new else { return }
        try add(-1, at: old)
        try add(1, at: new)
    }

    /// A folder no longer exists.
    func forget(_ folderId: String) throws {
        try db.execute(
            "DELETE FROM folder_counts WHERE drive_id = ? AND folder_id = ?", [drive.sql, folderId.sql])
    }

    /// So many nodes more are at a place.
    func add(_ change: Int, at place: Place?) throws {
        guard let place, place.isShown, let parentId = place.parentId else { return }
        try db.execute(
            """
            INSERT INTO folder_counts (drive_id, folder_id, kind, entries) VALUES (?, ?, ?, ?)
            ON CONFLICT (drive_id, folder_id, kind) DO UPDATE SET entries = folder_counts.entries + excluded.entries
            """,
            [drive.sql, parentId.sql, place.kind.sql, change.sql])
    }
}

extension FileRow {
    /// Where it counts; a row that was read is not cut off.
    var countedPlace: FolderCounts.Place {
        FolderCounts.Place(
            parentId: parentId, kind: isFolder ? Self.folderKind : Self.fileKind, isShown: trash == nil && !hidden)
    }
}
