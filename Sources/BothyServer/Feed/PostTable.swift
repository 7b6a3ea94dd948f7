import BothyContract

/// The tables `posts` and `post_attachments`.
struct PostTable {
    struct Row: Sendable {
        var postId: Int64
        var author: AuthorPreview
        var content: String
        var createdAt: Timestamp
    }

    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    /// A post of somebody whose account is not disabled.
    ///
    /// - Throws: `not_found`.
    func require(_ postId: Int64) throws -> Row {
        let row = try db.first(
            """
            SELECT p.post_id, p.author_id, a.display_name, p.content, p.created_ms
            FROM posts p JOIN accounts a ON a.user_id = p.author_id
            WHERE p.post_id = ? AND a.disabled = 0
            """, [postId.sql])
        guard let row else { throw Problem(.notFound, "There is no such post. It may have been deleted.") }
        return Row(
            postId: row.int64(0), author: AuthorPreview(id: row.int64(1), name: row.string(2)), content: row.string(3),
            createdAt: row.timestamp(4))
    }

    /// What a request has made; nil where it has made nothing, or that was deleted.
    func made(by requestId: String, of author: Int64) throws -> (postId: Int64, content: String)? {
        try db.first(
            "SELECT post_id, content FROM posts WHERE author_id = ? AND request_id = ?", [author.sql, requestId.sql]
        ).map { ($0.int64(0), $0.string(1)) }
    }

    /// - Throws: `invalid_parameter` where an attachment is no picture or video of the author's own.
    func insert(_ post: NewPost, _ ids: PostIds, by author: Int64, requestId: String?, now: Timestamp) throws {
        let (summary, isCut) = post.text.summary(length: FeedLimits.summaryLength)
        try db.execute(
            """
            INSERT INTO posts (author_id, post_id, request_id, content, summary, is_cut, created_ms)
                VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                author.sql, ids.post.sql, requestId.sql, post.text.html.sql, summary.html.sql, isCut.sql, now.sql,
            ])
        for (position, attachment) in post.attachments.enumerated() {
            try requireContent(attachment.type, attachment.revisionId, author)
            try db.execute(
                """
                INSERT INTO post_attachments
                    (author_id, post_id, position, attachment_id, type, revision_id, caption)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    author.sql, ids.post.sql, position.sql, ids.attachments[position].sql,
                    attachment.type.rawValue.sql, attachment.revisionId.sql, attachment.caption.sql,
                ])
        }
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

    func delete(_ postId: Int64, of author: Int64) throws {
        try db.execute("DELETE FROM posts WHERE author_id = ? AND post_id = ?", [author.sql, postId.sql])
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
            SELECT \(Self.medium), t.attachment_id, t.caption FROM post_attachments t
            JOIN revisions r ON r.drive_id = t.author_id AND r.revision_id = t.revision_id
            WHERE t.author_id = ? AND t.post_id = ? ORDER BY t.position
            """, [author.sql, postId.sql]
        ).compactMap { row in
            PostMedium(row).map { AttachmentRow(id: row.int64(3), medium: $0, caption: row.optional(4, SQLRow.string)) }
        }
    }

    /// What is attached and still there, in its order.
    func media(of postId: Int64, by author: Int64) throws -> [PostMedium] {
        try db.query(
            """
            SELECT \(Self.medium) FROM post_attachments t
            JOIN revisions r ON r.drive_id = t.author_id AND r.revision_id = t.revision_id
            WHERE t.author_id = ? AND t.post_id = ? ORDER BY t.position
            """, [author.sql, postId.sql]
        ).compactMap(PostMedium.init)
    }

    /// The columns of a ``PostMedium``.
    private static let medium = "t.type, t.revision_id, r.mime_type"

    /// Whether a revision is shown in a post: it is kept for as long as that is there.
    static func show(_ revisionId: String, ofDrive drive: Int64, in db: any SQLConnection) throws -> Bool {
        try db.first(
            "SELECT 1 FROM post_attachments WHERE author_id = ? AND revision_id = ? LIMIT 1",
            [drive.sql, revisionId.sql]) != nil
    }
}

/// A picture or a video of a post: what it is, and of which revision.
package struct PostMedium: Sendable {
    package var type: AttachmentType
    package var revisionId: String
    package var mimeType: String

    /// Nil for a type of a later release.
    fileprivate init?(_ row: SQLRow) {
        guard let type = AttachmentType(rawValue: row.string(0)) else { return nil }
        (self.type, revisionId, mimeType) = (type, row.string(1), row.string(2))
    }
}

/// The ids of a post and of what belongs to it, made before it is written: a transaction may run twice.
struct PostIds: Sendable {
    var post: Int64
    var attachments: [Int64]
}
