import BothyContract

/// A page of a folder, in one of its orders, folders first.
///
/// Pages go by key, not by count: live siblings have names of their own, so a key with the name is a place that stays
/// right while the folder changes, and the last page costs what the first does.
package struct FolderListing: Sendable {
    package var parentId: String
    package var order: FileOrder
    package var limit: Int
    package var after: Position?

    package init(parentId: String, order: FileOrder, limit: Int, after: Position? = nil) {
        self.parentId = parentId
        self.order = order
        self.limit = limit
        self.after = after
    }

    /// Where a page ended: its folder and order, and the key of its last entry.
    package struct Position: Codable, Equatable, Sendable {
        package var parentId: String
        package var order: FileOrder
        package var isFolder: Bool
        package var name: String
        package var size: Int64
        package var modifiedAt: Timestamp
    }

    package struct Page: Sendable {
        package var rows: [FileRow]
        package var trashed: Bool
        /// Nil on the last page.
        package var next: Position?
    }

    /// - Throws: `not_found`, `not_a_folder`, `page_invalid` for a place in another list.
    package func page(in db: any SQLConnection, drive: Int64) throws -> Page {
        if let after, after.parentId != parentId || after.order != order { throw PageCursor.invalid }
        let files = FileTable(db, drive: drive)
        let (parent, trashed) = try files.require(parentId)
        guard parent.isFolder else { throw Problem(.notAFolder, "This is a file, not a folder.") }
        var rows = [FileRow]()
        if after?.isFolder != false { rows = try rowsOf(FileRow.folderKind, after: after, limit + 1, files) }
        if rows.count <= limit {
            let place = after.flatMap { $0.isFolder ? nil : $0 }
            rows += try rowsOf(FileRow.fileKind, after: place, limit + 1 - rows.count, files)
        }
        let hasMore = rows.count > limit
        if hasMore { rows.removeLast() }
        return Page(rows: rows, trashed: trashed, next: hasMore ? rows.last.map(position) : nil)
    }

    func position(_ row: FileRow) -> Position {
        Position(
            parentId: parentId, order: order, isFolder: row.isFolder, name: row.name, size: row.size,
            modifiedAt: row.modifiedAt)
    }

    /// - Parameters:
    ///   - skipping: rows that are passed over; only their index is walked.
    ///   - showing: only what is not hidden.
    func rowsOf(
        _ kind: Int64, after: Position?, _ limit: Int, skipping: Int = 0, showing: Bool = false, _ files: FileTable
    ) throws -> [FileRow] {
        let key = order.key
        var sql = """
            SELECT \(FileRow.columns) FROM nodes
            WHERE drive_id = ? AND parent_id = ? AND kind = ? AND trashed = 0 AND purged = 0
            """
        var arguments = [files.drive.sql, parentId.sql, kind.sql]
        if showing { sql += " AND hidden = 0" }
        if let after {
            let marks = key.columns.map { _ in "?" }.joined(separator: ", ")
            sql += " AND (\(key.columns.joined(separator: ", "))) \(key.descending ? "<" : ">") (\(marks))"
            arguments += key.values(after)
        }
        let direction = key.descending ? " DESC" : ""
        sql += " ORDER BY \(key.columns.map { $0 + direction }.joined(separator: ", ")) LIMIT ? OFFSET ?"
        return try files.db.query(sql, arguments + [limit.sql, skipping.sql]).map(FileRow.init)
    }
}

extension FileOrder {
    fileprivate struct Key {
        var columns: [String]
        var descending: Bool
        var values: (FolderListing.Position) -> [SQLValue]
    }

    /// The columns of an index that has the order, the name last so that the order is total.
    fileprivate var key: Key {
        switch self {
        case .name, .nameDescending:
            Key(columns: ["name_key", "name"], descending: self == .nameDescending) {
                [.bytes(NameOrder.key($0.name)), $0.name.sql]
            }
        case .modifiedAt, .modifiedAtDescending:
            Key(columns: ["modified_s", "modified_ns", "name"], descending: self == .modifiedAtDescending) {
                [$0.modifiedAt.seconds.sql, Int64($0.modifiedAt.nanoseconds).sql, $0.name.sql]
            }
        case .size, .sizeDescending:
            Key(columns: ["size", "name"], descending: self == .sizeDescending) { [$0.size.sql, $0.name.sql] }
        }
    }
}
