import BothyContract

/// The table `nodes`: files and folders of one drive.
package struct FileTable {
    let db: any SQLConnection
    let drive: Int64

    package init(_ db: any SQLConnection, drive: Int64) {
        self.db = db
        self.drive = drive
    }

    /// The row as it is, wherever it lies; nil when it is not there, or cut off for good.
    package func find(_ id: String) throws -> FileRow? {
        try db.first(
            "SELECT \(FileRow.columns) FROM nodes WHERE drive_id = ? AND node_id = ? AND purged = 0",
            [drive.sql, id.sql]
        ).map(FileRow.init)
    }

    /// The live child of a folder that has this (normalised) name.
    package func child(named name: String, of parentId: String) throws -> FileRow? {
        try db.first(
            """
            SELECT \(FileRow.columns) FROM nodes
            WHERE drive_id = ? AND parent_id = ? AND name = ? AND trashed = 0 AND purged = 0
            """,
            [drive.sql, parentId.sql, name.sql]
        ).map(FileRow.init)
    }

    /// What a request created, however long ago.
    package func created(by requestId: String) throws -> FileRow? {
        try db.first(
            """
            SELECT \(FileRow.columns) FROM nodes
            WHERE drive_id = ? AND request_id = ? AND request_id IS NOT NULL AND purged = 0
            ORDER BY serial LIMIT 1
            """,
            [drive.sql, requestId.sql]
        ).map(FileRow.init)
    }

    /// What the same request made when its outcome was still kept; it is known for as long as that lives.
    ///
    /// - Parameter isFolder: what is asked for; nil where nobody knows any more.
    /// - Throws: `idempotency_mismatch` where that is a folder and a file is asked for, or the other way round.
    func made(by requestId: String?, isFolder: Bool?) throws -> FileChange? {
        guard let requestId, let row = try created(by: requestId) else { return nil }
        var ancestry = Ancestry(db, drive: drive)
        let standing = try ancestry.standing(of: row.id)
        guard standing != .gone else { return nil }
        guard isFolder == nil || isFolder == row.isFolder else { throw OutcomeTable.mismatch }
        return FileChange(row: row, trashed: standing == .trashed, cursor: try ChangeLog(db, drive: drive).head())
    }

    /// The name itself where it is free in the folder, else with a counter that is: a search by doubling, so that the
    /// thousandth takes ten more looks and not a thousand.
    package func freeName(like name: String, in parentId: String) throws -> String {
        func isFree(_ counter: Int) throws -> Bool {
            try child(named: FileName.numbered(name, counter), of: parentId) == nil
        }
        if try child(named: name, of: parentId) == nil { return name }
        var taken = 0
        var free = 1
        while try !isFree(free) {
            taken = free
            free *= 2
        }
        while free - taken > 1 {
            let middle = (taken + free) / 2
            if try isFree(middle) { free = middle } else { taken = middle }
        }
        return FileName.numbered(name, free)
    }

    /// - Parameter isRestored: whether it was there before: a restore is not to end half done for their number.
    /// - Throws: `quota_exceeded` where the drive has as many files and folders as it may have.
    package func insert(_ row: FileRow, isRestored: Bool = false) throws {
        if row.parentId != nil { try DriveItems(db, drive: drive).addOne(beyondLimit: isRestored) }
        try write(row)
        try FolderCounts(db, drive: drive).move(from: nil, to: row.countedPlace)
    }

    /// Writes a new row and the words of its name; the counts of its folder and of the drive are the caller's to write.
    func write(_ row: FileRow) throws {
        let placeholders = Array(repeating: "?", count: 24).joined(separator: ", ")
        try db.execute(
            "INSERT INTO nodes (drive_id, \(FileRow.columns), name_key) VALUES (\(placeholders))",
            [
                drive.sql, row.id.sql, row.serial.sql, row.parentId.sql, row.name.sql,
                (row.isFolder ? FileRow.folderKind : FileRow.fileKind).sql, row.mimeType.sql, row.headRevisionId.sql,
                row.size.sql, row.checksum.sql, row.version.sql, row.createdAt.sql, row.updatedAt.sql,
                row.modifiedAt.seconds.sql, Int64(row.modifiedAt.nanoseconds).sql, (row.trash != nil).sql,
                (row.trash?.at).sql, (row.trash?.lived).sql, row.starred.sql, row.hidden.sql, row.executable.sql,
                row.requestId.sql, row.deviceId.sql, .bytes(NameOrder.key(row.name)),
            ])
        if row.parentId != nil { try NameWordTable(db, drive: drive).add(row.id, named: row.name) }
    }

    /// Writes everything of the row that may change; a place that it leaves goes into its history.
    ///
    /// - Parameter sequence: of the change that does it.
    package func update(_ row: FileRow, by sequence: Int64) throws {
        try NodeHistory(db, drive: drive).keepPlace(before: row, until: sequence)
        if let old = try standing(of: row.id) {
            if old.name != row.name { try rename(row, from: old.name) }
            try FolderCounts(db, drive: drive).move(from: old.place, to: row.countedPlace)
        }
        try db.execute(
            """
            UPDATE nodes SET parent_id = ?, name = ?, name_key = ?, mime_type = ?, head_revision_id = ?, size = ?, checksum = ?,
                version = ?, updated_ms = ?, modified_s = ?, modified_ns = ?, trashed = ?, trashed_ms = ?,
                trashed_lived = ?, starred = ?, hidden = ?, executable = ?, device_id = ?
            WHERE drive_id = ? AND node_id = ?
            """,
            row.mutableValues + [drive.sql, row.id.sql])
    }

    private func rename(_ row: FileRow, from name: String) throws {
        let words = NameWordTable(db, drive: drive)
        try words.remove(row.id, named: name)
        try words.add(row.id, named: row.name)
        // A name may say for the first time that the content is a text.
        if let head = row.headRevisionId, MediaType.mayBeText(row.mimeType) {
            try TextQueue(db, drive: drive).add(contentOf: head)
        }
    }

    /// What a node is called, and where it counts, before either changes.
    func standing(of id: String) throws -> (name: String, place: FolderCounts.Place)? {
        try db.first(
            "SELECT name, parent_id, kind, trashed, purged, hidden FROM nodes WHERE drive_id = ? AND node_id = ?",
            [drive.sql, id.sql]
        ).map { row -> (name: String, place: FolderCounts.Place) in
            let isShown = !row.bool(3) && !row.bool(4) && !row.bool(5)
            return (
                row.string(0),
                FolderCounts.Place(
                    parentId: row.optional(1, SQLRow.string), kind: row.int64(2), isShown: isShown)
            )
        }
    }

    /// Cuts a node off for good. Its descendants follow it by their ancestor; `Purge` takes them away by and by.
    package func cutOff(_ id: String) throws {
        try FolderCounts(db, drive: drive).move(from: try standing(of: id)?.place, to: nil)
        try db.execute("UPDATE nodes SET purged = 1 WHERE drive_id = ? AND node_id = ?", [drive.sql, id.sql])
    }
}
