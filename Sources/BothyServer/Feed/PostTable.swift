import BothyContract

/// The tables `posts` and `post_attachments`.
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

    /// What a post says of its making besides its text.
    struct Edition: Sendable {
        var version: Int
        var editedAt: Timestamp?
        /// For its author alone, as ``publishAt``.
        var requestId: String?
        var publishAt: Timestamp?
        /// Nil where it is not in the trash.
        var deletedAt: Timestamp?

        /// The columns that ``init(_:from:)`` reads, of `posts p`.
        static let columns = "p.version, p.edited_ms, p.request_id, p.publish_ms, p.deleted_ms"

        init(_ row: SQLRow, from column: Int) {
            version = row.int(column)
            editedAt = row.optional(column + 1, SQLRow.timestamp)
            requestId = row.optional(column + 2, SQLRow.string)
            publishAt = row.optional(column + 3, SQLRow.timestamp)
            deletedAt = row.optional(column + 4, SQLRow.timestamp)
        }
    }

    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    /// Whoever asks for somebody asks ``PostAccess``.
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
                postId: row.int64(0), author: AuthorPreview(row, at: 1), content: row.string(4),
                createdAt: row.timestamp(5),
                audience: StoredAudience(kind: row.string(6), conversationId: row.optional(7, SQLRow.int64)),
                edition: Edition(row, from: 8))
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
        _ text: PostText, _ attachments: [NewPost.Attachment], to audience: StoredAudience, _ ids: PostIds,
        by author: Int64, requestId: String?, publishAt: Timestamp? = nil, now: Timestamp
    ) throws {
        let (summary, isCut) = text.summary(length: FeedLimits.summaryLength)
        try db.execute(
            """
            INSERT INTO posts
                (author_id, post_id, request_id, content, summary, is_cut, created_ms, audience, conversation_id,
                publish_ms)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                author.sql, ids.post.sql, requestId.sql, text.html.sql, summary.html.sql, isCut.sql, now.sql,
                audience.kind.rawValue.sql, audience.conversationId.sql, publishAt.sql,
            ])
        try attach(attachments, ids.attachments, to: ids.post, by: author)
    }

    /// - Parameters:
    ///   - new: an id for each.
    ///   - known: what is known of some of their revisions.
    /// - Throws: `invalid_parameter` as above.
    func attach(
        _ attachments: [NewPost.Attachment], _ new: [Int64], to postId: Int64, by author: Int64,
        known: [String: MediaLook] = [:]
    ) throws {
        for (position, attachment) in attachments.enumerated() {
            try requireContent(attachment.type, attachment.revisionId, author)
            try db.execute(
                """
                INSERT INTO post_attachments
                    (author_id, post_id, position, attachment_id, type, revision_id, caption)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    author.sql, postId.sql, position.sql, new[position].sql,
                    attachment.type.rawValue.sql, attachment.revisionId.sql, attachment.caption.sql,
                ])
            if let look = known[attachment.revisionId] { try note(look, of: attachment.revisionId, by: author) }
        }
    }

    /// What is told of a revision before it is there, wherever its author has attached it.
    func note(_ look: MediaLook, of revisionId: String, by author: Int64) throws {
        try db.execute(
            """
            UPDATE post_attachments SET width = ?, height = ?, duration_ms = ?, placeholder = ?, looked = 1
            WHERE author_id = ? AND revision_id = ?
            """,
            [
                look.width.sql, look.height.sql, look.durationMs.sql, look.placeholder.sql, author.sql, revisionId.sql,
            ])
    }

    /// A revision that a post shows.
    struct Attached: Sendable {
        var author: Int64
        var revisionId: String
    }

    /// Those that nobody has looked at and that are still there, by author and revision.
    ///
    /// - Parameter last: after this one; nil from the first on.
    static func notLooked(after last: Attached?, limit: Int, in db: any SQLConnection) throws -> [Attached] {
        try db.query(
            """
            SELECT DISTINCT t.author_id, t.revision_id FROM post_attachments t
            JOIN revisions r ON r.drive_id = t.author_id AND r.revision_id = t.revision_id
            WHERE t.looked = 0 AND (t.author_id, t.revision_id) > (?, ?) ORDER BY t.author_id, t.revision_id LIMIT ?
            """, [(last?.author ?? 0).sql, (last?.revisionId ?? "").sql, limit.sql]
        ).map { Attached(author: $0.int64(0), revisionId: $0.string(1)) }
    }

    /// - Throws: `invalid_parameter` where a revision is no picture or video, as is said, of the author's own.
    func requireContent(_ type: AttachmentType, _ revisionId: String, _ author: Int64) throws {
        guard let revision = try RevisionTable(db, drive: author).find(revisionId) else {
            throw NewPost.unknownContent
        }
        guard AttachmentType(mimeType: revision.mimeType) == type else {
            throw Problem(.invalidParameter, "An attachment is a picture or a video; this is “\(revision.mimeType)”.")
        }
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

    /// Deletes it for good. Its request still makes no other.
    func delete(_ postId: Int64, of author: Int64) throws {
        let key = [author.sql, postId.sql]
        try db.execute(
            """
            INSERT INTO feed_tombstones (person_id, request_id, post_id)
            SELECT author_id, request_id, post_id FROM posts
            WHERE author_id = ? AND post_id = ? AND request_id IS NOT NULL
            ON CONFLICT (person_id, request_id) DO NOTHING
            """, key)
        try db.execute("DELETE FROM posts WHERE author_id = ? AND post_id = ?", key)
    }

    /// Deletes for good what has been in the trash since before `lived`, at most `limit` of them.
    ///
    /// - Returns: how many.
    static func emptyTrash(livedBefore lived: Int64, limit: Int, in db: any SQLConnection) throws -> Int {
        let rows = try db.query(
            "SELECT post_id, author_id FROM posts WHERE deleted_lived < ? ORDER BY deleted_lived LIMIT ?",
            [lived.sql, limit.sql])
        for row in rows { try PostTable(db).delete(row.int64(0), of: row.int64(1)) }
        return rows.count
    }

    /// Posts of one person since then, and the first of them.
    func posted(by author: Int64, since: Timestamp) throws -> (count: Int, first: Timestamp?) {
        let row = try db.first(
            """
            SELECT count(*), min(created_ms) FROM posts WHERE author_id = ? AND post_id >= ? AND created_ms >= ?
            """, [author.sql, SnowflakeIds.least(of: since).sql, since.sql])
        return row.map { ($0.int(0), $0.optional(1, SQLRow.timestamp)) } ?? (0, nil)
    }

    struct AttachmentRow: Sendable {
        var id: Int64
        var medium: PostMedium
        var caption: String?
    }

    /// Those whose content is still there, in their order.
    func attachments(of postId: Int64, by author: Int64) throws -> [AttachmentRow] {
        try db.query(
            """
            SELECT \(Self.medium()), t.attachment_id, t.caption FROM post_attachments t
            JOIN revisions r ON r.drive_id = t.author_id AND r.revision_id = t.revision_id
            WHERE t.author_id = ? AND t.post_id = ? ORDER BY t.position
            """, [author.sql, postId.sql]
        ).compactMap { row in
            PostMedium(row).map { AttachmentRow(id: row.int64(7), medium: $0, caption: row.optional(8, SQLRow.string)) }
        }
    }

    /// The same of one that waits for its time.
    func attachments(ofScheduled id: Int64, by author: Int64) throws -> [AttachmentRow] {
        try db.query(
            """
            SELECT \(Self.medium(isPosted: false)), t.attachment_id, t.caption FROM scheduled_attachments t
            JOIN revisions r ON r.drive_id = t.author_id AND r.revision_id = t.revision_id
            WHERE t.author_id = ? AND t.scheduled_id = ? ORDER BY t.position
            """, [author.sql, id.sql]
        ).compactMap { row in
            PostMedium(row).map { AttachmentRow(id: row.int64(7), medium: $0, caption: row.optional(8, SQLRow.string)) }
        }
    }

    /// What is attached and still there, in its order.
    func media(of postId: Int64, by author: Int64) throws -> [PostMedium] {
        try db.query(
            """
            SELECT \(Self.medium()) FROM post_attachments t
            JOIN revisions r ON r.drive_id = t.author_id AND r.revision_id = t.revision_id
            WHERE t.author_id = ? AND t.post_id = ? ORDER BY t.position
            """, [author.sql, postId.sql]
        ).compactMap(PostMedium.init)
    }

    /// The columns of a ``PostMedium``.
    ///
    /// - Parameter isPosted: whether of `post_attachments`.
    private static func medium(isPosted: Bool = true) -> String {
        "t.type, t.revision_id, r.mime_type, \(MediaLook.columns(of: isPosted ? "t" : nil))"
    }

    /// Whether a post that the reader may read shows the revision.
    static func show(
        _ revisionId: String, ofDrive drive: Int64, in post: Int64, to reader: Int64, _ db: any SQLConnection
    ) throws -> Bool {
        let may = PostAccess(db, reader: reader).condition()
        return try db.first(
            """
            SELECT 1 FROM posts p JOIN post_attachments t ON t.author_id = p.author_id AND t.post_id = p.post_id
            WHERE p.author_id = ? AND p.post_id = ? AND t.revision_id = ? AND \(may.sql) LIMIT 1
            """, [drive.sql, post.sql, revisionId.sql] + may.arguments) != nil
    }

    /// Whether a revision is shown in a post, or in one that waits for its time: it is kept for as long as that is there.
    static func show(_ revisionId: String, ofDrive drive: Int64, in db: any SQLConnection) throws -> Bool {
        try ["post_attachments", "scheduled_attachments"].contains { table in
            try db.first(
                "SELECT 1 FROM \(table) WHERE author_id = ? AND revision_id = ? LIMIT 1",
                [drive.sql, revisionId.sql]) != nil
        }
    }
}

/// A picture or a video of a post: what it is, and of which revision.
package struct PostMedium: Sendable {
    package var type: AttachmentType
    package var revisionId: String
    package var mimeType: String
    /// What is known of it by now.
    package var look: MediaLook

    /// Nil for a type of a later release.
    fileprivate init?(_ row: SQLRow) {
        guard let type = AttachmentType(rawValue: row.string(0)) else { return nil }
        (self.type, revisionId, mimeType) = (type, row.string(1), row.string(2))
        look = MediaLook(row, from: 3)
    }
}

/// The ids of a post and of what belongs to it, made before it is written: a transaction may run twice.
struct PostIds: Sendable {
    var post: Int64
    var attachments: [Int64]
    /// Of a conversation that has to be made.
    var conversation: Int64
}
