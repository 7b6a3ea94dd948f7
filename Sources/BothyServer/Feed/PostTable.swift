import BothyContract

/// The table `posts`.
struct PostTable {
    struct Row: Sendable {
        var postId: Int64
        var author: AuthorPreview
        var content: String
        var createdAt: Timestamp
        /// Nil for a kind of a later release.
        var audience: StoredAudience?
        var edition: Edition
    }

    /// What a post has besides its text.
    struct Edition: Sendable {
        var version: Int
        var editedAt: Timestamp?
        /// For its author alone, as ``publishAt``.
        var requestId: String?
        var publishAt: Timestamp?
        /// Nil where it is not in the trash.
        var deletedAt: Timestamp?
        /// See ``ContentWarning``.
        var contentWarning: String?

        /// The columns that ``init(_:from:)`` reads, of `posts p`.
        static let columns = "p.version, p.edited_ms, p.request_id, p.publish_ms, p.deleted_ms, p.content_warning"

        init(_ row: SQLRow, from column: Int) {
            version = row.int(column)
            editedAt = row.optional(column + 1, SQLRow.timestamp)
            requestId = row.optional(column + 2, SQLRow.string)
            publishAt = row.optional(column + 3, SQLRow.timestamp)
            deletedAt = row.optional(column + 4, SQLRow.timestamp)
            contentWarning = row.optional(column + 5, SQLRow.string)
        }
    }

    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    /// A caller that asks on behalf of a person asks ``PostAccess`` instead.
    ///
    /// - Parameter condition: of `posts p`.
    func first(_ condition: String, _ arguments: [SQLValue]) throws -> Row? {
        try db.first(
            """
            SELECT p.post_id, \(AuthorPreview.columns("a")), p.content, p.created_ms, p.audience, p.conversation_id,
                \(Edition.columns)
            FROM posts p JOIN accounts a ON a.user_id = p.author_id WHERE \(condition)
            """, arguments
        ).map { row in
            Row(
                postId: row.int64(0), author: AuthorPreview(row, at: 1), content: row.string(5),
                createdAt: row.timestamp(6),
                audience: StoredAudience(kind: row.string(7), conversationId: row.optional(8, SQLRow.int64)),
                edition: Edition(row, from: 9))
        }
    }

    /// What a request has made; nil where it has made nothing.
    ///
    /// - Returns: the content is nil for what is deleted for good.
    func made(by requestId: String, of author: Int64) throws -> (postId: Int64, content: String?)? {
        let there = try db.first(
            "SELECT post_id, content FROM posts WHERE author_id = ? AND request_id = ?", [author.sql, requestId.sql])
        if let there { return (there.int64(0), there.string(1)) }
        return try db.first(
            "SELECT post_id FROM feed_tombstones WHERE person_id = ? AND request_id = ? AND post_id IS NOT NULL",
            [author.sql, requestId.sql]
        ).map { ($0.int64(0), nil) }
    }

    /// - Parameters:
    ///   - requestId: the request that made it.
    ///   - publishAt: for when it was scheduled.
    /// - Throws: `invalid_parameter` where an attachment is no picture or video of the author's own.
    func insert(
        _ text: PostText, _ attachments: [NewPost.Attachment], warning: String?, to audience: StoredAudience,
        _ ids: PostIds, by author: Int64, requestId: String?, publishAt: Timestamp? = nil, now: Timestamp
    ) throws {
        let (summary, isCut) = text.summary(length: FeedLimits.summaryLength)
        try db.execute(
            """
            INSERT INTO posts
                (author_id, post_id, request_id, content, summary, is_cut, created_ms, audience, conversation_id,
                publish_ms, content_warning)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                author.sql, ids.post.sql, requestId.sql, text.html.sql, summary.html.sql, isCut.sql, now.sql,
                audience.kind.rawValue.sql, audience.conversationId.sql, publishAt.sql,
                warning.sql,
            ])
        try AttachmentTable(db, of: author).attach(attachments, as: ids.attachments, to: .post(ids.post))
    }

    /// A post of a person's own, also where it is in the trash.
    ///
    /// - Throws: `not_found`.
    func require(_ postId: Int64, of author: Int64) throws -> Row {
        guard let row = try first("p.author_id = ? AND p.post_id = ?", [author.sql, postId.sql]) else {
            throw PostAccess.noSuchPost
        }
        return row
    }

    /// - Parameter now: nil takes it out of the trash.
    func setDeleted(_ postId: Int64, of author: Int64, at now: Timestamp?, lived: Int64?) throws {
        try db.execute(
            "UPDATE posts SET deleted_ms = ?, deleted_lived = ? WHERE author_id = ? AND post_id = ?",
            [now.sql, lived.sql, author.sql, postId.sql])
    }

    /// Deletes it for good, and lets go of what it shows. Its request still makes no other.
    ///
    /// - Returns: how many blocks that was made of, as far as they were freed at once.
    @discardableResult
    func delete(_ postId: Int64, of author: Int64, lived: Int64) throws -> Int {
        let key = [author.sql, postId.sql]
        let blocks = try AttachmentTable(db, of: author).letGo(of: .post(postId), lived: lived)
        try db.execute(
            """
            INSERT INTO feed_tombstones (person_id, request_id, post_id)
            SELECT author_id, request_id, post_id FROM posts
            WHERE author_id = ? AND post_id = ? AND request_id IS NOT NULL
            ON CONFLICT (person_id, request_id) DO NOTHING
            """, key)
        try db.execute("DELETE FROM posts WHERE author_id = ? AND post_id = ?", key)
        return blocks
    }

    /// Deletes for good what has been in the trash since before `before`, at most `limit` of them.
    ///
    /// - Parameters:
    ///   - lived: seconds, now.
    ///   - mostBlocks: after which no other goes.
    /// - Returns: how many.
    static func emptyTrash(
        livedBefore before: Int64, lived: Int64, limit: Int, mostBlocks: Int = RevisionTable.mostBlocks,
        in db: any SQLConnection
    ) throws -> Int {
        let rows = try db.query(
            "SELECT post_id, author_id FROM posts WHERE deleted_lived < ? ORDER BY deleted_lived LIMIT ?",
            [before.sql, limit.sql])
        var (gone, blocks) = (0, 0)
        for row in rows where blocks < mostBlocks {
            blocks += try PostTable(db).delete(row.int64(0), of: row.int64(1), lived: lived)
            gone += 1
        }
        return gone
    }

    /// Posts of one person since then, and the first of them.
    func posted(by author: Int64, since: Timestamp) throws -> (count: Int, first: Timestamp?) {
        let row = try db.first(
            """
            SELECT count(*), min(created_ms) FROM posts WHERE author_id = ? AND post_id >= ? AND created_ms >= ?
            """, [author.sql, SnowflakeIds.least(of: since).sql, since.sql])
        return row.map { ($0.int(0), $0.optional(1, SQLRow.timestamp)) } ?? (0, nil)
    }
}

/// The ids of a post and of what belongs to it, made before it is written: a transaction may run twice.
struct PostIds: Sendable {
    var post: Int64
    var attachments: [Int64]
    /// Of a conversation that has to be made.
    var conversation: Int64
}
