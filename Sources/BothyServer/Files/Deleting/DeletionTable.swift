import BothyContract

/// The table `deletions`: the drive's memory of what was deleted for good, a year long.
package struct DeletionTable {
    /// Where a remembered folder was.
    package struct Memory: Sendable {
        package var rootId: String
        package var path: String
        package var deletedMs: Int64
        package var deletedLived: Int64
        package var deviceId: String?
    }

    /// Where a page ended.
    package struct Position: Codable, Sendable {
        package var at: Int64
        package var id: String
    }

    private let db: any SQLConnection
    private let drive: Int64

    package init(_ db: any SQLConnection, drive: Int64) {
        self.db = db
        self.drive = drive
    }

    package func insert(_ row: FileRow, path: String, rootId: String, stamp: ChangeStamp) throws {
        let memory = Memory(
            rootId: rootId, path: path, deletedMs: stamp.now.milliseconds, deletedLived: stamp.lived,
            deviceId: stamp.deviceId)
        try insert(row, memory, path: path, stamp: stamp)
    }

    /// A descendant of what was deleted: at the same time, by the same device.
    package func insert(_ row: FileRow, below memory: Memory, stamp: ChangeStamp) throws {
        try insert(row, memory, path: memory.path + "/" + row.name, stamp: stamp)
    }

    private func insert(_ row: FileRow, _ memory: Memory, path: String, stamp: ChangeStamp) throws {
        try db.execute(
            """
            INSERT INTO deletions (drive_id, deletion_id, node_id, root_id, path, kind, checksum, deleted_ms,
                deleted_lived, device_id, expanded)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                drive.sql, stamp.newId().sql, row.id.sql, memory.rootId.sql, path.sql,
                (row.isFolder ? FileRow.folderKind : FileRow.fileKind).sql, row.checksum.sql, memory.deletedMs.sql,
                memory.deletedLived.sql, memory.deviceId.sql, (!row.isFolder).sql,
            ])
    }

    package func find(nodeId: String) throws -> Memory? {
        try db.first(
            """
            SELECT root_id, path, deleted_ms, deleted_lived, device_id FROM deletions
            WHERE drive_id = ? AND node_id = ? LIMIT 1
            """,
            [drive.sql, nodeId.sql]
        ).map {
            Memory(
                rootId: $0.string(0), path: $0.string(1), deletedMs: $0.int64(2), deletedLived: $0.int64(3),
                deviceId: $0.optional(4, SQLRow.string))
        }
    }

    /// What lay directly in the folder is remembered.
    package func markExpanded(nodeId: String) throws {
        try db.execute(
            "UPDATE deletions SET expanded = 1 WHERE drive_id = ? AND node_id = ? AND expanded = 0",
            [drive.sql, nodeId.sql])
    }

    /// Oldest first.
    ///
    /// - Returns: at most `limit`, and where the next page begins; nil for none.
    package func page(
        since: Timestamp?, after position: Position?, limit: Int
    ) throws -> (deletions: [Deletion], next: Position?) {
        var rows = try db.query(
            """
            SELECT node_id, path, checksum, kind, deleted_ms, device_id, deletion_id FROM deletions
            WHERE drive_id = ? AND deleted_ms >= ? AND (deleted_ms, deletion_id) > (?, ?)
            ORDER BY deleted_ms, deletion_id LIMIT ?
            """,
            [
                drive.sql, (since?.milliseconds ?? .min).sql, (position?.at ?? .min).sql, (position?.id ?? "").sql,
                (limit + 1).sql,
            ])
        let hasMore = rows.count > limit
        if hasMore { rows.removeLast() }
        let deletions = rows.map {
            Deletion(
                fileId: $0.string(0), path: $0.string(1), checksum: $0.optional(2, SQLRow.hash),
                isFolder: $0.int64(3) == FileRow.folderKind, deletedAt: $0.timestamp(4),
                deviceId: $0.optional(5, SQLRow.string))
        }
        let last = rows.last.map { Position(at: $0.int64(4), id: $0.string(6)) }
        return (deletions, hasMore ? last : nil)
    }

    /// Forgets what was deleted before `lived`, at most `limit` of it, in every drive.
    package static func prune(livedBefore lived: Int64, limit: Int, in db: any SQLConnection) throws -> Int {
        try db.executeEach(
            "DELETE FROM deletions WHERE drive_id = ? AND deletion_id = ?",
            of: """
                SELECT drive_id, deletion_id FROM deletions WHERE deleted_lived < ? ORDER BY deleted_lived LIMIT ?
                """,
            [lived.sql, limit.sql])
    }
}
