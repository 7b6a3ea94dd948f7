import BothyContract

/// Where a file or folder was, and what it was there.
package struct NodePlace: Equatable, Sendable {
    /// The sequence of the change that created it.
    package var serial: Int64
    package var isFolder: Bool
    /// Nil for the root alone.
    package var parentId: String?
    package var name: String
    /// In the trash by itself.
    package var trashed: Bool
    package var executable: Bool
}

/// The table `node_history`: places that nodes have left, each with the change that ended it.
///
/// With the rows of `nodes`, and the creating change that each has as its serial, it tells every node's place after
/// every change since the drive's `history_from`. A node that stays where it is costs nothing.
package struct NodeHistory {
    private let db: any SQLConnection
    private let drive: Int64

    package init(_ db: any SQLConnection, drive: Int64) {
        self.db = db
        self.drive = drive
    }

    /// Keeps the place that a node has, which a change is about to end for good.
    package func keepPlace(of id: String, until sequence: Int64) throws {
        try db.execute("\(Self.copy) WHERE drive_id = ? AND node_id = ?", [sequence.sql, drive.sql, id.sql])
    }

    /// Keeps the place that a node has, where `row`, which is about to be written over it, has another.
    package func keepPlace(before row: FileRow, until sequence: Int64) throws {
        try db.execute(
            """
            \(Self.copy)
            WHERE drive_id = ? AND node_id = ? AND (parent_id <> ? OR name <> ? OR trashed <> ? OR executable <> ?)
            """,
            [
                sequence.sql, drive.sql, row.id.sql, row.parentId.sql, row.name.sql, (row.trash != nil).sql,
                row.executable.sql,
            ])
    }

    private static let copy = """
        INSERT INTO node_history
            (drive_id, node_id, until_sequence, serial, kind, parent_id, name, trashed, executable)
        SELECT drive_id, node_id, ?, serial, kind, parent_id, name, trashed, executable FROM nodes
        """

    /// The place that a node had after a change, where it has left it since; nil where it is there still, or never was.
    package func formerPlace(of id: String, after sequence: Int64) throws -> NodePlace? {
        try db.first(
            """
            SELECT serial, kind, parent_id, name, trashed, executable FROM node_history
            WHERE drive_id = ? AND node_id = ? AND until_sequence > ? ORDER BY until_sequence LIMIT 1
            """,
            [drive.sql, id.sql, sequence.sql]
        ).map(NodePlace.init)
    }

    /// The place that a node has; nil where it is not there, or cut off for good.
    package func place(of id: String) throws -> NodePlace? {
        try db.first(
            """
            SELECT serial, kind, parent_id, name, trashed, executable FROM nodes
            WHERE drive_id = ? AND node_id = ? AND purged = 0
            """,
            [drive.sql, id.sql]
        ).map(NodePlace.init)
    }

    /// The sequence from which on the drive can be told as it was.
    package func beginning() throws -> Int64 {
        try db.first("SELECT history_from FROM drives WHERE drive_id = ?", [drive.sql])?.int64(0) ?? 0
    }

    /// Forgets places that were left before the drive's history begins, at most `limit` of them.
    package func prune(limit: Int) throws {
        _ = try db.executeEach(
            "DELETE FROM node_history WHERE drive_id = ? AND node_id = ? AND until_sequence = ?",
            of: """
                SELECT drive_id, node_id, until_sequence FROM node_history
                WHERE drive_id = ? AND until_sequence <= ? LIMIT ?
                """,
            [drive.sql, try beginning().sql, limit.sql])
    }
}

extension NodePlace {
    fileprivate init(_ row: SQLRow) {
        serial = row.int64(0)
        isFolder = row.int64(1) == FileRow.folderKind
        parentId = row.optional(2, SQLRow.string)
        name = row.string(3)
        trashed = row.bool(4)
        executable = row.bool(5)
    }
}
