import BothyContract

/// The table `post_versions`: what a post said before it was edited.
struct PostVersionTable {
    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    /// Keeps what a post says now, and lets go of the oldest where there is more than is kept.
    func keep(_ post: PostTable.Row) throws {
        let key = [post.author.id.sql, post.postId.sql]
        try db.execute(
            """
            INSERT INTO post_versions (author_id, post_id, version, content, made_ms, content_warning)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            key + [
                post.edition.version.sql, post.content.sql, (post.edition.editedAt ?? post.createdAt).sql,
                post.edition.contentWarning.sql,
            ])
        try db.execute(
            """
            DELETE FROM post_versions WHERE author_id = ? AND post_id = ? AND version <= (
                SELECT version FROM post_versions WHERE author_id = ? AND post_id = ?
                ORDER BY version DESC LIMIT 1 OFFSET ?)
            """, key + key + [FeedLimits.maximumVersions.sql])
    }

    /// - Parameter text: nil where it stays.
    func edit(_ post: PostTable.Row, text: PostText?, warning: String?, at now: Timestamp) throws {
        let key = [post.author.id.sql, post.postId.sql]
        try db.execute(
            """
            UPDATE posts SET version = version + 1, edited_ms = ?, content_warning = ?
            WHERE author_id = ? AND post_id = ?
            """, [now.sql, warning.sql] + key)
        guard let text else { return }
        let (summary, isCut) = text.summary(length: FeedLimits.summaryLength)
        try db.execute(
            "UPDATE posts SET content = ?, summary = ?, is_cut = ? WHERE author_id = ? AND post_id = ?",
            [text.html.sql, summary.html.sql, isCut.sql] + key)
    }

    /// The newest first.
    func all(of post: PostTable.Row) throws -> [PostVersion] {
        try db.query(
            """
            SELECT version, content, made_ms, content_warning FROM post_versions WHERE author_id = ? AND post_id = ?
            ORDER BY version DESC
            """, [post.author.id.sql, post.postId.sql]
        ).map { row in
            PostVersion(
                version: row.int(0), content: row.string(1), contentWarning: row.optional(3, SQLRow.string),
                createdAt: row.timestamp(2))
        }
    }

    func delete(of post: PostTable.Row) throws {
        try db.execute(
            "DELETE FROM post_versions WHERE author_id = ? AND post_id = ?", [post.author.id.sql, post.postId.sql])
    }
}
