import BothyContract

/// A page of the trash, what was put there last first. What lies in a trashed folder goes with it, and is not listed.
package struct TrashListing: Sendable {
    package var limit: Int
    package var after: Position?

    package init(limit: Int, after: Position? = nil) {
        self.limit = limit
        self.after = after
    }

    package struct Position: Codable, Equatable, Sendable {
        /// Milliseconds since 1970.
        package var trashedAt: Int64
        package var trashedId: String

        package init(trashedAt: Int64, trashedId: String) {
            self.trashedAt = trashedAt
            self.trashedId = trashedId
        }
    }

    package struct Page: Sendable {
        package var rows: [FileRow]
        package var next: Position?
    }

    /// A page may have fewer than `limit` entries where some of them were just deleted for good with their folder.
    package func page(in db: any SQLConnection, drive: Int64) throws -> Page {
        var rows = try db.query(
            """
            SELECT \(FileRow.columns) FROM nodes
            WHERE drive_id = ? AND trashed = 1 AND purged = 0 AND (trashed_ms, node_id) < (?, ?)
            ORDER BY trashed_ms DESC, node_id DESC LIMIT ?
            """,
            [drive.sql, (after?.trashedAt ?? .max).sql, (after?.trashedId ?? "").sql, (limit + 1).sql]
        ).map(FileRow.init)
        let hasMore = rows.count > limit
        if hasMore { rows.removeLast() }
        let next = rows.last.flatMap { row in
            row.trash.map { Position(trashedAt: $0.at.milliseconds, trashedId: row.id) }
        }
        var ancestry = Ancestry(db, drive: drive)
        let kept = try rows.filter { try ancestry.standing(of: $0.id) != .gone }
        return Page(rows: kept, next: hasMore ? next : nil)
    }

    /// How many there are in all; an index answers.
    package static func total(in db: any SQLConnection, drive: Int64) throws -> Int {
        try db.first(
            "SELECT COUNT(*) FROM nodes WHERE drive_id = ? AND trashed = 1 AND purged = 0", [drive.sql])?.int(0) ?? 0
    }
}
