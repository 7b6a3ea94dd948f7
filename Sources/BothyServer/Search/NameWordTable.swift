import BothyContract

/// The table `name_words` of one drive: which nodes have a word in their name. It is written with the names.
package struct NameWordTable {
    private let db: any SQLConnection
    private let drive: Int64

    package init(_ db: any SQLConnection, drive: Int64) {
        self.db = db
        self.drive = drive
    }

    package func add(_ nodeId: String, named name: String) throws {
        for word in NameWords.words(of: name) {
            try db.execute(
                "INSERT INTO name_words (drive_id, word, node_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [drive.sql, word.sql, nodeId.sql])
        }
    }

    package func remove(_ nodeId: String, named name: String) throws {
        for word in NameWords.words(of: name) {
            try db.execute(
                "DELETE FROM name_words WHERE drive_id = ? AND word = ? AND node_id = ?",
                [drive.sql, word.sql, nodeId.sql])
        }
    }

    /// Rows whose words begin so, as far as it is worth counting.
    package func count(beginningWith term: String, most: Int) throws -> Int {
        try db.first(
            """
            SELECT COUNT(*) FROM (
                SELECT 1 FROM name_words WHERE drive_id = ? AND word >= ? AND word < ? LIMIT ?
            ) AS some
            """,
            [drive.sql, term.sql, Self.end(of: term).sql, most.sql])?.int(0) ?? 0
    }

    /// Nodes with a word that begins so, neither hidden nor in the trash by themselves.
    ///
    /// - Parameter most: words that are looked at.
    package func nodes(beginningWith term: String, most: Int) throws -> [FileRow] {
        try db.query(
            """
            SELECT \(FileRow.columns) FROM nodes
            WHERE drive_id = ? AND node_id IN (
                SELECT node_id FROM name_words WHERE drive_id = ? AND word >= ? AND word < ? LIMIT ?
            ) AND trashed = 0 AND purged = 0 AND hidden = 0
            """,
            [drive.sql, drive.sql, term.sql, Self.end(of: term).sql, most.sql]
        ).map(FileRow.init)
    }

    /// Whether every name is in here; those from before there was a search come in little by little.
    package func isIndexed() throws -> Bool {
        try db.first("SELECT 1 FROM names_to_index WHERE drive_id = ? LIMIT 1", [drive.sql]) == nil
    }

    /// Comes after every word that begins so: no word has the last scalar in it.
    private static func end(of term: String) -> String { term + "\u{10FFFF}" }

    /// Adds the words of some nodes from before there was a search, in any drive.
    ///
    /// - Returns: how many nodes there were.
    package static func addOld(in db: any SQLConnection, limit: Int) throws -> Int {
        let rows = try db.query("SELECT drive_id, node_id FROM names_to_index LIMIT ?", [limit.sql])
        for row in rows {
            let (drive, id) = (row.int64(0), row.string(1))
            if let node = try FileTable(db, drive: drive).find(id) {
                try NameWordTable(db, drive: drive).add(id, named: node.name)
            }
            try db.execute(
                "DELETE FROM names_to_index WHERE drive_id = ? AND node_id = ?", [drive.sql, id.sql])
        }
        return rows.count
    }
}
