import BothyContract

/// The table `scheduled_posts`: one person's posts that wait for their time.
struct ScheduledPostTable {
    struct Row: Sendable {
        var id: Int64
        var requestId: String?
        var publishAt: Timestamp
        var held: String?
        var content: String
        /// See ``ContentWarning``.
        var warning: String?
        /// Nil for a kind of a later release.
        var audience: StoredAudience?
        var attachments: [AttachmentTable.Row]
    }

    private let db: any SQLConnection
    private let author: Int64

    init(_ db: any SQLConnection, of author: Int64) {
        self.db = db
        self.author = author
    }

    /// - Throws: `too_many_requests` where too many wait; `invalid_parameter` for an attachment that is none of the author's own.
    func insert(
        _ post: NewPost, to audience: StoredAudience, at time: Timestamp, as id: Int64, _ attachmentIds: [Int64],
        requestId: String?
    ) throws {
        let waiting = try db.first("SELECT count(*) FROM scheduled_posts WHERE author_id = ?", [author.sql])
        guard (waiting?.int(0) ?? 0) < FeedLimits.maximumScheduled else {
            throw Problem(
                .tooManyRequests,
                "\(FeedLimits.maximumScheduled) posts are scheduled, which is the maximum. Post or delete one of them."
            ).with { $0.retryAfter = 3600 }
        }
        try db.execute(
            """
            INSERT INTO scheduled_posts
                (author_id, scheduled_id, request_id, publish_ms, content, audience, conversation_id, content_warning)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                author.sql, id.sql, requestId.sql, time.sql, post.text.html.sql, audience.kind.rawValue.sql,
                audience.conversationId.sql, post.contentWarning.sql,
            ])
        try AttachmentTable(db, of: author).attach(post.attachments, as: attachmentIds, to: .scheduled(id))
    }

    /// What a request has made; nil where it has made nothing that still waits.
    func made(by requestId: String) throws -> (id: Int64, content: String)? {
        try db.first(
            "SELECT scheduled_id, content FROM scheduled_posts WHERE author_id = ? AND request_id = ?",
            [author.sql, requestId.sql]
        ).map { ($0.int64(0), $0.string(1)) }
    }

    private static let columns =
        "scheduled_id, request_id, publish_ms, held, content, audience, conversation_id, content_warning"

    /// The next one first.
    func all() throws -> [Row] {
        try db.query(
            """
            SELECT \(Self.columns) FROM scheduled_posts WHERE author_id = ? ORDER BY publish_ms, scheduled_id
            """, [author.sql]
        ).map(row)
    }

    /// - Throws: `not_found`.
    func require(_ id: Int64) throws -> Row {
        let found = try db.first(
            "SELECT \(Self.columns) FROM scheduled_posts WHERE author_id = ? AND scheduled_id = ?",
            [author.sql, id.sql])
        guard let found else {
            throw Problem(.notFound, "There is no such scheduled post. It may have been posted, or deleted.")
        }
        return try row(found)
    }

    /// - Returns: nil for one that does not wait any more, waits for a later time, or is held.
    func due(_ id: Int64, at now: Timestamp) throws -> Row? {
        try db.first(
            """
            SELECT \(Self.columns) FROM scheduled_posts
            WHERE author_id = ? AND scheduled_id = ? AND held IS NULL AND publish_ms <= ?
            """, [author.sql, id.sql, now.sql]
        ).map(row)
    }

    private func row(_ row: SQLRow) throws -> Row {
        Row(
            id: row.int64(0), requestId: row.optional(1, SQLRow.string), publishAt: row.timestamp(2),
            held: row.optional(3, SQLRow.string), content: row.string(4),
            warning: row.optional(7, SQLRow.string),
            audience: StoredAudience(kind: row.string(5), conversationId: row.optional(6, SQLRow.int64)),
            attachments: try AttachmentTable(db, of: author).rows(of: .scheduled(row.int64(0))))
    }

    /// It waits for another time, also where it was held.
    func reschedule(_ id: Int64, at time: Timestamp) throws {
        try db.execute(
            "UPDATE scheduled_posts SET publish_ms = ?, held = NULL WHERE author_id = ? AND scheduled_id = ?",
            [time.sql, author.sql, id.sql])
    }

    func hold(_ id: Int64, because reason: String) throws {
        try db.execute(
            "UPDATE scheduled_posts SET held = ? WHERE author_id = ? AND scheduled_id = ?",
            [reason.sql, author.sql, id.sql])
    }

    func delete(_ id: Int64, lived: Int64) throws {
        try AttachmentTable(db, of: author).letGo(of: .scheduled(id), lived: lived)
        try db.execute("DELETE FROM scheduled_posts WHERE author_id = ? AND scheduled_id = ?", [author.sql, id.sql])
    }

    /// Makes a post of it, and tells those whom it concerns as of every new post.
    ///
    /// - Throws: `invalid_parameter` where nothing of it is left.
    func publish(
        _ row: Row, as ids: PostIds, now: Timestamp, lived: Int64, _ reach: FeedReach, telling: Telling
    ) throws {
        let text = PostText(html: row.content)
        guard let audience = row.audience, !text.isEmpty || !row.attachments.isEmpty else {
            throw Problem(.invalidParameter, "What was attached to it has been deleted, and it has no text.")
        }
        try PostTable(db).insert(
            text,
            row.attachments.map {
                NewPost.Attachment(type: $0.medium.type, revisionId: $0.medium.revisionId, caption: $0.caption)
            },
            warning: row.warning, to: audience, ids, by: author, requestId: row.requestId, publishAt: row.publishAt,
            now: now)
        // The post holds by now what it shows.
        try delete(row.id, lived: lived)
        try FanOut(db, reach).post(ids.post, by: author)
        try PostIndex(db).put(ids.post, of: author, text)
        try telling.posted((ids.post, author), text)
    }

    /// What is due, of people whose accounts are not disabled, the oldest first.
    static func due(at now: Timestamp, limit: Int, in db: any SQLConnection) throws -> [(author: Int64, id: Int64)] {
        try db.query(
            """
            SELECT s.author_id, s.scheduled_id FROM scheduled_posts s
            JOIN accounts a ON a.user_id = s.author_id AND a.disabled = 0
            WHERE s.held IS NULL AND s.publish_ms <= ? ORDER BY s.publish_ms LIMIT ?
            """, [now.sql, limit.sql]
        ).map { ($0.int64(0), $0.int64(1)) }
    }
}
