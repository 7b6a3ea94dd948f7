import BothyContract

/// A folder as a screen shows it: by places, for a scrollbar, and one change at a time.
extension FolderListing {
    /// Neighbours by their places among what is not hidden.
    package struct Window: Sendable {
        package var rows: [FileRow]
        package var total: Int
    }

    /// Most rows of a window.
    package static let mostInWindow = 1000

    /// - Parameter range: places from 0, at most ``mostInWindow`` of them.
    /// - Throws: `not_found`, `not_a_folder`.
    package func window(_ range: Range<Int>, in db: any SQLConnection, drive: Int64) throws -> Window {
        precondition(range.lowerBound >= 0 && range.count <= Self.mostInWindow, "a window has bounds")
        let files = FileTable(db, drive: drive)
        let parent = try files.require(parentId).row
        guard parent.isFolder else { throw Problem(.notAFolder, "This is a file, not a folder.") }
        let counts = try FolderCounts(db, drive: drive).count(of: parentId)
        var rows = [FileRow]()
        let folders = range.clamped(to: 0..<counts.folders)
        if !folders.isEmpty {
            rows = try rowsOf(
                FileRow.folderKind, after: nil, folders.count, skipping: folders.lowerBound, showing: true, files)
        }
        let first = max(0, range.lowerBound - counts.folders)
        let left = min(range.upperBound - counts.folders, counts.files) - first
        if left > 0 {
            rows += try rowsOf(FileRow.fileKind, after: nil, left, skipping: first, showing: true, files)
        }
        return Window(rows: rows, total: counts.all)
    }

    /// All that live in the folder and are not hidden.
    ///
    /// - Throws: `not_found`, `not_a_folder`.
    package func ids(in db: any SQLConnection, drive: Int64) throws -> [String] {
        guard try FileTable(db, drive: drive).require(parentId).row.isFolder else {
            throw Problem(.notAFolder, "This is a file, not a folder.")
        }
        return try db.query(
            """
            SELECT node_id FROM nodes
            WHERE drive_id = ? AND parent_id = ? AND trashed = 0 AND purged = 0 AND hidden = 0
            """,
            [drive.sql, parentId.sql]
        ).map { $0.string(0) }
    }

    /// How many live in the folder and are not hidden.
    package func total(in db: any SQLConnection, drive: Int64) throws -> Int {
        try FolderCounts(db, drive: drive).count(of: parentId).all
    }

    /// What comes right after a row of the folder and is not hidden.
    package func follower(of row: FileRow, in db: any SQLConnection, drive: Int64) throws -> FileRow? {
        let files = FileTable(db, drive: drive)
        let kind = row.isFolder ? FileRow.folderKind : FileRow.fileKind
        if let next = try rowsOf(kind, after: position(row), 1, showing: true, files).first { return next }
        return row.isFolder ? try rowsOf(FileRow.fileKind, after: nil, 1, showing: true, files).first : nil
    }
}
