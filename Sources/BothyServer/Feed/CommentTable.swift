import BothyContract

/// The table `comments`. A comment that is deleted is a row that is gone: replies to it stay, and say so.
struct CommentTable {
    private let db: any SQLConnection
    private let viewer: Int64

    /// - Parameter viewer: whose likes are told, and from whom those are hidden who have blocked her, and whom she has.
    init(_ db: any SQLConnection, seenBy viewer: Int64) {
        self.db = db
        self.viewer = viewer
    }

    private static let isShown = "a.disabled = 0 AND NOT \(PeopleBlockTable.hides("?", "c.person_id"))"

    /// - Parameters:
    ///   - id: made before the transaction, which may run twice.
    ///   - thread: the comment that begins its thread; `id` where it begins one itself.
    func insert(
        _ comment: NewComment, _ id: Int64, thread: Int64, on post: PostTable.Row, by person: Int64,
        requestId: String?, now: Timestamp
    ) throws {
        try db.execute(
            """
            INSERT INTO comments
                (author_id, post_id, thread_id, comment_id, parent_id, person_id, request_id, content, created_ms)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                post.author.id.sql, post.postId.sql, thread.sql, id.sql, comment.parent.sql, person.sql,
                requestId.sql, comment.text.html.sql, now.sql,
            ])
        try PostCounts(db).add(1, to: .comments, of: post)
    }

    /// What a request has made; nil where it has made nothing.
    ///
    /// - Throws: `not_found` where that was deleted.
    func made(by requestId: String, of person: Int64) throws -> (postId: Int64, comment: Comment)? {
        let there = try db.first(
            "\(Self.comments) WHERE c.person_id = ? AND c.request_id = ?", [viewer.sql, person.sql, requestId.sql])
        if let there { return (there.int64(10), Self.comment(there)) }
        let gone = try db.first(
            "SELECT 1 FROM feed_tombstones WHERE person_id = ? AND request_id = ? AND comment_id IS NOT NULL",
            [person.sql, requestId.sql])
        guard gone == nil else { throw Problem(.notFound, "This comment was posted, and has been deleted since.") }
        return nil
    }

    /// - Throws: `not_found` where the post has no such comment.
    ///
    /// - Parameter withHidden: also one that a block hides, or whose writer's account is disabled: others still see it.
    func require(_ id: Int64, on post: PostTable.Row, withHidden: Bool = false) throws -> Comment {
        let shown = withHidden ? "" : " AND \(Self.isShown)"
        let row = try db.first(
            "\(Self.comments) WHERE c.author_id = ? AND c.post_id = ? AND c.comment_id = ?\(shown)",
            [viewer.sql, post.author.id.sql, post.postId.sql, id.sql] + (withHidden ? [] : [viewer.sql]))
        guard let row else { throw Problem(.notFound, "There is no such comment. It may have been deleted.") }
        return Self.comment(row)
    }

    /// Its request still makes no other.
    func delete(_ id: Int64, on post: PostTable.Row) throws {
        let key = [post.author.id.sql, post.postId.sql, id.sql]
        try db.execute(
            """
            INSERT INTO feed_tombstones (person_id, request_id, comment_id)
            SELECT person_id, request_id, comment_id FROM comments
            WHERE author_id = ? AND post_id = ? AND comment_id = ? AND request_id IS NOT NULL
            ON CONFLICT (person_id, request_id) DO NOTHING
            """, key)
        try db.execute("DELETE FROM comments WHERE author_id = ? AND post_id = ? AND comment_id = ?", key)
        try PostCounts(db).add(-1, to: .comments, of: post)
    }

    func setLiked(_ isLiked: Bool, _ id: Int64, on post: PostTable.Row, by person: Int64) throws {
        let key = [post.author.id.sql, post.postId.sql, id.sql]
        let statement =
            isLiked
            ? """
            INSERT INTO comment_likes (author_id, post_id, comment_id, person_id) VALUES (?, ?, ?, ?)
            ON CONFLICT (author_id, post_id, comment_id, person_id) DO NOTHING
            """ : "DELETE FROM comment_likes WHERE author_id = ? AND post_id = ? AND comment_id = ? AND person_id = ?"
        guard try db.execute(statement, key + [person.sql]) > 0 else { return }
        try db.execute(
            """
            UPDATE comments SET like_count = like_count + ? WHERE author_id = ? AND post_id = ? AND comment_id = ?
            """, [(isLiked ? 1 : -1).sql] + key)
    }

    /// Comments of one person since then, and the first of them.
    func written(by person: Int64, since: Timestamp) throws -> (count: Int, first: Timestamp?) {
        let row = try db.first(
            """
            SELECT count(*), min(created_ms) FROM comments
            WHERE person_id = ? AND comment_id >= ? AND created_ms >= ?
            """, [person.sql, SnowflakeIds.least(of: since).sql, since.sql])
        return row.map { ($0.int(0), $0.optional(1, SQLRow.timestamp)) } ?? (0, nil)
    }

    /// Comments of people whose accounts are not disabled, thread by thread, the oldest first.
    func page(on post: PostTable.Row, after place: CommentListing.Position?, limit: Int) throws -> [Comment] {
        try db.query(
            """
            \(Self.comments) WHERE c.author_id = ? AND c.post_id = ? AND (c.thread_id, c.comment_id) > (?, ?)
                AND \(Self.isShown)
            ORDER BY c.thread_id, c.comment_id LIMIT ?
            """,
            [
                viewer.sql, post.author.id.sql, post.postId.sql, (place?.threadId ?? -1).sql,
                (place?.commentId ?? -1).sql,
                viewer.sql, limit.sql,
            ]
        ).map(Self.comment)
    }

    /// Its first argument is the viewer.
    private static let comments = """
        SELECT c.comment_id, c.thread_id, c.parent_id, c.content, c.created_ms, \(AuthorPreview.columns("a")),
            CASE WHEN c.parent_id IS NULL OR EXISTS (
                SELECT 1 FROM comments p JOIN accounts b ON b.user_id = p.person_id AND b.disabled = 0
                WHERE p.author_id = c.author_id AND p.post_id = c.post_id AND p.comment_id = c.parent_id
            ) THEN 0 ELSE 1 END, c.post_id,
            EXISTS (
                SELECT 1 FROM left_comments l
                WHERE l.author_id = c.author_id AND l.post_id = c.post_id AND l.comment_id = c.parent_id
            ), c.like_count, EXISTS (
                SELECT 1 FROM comment_likes l WHERE l.author_id = c.author_id AND l.post_id = c.post_id
                    AND l.comment_id = c.comment_id AND l.person_id = ?)
        FROM comments c JOIN accounts a ON a.user_id = c.person_id
        """

    private static func comment(_ row: SQLRow) -> Comment {
        var comment = Comment(
            commentId: row.int64(0), threadId: row.int64(1), parentCommentId: row.optional(2, SQLRow.int64),
            parentDeleted: row.bool(9) ? true : nil, content: row.string(3),
            author: AuthorPreview(row, at: 5), createdAt: row.timestamp(4),
            likeCount: row.int(12), liked: row.bool(13))
        comment.parentLeft = row.bool(11) ? true : nil
        return comment
    }
}
