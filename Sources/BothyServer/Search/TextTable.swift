import BothyContract

/// The tables `texts` and `text_words` of one drive: which contents have a word in their text, and where.
package struct TextTable {
    private let db: any SQLConnection
    private let drive: Int64

    package init(_ db: any SQLConnection, drive: Int64) {
        self.db = db
        self.drive = drive
    }

    // MARK: - Looking up

    /// Rows whose words begin so, as far as it is worth counting.
    package func count(beginningWith term: String, most: Int) throws -> Int {
        let (first, end) = Self.range(of: term)
        return try db.first(
            """
            SELECT COUNT(*) FROM (
                SELECT 1 FROM text_words WHERE drive_id = ? AND word >= ? AND word < ? LIMIT ?
            ) AS some
            """,
            [drive.sql, first.sql, end.sql, most.sql])?.int(0) ?? 0
    }

    /// Nodes that have, or had, a content with such a word, neither hidden nor in the trash by themselves.
    ///
    /// - Parameter most: words that are looked at, and files that are found.
    package func nodes(beginningWith term: String, most: Int) throws -> [FileRow] {
        let (first, end) = Self.range(of: term)
        return try db.query(
            """
            SELECT \(FileRow.columns) FROM nodes
            WHERE drive_id = ? AND node_id IN (
                SELECT node_id FROM revisions WHERE drive_id = ? AND content_id IN (
                    SELECT content_id FROM text_words WHERE drive_id = ? AND word >= ? AND word < ? LIMIT ?
                )
            ) AND trashed = 0 AND purged = 0 AND hidden = 0 LIMIT ?
            """,
            [drive.sql, drive.sql, drive.sql, first.sql, end.sql, most.sql, most.sql]
        ).map(FileRow.init)
    }

    /// Where a content first has a word that begins so, the shortest such word; nil where it has none.
    package func place(of term: String, in contentId: Int64) throws -> Int? {
        let (first, end) = Self.range(of: term)
        return try db.first(
            """
            SELECT place FROM text_words WHERE drive_id = ? AND content_id = ? AND word >= ? AND word < ?
            ORDER BY word LIMIT 1
            """,
            [drive.sql, contentId.sql, first.sql, end.sql])?.int(0)
    }

    /// No word has the last scalar in it.
    private static func range(of term: String) -> (first: String, end: String) {
        let cut = NameWords.cutForText(term)
        return (cut, cut + "\u{10FFFF}")
    }

    // MARK: - Keeping

    /// The content was looked through, whatever came of it.
    package func isKnown(_ contentId: Int64) throws -> Bool {
        try db.first("SELECT 1 FROM texts WHERE drive_id = ? AND content_id = ?", [drive.sql, contentId.sql]) != nil
    }

    /// - Parameter words: each with its place; none for what is no text.
    package func add(_ contentId: Int64, _ words: [String: Int]) throws {
        try db.execute("INSERT INTO texts (drive_id, content_id) VALUES (?, ?)", [drive.sql, contentId.sql])
        for (word, place) in words {
            try db.execute(
                "INSERT INTO text_words (drive_id, content_id, word, place) VALUES (?, ?, ?, ?)",
                [drive.sql, contentId.sql, word.sql, place.sql])
        }
    }

    package func remove(_ contentId: Int64) throws {
        try db.execute("DELETE FROM text_words WHERE drive_id = ? AND content_id = ?", [drive.sql, contentId.sql])
        try db.execute("DELETE FROM texts WHERE drive_id = ? AND content_id = ?", [drive.sql, contentId.sql])
    }

    /// Files of one content that are asked whether it is a text; copies of a file are called alike.
    private static let mostAsked = 100

    /// Whether a file holds the content as a text, in the trash or out of it. What only earlier versions hold is not
    /// searched.
    package func isWanted(_ contentId: Int64) throws -> Bool {
        try db.query(
            """
            SELECT n.mime_type, n.name FROM revisions r
            JOIN nodes n ON n.drive_id = r.drive_id AND n.node_id = r.node_id AND n.head_revision_id = r.revision_id
            WHERE r.drive_id = ? AND r.content_id = ? AND n.purged = 0 LIMIT ?
            """,
            [drive.sql, contentId.sql, Self.mostAsked.sql]
        ).contains { MediaType.isText($0.string(0), named: $0.string(1)) }
    }
}
