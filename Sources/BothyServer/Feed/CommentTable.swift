import BothyContract

/// The table `comments`. A comment that is deleted is a row that is gone: replies to it stay, and say so.
struct CommentTable {
    private let db: any SQLConnection
    private let viewer: Int64

    /// - Parameter viewer: from whom those are hidden who have blocked her, and whom she has; 0 for everybody's comments.
    init(_ db: any SQLConnection, seenBy viewer: Int64 = 0) {
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
    }

    /// What a request has made; nil where it has made nothing, or that was deleted.
    func made(by requestId: String, of person: Int64) throws -> (postId: Int64, comment: Comment)? {
        try db.first("\(Self.comments) WHERE c.person_id = ? AND c.request_id = ?", [person.sql, requestId.sql])
            .map { ($0.int64(9), Self.comment($0)) }
    }

    /// - Throws: `not_found` where the post has no such comment.
    func require(_ id: Int64, on post: PostTable.Row) throws -> Comment {
        let row = try db.first(
            "\(Self.comments) WHERE c.author_id = ? AND c.post_id = ? AND c.comment_id = ? AND \(Self.isShown)",
            [post.author.id.sql, post.postId.sql, id.sql, viewer.sql])
        guard let row else { throw Problem(.notFound, "There is no such comment. It may have been deleted.") }
        return Self.comment(row)
    }

    func delete(_ id: Int64, on post: PostTable.Row) throws {
        try db.execute(
            "DELETE FROM comments WHERE author_id = ? AND post_id = ? AND comment_id = ?",
            [post.author.id.sql, post.postId.sql, id.sql])
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
                post.author.id.sql, post.postId.sql, (place?.threadId ?? -1).sql, (place?.commentId ?? -1).sql,
                viewer.sql, limit.sql,
            ]
        ).map(Self.comment)
    }

    /// Comments of people whose accounts are not disabled.
    func count(on postId: Int64, by author: Int64) throws -> Int {
        try db.first(
            """
            SELECT count(*) FROM comments c JOIN accounts a ON a.user_id = c.person_id
            WHERE c.author_id = ? AND c.post_id = ? AND \(Self.isShown)
            """, [author.sql, postId.sql, viewer.sql])?.int(0) ?? 0
    }

    private static let comments = """
        SELECT c.comment_id, c.thread_id, c.parent_id, c.content, c.created_ms, \(AuthorPreview.columns("a")),
            CASE WHEN c.parent_id IS NULL OR EXISTS (
                SELECT 1 FROM comments p JOIN accounts b ON b.user_id = p.person_id AND b.disabled = 0
                WHERE p.author_id = c.author_id AND p.post_id = c.post_id AND p.comment_id = c.parent_id
            ) THEN 0 ELSE 1 END, c.post_id,
            EXISTS (
                SELECT 1 FROM left_comments l
                WHERE l.author_id = c.author_id AND l.post_id = c.post_id AND l.comment_id = c.parent_id
            )
        FROM comments c JOIN accounts a ON a.user_id = c.person_id
        """

    private static func comment(_ row: SQLRow) -> Comment {
        var comment = Comment(
            commentId: row.int64(0), threadId: row.int64(1), parentCommentId: row.optional(2, SQLRow.int64),
            parentDeleted: row.bool(8) ? true : nil, content: row.string(3),
            author: AuthorPreview(row, at: 5), createdAt: row.timestamp(4))
        comment.parentLeft = row.bool(10) ? true : nil
        return comment
    }
}
