import BothyContract

/// `name_key`: what folders are listed by, see ``NameOrder``. Each index of an order ends with `hidden`, so that places
/// are counted without reading a row.
let migration005NameOrder = Migration(
    number: 5,
    name: "name order",
    statements: [
        "ALTER TABLE nodes ADD COLUMN name_key BYTES",
        "DROP INDEX nodes_in_order",
        """
        CREATE INDEX nodes_in_order ON nodes (drive_id, parent_id, kind, name_key, name, hidden)
            WHERE trashed = 0 AND purged = 0
        """,
        "DROP INDEX nodes_by_modified",
        """
        CREATE INDEX nodes_by_modified ON nodes (drive_id, parent_id, kind, modified_s, modified_ns, name, hidden)
            WHERE trashed = 0 AND purged = 0
        """,
        "DROP INDEX nodes_by_size",
        """
        CREATE INDEX nodes_by_size ON nodes (drive_id, parent_id, kind, size, name, hidden)
            WHERE trashed = 0 AND purged = 0
        """,
        """
        CREATE INDEX nodes_hidden ON nodes (drive_id, parent_id, kind) WHERE hidden = 1 AND trashed = 0 AND purged = 0
        """,
    ],
    then: fillNameKeys)

/// Rows that are read at once.
private let portion = 1000

private func fillNameKeys(_ db: any SQLConnection) throws {
    var (drive, node) = (Int64.min, "")
    while true {
        let rows = try db.query(
            """
            SELECT drive_id, node_id, name FROM nodes WHERE (drive_id, node_id) > (?, ?)
            ORDER BY drive_id, node_id LIMIT ?
            """,
            [drive.sql, node.sql, portion.sql])
        for row in rows {
            (drive, node) = (row.int64(0), row.string(1))
            try db.execute(
                "UPDATE nodes SET name_key = ? WHERE drive_id = ? AND node_id = ?",
                [.bytes(NameOrder.key(row.string(2))), drive.sql, node.sql])
        }
        if rows.count < portion { return }
    }
}
