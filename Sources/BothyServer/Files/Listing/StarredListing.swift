import BothyContract

/// A page of what has a star, wherever it lies: folders first, then by name. What lies in the trash, or in a folder that does,
/// is not listed.
package struct StarredListing: Sendable {
    package var limit: Int
    package var after: Position?

    package init(limit: Int, after: Position? = nil) {
        self.limit = limit
        self.after = after
    }

    /// The last entry of a page. Two that have a star may have one name, so their ids put them in order.
    package struct Position: Codable, Equatable, Sendable {
        package var isFolder: Bool
        package var name: String
        package var starredId: String
    }

    package struct Page: Sendable {
        package var rows: [FileRow]
        /// Nil on the last page.
        package var next: Position?
    }

    /// A page may have fewer than `limit` entries where some lie in folders that are in the trash.
    package func page(in db: any SQLConnection, drive: Int64) throws -> Page {
        var rows = [FileRow]()
        if after?.isFolder != false { rows = try rowsOf(FileRow.folderKind, after: after, limit + 1, db, drive) }
        if rows.count <= limit {
            let place = after.flatMap { $0.isFolder ? nil : $0 }
            rows += try rowsOf(FileRow.fileKind, after: place, limit + 1 - rows.count, db, drive)
        }
        let hasMore = rows.count > limit
        if hasMore { rows.removeLast() }
        let next = rows.last.map { Position(isFolder: $0.isFolder, name: $0.name, starredId: $0.id) }
        var ancestry = Ancestry(db, drive: drive)
        let live = try rows.filter { try ancestry.standing(of: $0.id) == .live }
        return Page(rows: live, next: hasMore ? next : nil)
    }

    private func rowsOf(
        _ kind: Int64, after: Position?, _ limit: Int, _ db: any SQLConnection, _ drive: Int64
    ) throws -> [FileRow] {
        var sql = """
            SELECT \(FileRow.columns) FROM nodes
            WHERE drive_id = ? AND kind = ? AND starred = 1 AND trashed = 0 AND purged = 0
            """
        var arguments = [drive.sql, kind.sql]
        if let after {
            sql += " AND (name_key, name, node_id) > (?, ?, ?)"
            arguments += [.bytes(NameOrder.key(after.name)), after.name.sql, after.starredId.sql]
        }
        sql += " ORDER BY name_key, name, node_id LIMIT ?"
        return try db.query(sql, arguments + [limit.sql]).map(FileRow.init)
    }
}
