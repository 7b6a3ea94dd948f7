import BothyContract

/// The table `reports`: what people have reported to the server's operator.
package struct ReportTable {
    package struct Row: Sendable {
        package var postId: Int64
        package var author: String
        package var reporter: String
        package var reason: String
        /// The beginning of the post's text, HTML.
        package var summary: String
        /// What stands before the post; nil where there is nothing.
        package var contentWarning: String?
        package var createdAt: Timestamp
    }

    private let db: any SQLConnection

    package init(_ db: any SQLConnection) { self.db = db }

    /// Of one person and post the last one counts.
    func insert(_ reason: String, by person: Int64, on postId: Int64, of author: Int64, now: Timestamp) throws {
        try db.execute(
            """
            INSERT INTO reports (author_id, post_id, person_id, reason, created_ms) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (author_id, post_id, person_id)
                DO UPDATE SET reason = excluded.reason, created_ms = excluded.created_ms
            """, [author.sql, postId.sql, person.sql, reason.sql, now.sql])
    }

    /// The oldest first.
    package func oldest(limit: Int) throws -> [Row] {
        try db.query(
            """
            SELECT r.post_id, a.handle, p.handle, r.reason, t.summary, r.created_ms, t.content_warning FROM reports r
            JOIN accounts a ON a.user_id = r.author_id JOIN accounts p ON p.user_id = r.person_id
            JOIN posts t ON t.author_id = r.author_id AND t.post_id = r.post_id
            ORDER BY r.created_ms, r.post_id LIMIT ?
            """, [limit.sql]
        ).map { row in
            Row(
                postId: row.int64(0), author: row.string(1), reporter: row.string(2), reason: row.string(3),
                summary: row.string(4), contentWarning: row.optional(6, SQLRow.string), createdAt: row.timestamp(5))
        }
    }

    /// - Returns: how many there were.
    package func dismiss(_ postId: Int64) throws -> Int {
        try db.execute("DELETE FROM reports WHERE post_id = ?", [postId.sql])
    }
}
