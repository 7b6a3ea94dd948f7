import BothyContract

/// A folder as a screen shows it: by places, for a scrollbar, and one change at a time.
extension FolderListing {
    /// Neighbours by their places. What is hidden counts among the places, and is left out.
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
        guard parent.isFolder else { throw Problem(.notAFolder, "This is a file, which has nothing in it.") }
        let counts = try counts(files)
        var rows = [FileRow]()
        let folders = range.clamped(to: 0..<counts.folders)
        if !folders.isEmpty {
            rows = try rowsOf(FileRow.folderKind, after: nil, folders.count, skipping: folders.lowerBound, files)
        }
        let first = max(0, range.lowerBound - counts.folders)
        let left = min(range.upperBound - counts.folders, counts.files) - first
        if left > 0 { rows += try rowsOf(FileRow.fileKind, after: nil, left, skipping: first, files) }
        let shown = rows.filter { !$0.hidden }
        let isWhole = range.lowerBound == 0 && range.upperBound >= counts.folders + counts.files
        return Window(rows: shown, total: isWhole ? shown.count : counts.folders + counts.files)
    }

    /// How many live in the folder; an index answers, and no row is read.
    package func total(in db: any SQLConnection, drive: Int64) throws -> Int {
        let counts = try counts(FileTable(db, drive: drive))
        return counts.folders + counts.files
    }

    /// What comes right after a row of the folder and is not hidden.
    package func follower(of row: FileRow, in db: any SQLConnection, drive: Int64) throws -> FileRow? {
        let files = FileTable(db, drive: drive)
        var place = position(row)
        while true {
            var next = try rowsOf(place.isFolder ? FileRow.folderKind : FileRow.fileKind, after: place, 1, files).first
            if next == nil, place.isFolder { next = try rowsOf(FileRow.fileKind, after: nil, 1, files).first }
            guard let next, next.hidden else { return next }
            place = position(next)
        }
    }

    private func counts(_ files: FileTable) throws -> (folders: Int, files: Int) {
        let rows = try files.db.query(
            """
            SELECT kind, COUNT(*) FROM nodes WHERE drive_id = ? AND parent_id = ? AND trashed = 0 AND purged = 0
            GROUP BY kind
            """,
            [files.drive.sql, parentId.sql])
        let byKind = Dictionary(uniqueKeysWithValues: rows.map { ($0.int64(0), Int($0.int64(1))) })
        return (byKind[FileRow.folderKind] ?? 0, byKind[FileRow.fileKind] ?? 0)
    }
}
