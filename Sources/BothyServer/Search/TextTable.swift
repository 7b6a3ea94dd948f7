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

    /// Rows that are read at a time: those of a word that is in many texts hold thousands of contents.
    private static let rowsAtOnce = 64
    /// Rows that are looked at: the beginnings of words may be those of all words of every text.
    private static let mostRows = 16_384

    /// Contents with a word that begins so.
    ///
    /// - Parameter most: as many are found at the most.
    /// - Returns: what was found, and whether that is all there is.
    package func contents(beginningWith term: String, most: Int) throws -> (ids: [Int64], isWhole: Bool) {
        let cut = NameWords.cutForText(term)
        // No word has the last scalar in it.
        let end = cut + "\u{10FFFF}"
        var (found, known) = ([Int64](), Set<Int64>())
        var (word, batch): (String, Int64) = (cut, -1)
        for _ in 0..<Self.mostRows / Self.rowsAtOnce {
            let rows = try db.query(
                """
                SELECT word, batch, contents FROM text_words
                WHERE drive_id = ? AND (word, batch) > (?, ?) AND word < ? ORDER BY word, batch LIMIT ?
                """,
                [drive.sql, word.sql, batch.sql, end.sql, Self.rowsAtOnce.sql])
            for row in rows {
                for id in ContentList(bytes: row.bytes(2)).ids where known.insert(id).inserted {
                    found.append(id)
                    if found.count == most { return (found, false) }
                }
            }
            guard rows.count == Self.rowsAtOnce, let last = rows.last else { return (found, true) }
            (word, batch) = (last.string(0), last.int64(1))
        }
        return (found, false)
    }

    /// Nodes that have, or had, one of the contents, neither hidden nor in the trash by themselves.
    ///
    /// - Parameter most: as many are found at the most.
    package func nodes(having contents: [Int64], most: Int) throws -> [FileRow] {
        var (found, known) = ([FileRow](), Set<String>())
        for contentId in contents where found.count < most {
            let rows = try db.query(
                """
                SELECT \(FileRow.columns) FROM nodes
                WHERE drive_id = ? AND node_id IN (
                    SELECT node_id FROM revisions WHERE drive_id = ? AND content_id = ?
                ) AND trashed = 0 AND purged = 0 AND hidden = 0 LIMIT ?
                """,
                [drive.sql, drive.sql, contentId.sql, most.sql]
            ).map(FileRow.init)
            found += rows.filter { known.insert($0.id).inserted }
        }
        return Array(found.prefix(most))
    }

    /// Where a content first has a word that begins so, the shortest such word; nil where it has none.
    package func place(of term: String, in contentId: Int64) throws -> Int? {
        try words(of: contentId)?.list.place(ofBeginning: NameWords.cutForText(term))
    }

    // MARK: - Keeping

    /// The content was looked through, whatever came of it.
    package func isKnown(_ contentId: Int64) throws -> Bool {
        try db.first("SELECT 1 FROM texts WHERE drive_id = ? AND content_id = ?", [drive.sql, contentId.sql]) != nil
    }

    /// Adds contents that are not known, all at once: a word that many of them have is one row.
    ///
    /// - Parameter texts: the words of each with their places; none for what is no text.
    package func add(_ texts: [(contentId: Int64, words: [String: Int])]) throws {
        guard !texts.isEmpty else { return }
        let batch = try nextBatch()
        var having = [String: [Int64]]()
        for text in texts {
            try db.execute(
                "INSERT INTO texts (drive_id, content_id, batch, words) VALUES (?, ?, ?, ?)",
                [drive.sql, text.contentId.sql, batch.sql, .bytes(WordList(text.words).bytes)])
            for word in text.words.keys { having[word, default: []].append(text.contentId) }
        }
        // In the table's order, so that a page of it is written once. A row that is there by a damaged list is nobody's.
        for (word, contents) in having.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            try db.execute(
                """
                INSERT INTO text_words (drive_id, word, batch, contents) VALUES (?, ?, ?, ?)
                ON CONFLICT (drive_id, word, batch) DO UPDATE SET contents = excluded.contents
                """,
                [drive.sql, word.sql, batch.sql, .bytes(ContentList(contents).bytes)])
        }
    }

    /// Greater than that of each content that is known, so that no row has it.
    private func nextBatch() throws -> Int64 {
        let last = try db.first(
            "SELECT batch FROM texts WHERE drive_id = ? ORDER BY batch DESC LIMIT 1", [drive.sql])
        return (last?.int64(0) ?? 0) + 1
    }

    package func remove(_ contentId: Int64) throws {
        guard let (batch, list) = try words(of: contentId) else { return }
        for word in list.words {
            let key = [drive.sql, word.sql, batch.sql]
            guard
                let row = try db.first(
                    "SELECT contents FROM text_words WHERE drive_id = ? AND word = ? AND batch = ?", key)
            else { continue }
            var contents = ContentList(bytes: row.bytes(0))
            contents.remove(contentId)
            if contents.ids.isEmpty {
                try db.execute("DELETE FROM text_words WHERE drive_id = ? AND word = ? AND batch = ?", key)
            } else {
                try db.execute(
                    "UPDATE text_words SET contents = ? WHERE drive_id = ? AND word = ? AND batch = ?",
                    [.bytes(contents.bytes)] + key)
            }
        }
        try db.execute("DELETE FROM texts WHERE drive_id = ? AND content_id = ?", [drive.sql, contentId.sql])
    }

    /// The words of a content that is known, and with which others it was looked through.
    func words(of contentId: Int64) throws -> (batch: Int64, list: WordList)? {
        try db.first(
            "SELECT batch, words FROM texts WHERE drive_id = ? AND content_id = ?", [drive.sql, contentId.sql]
        ).map { ($0.int64(0), WordList(bytes: $0.bytes(1))) }
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
