import BothyContract

/// The table `attachments` of one author: what her posts show, those that wait for their time, and her profile. Each row holds one of its content's
/// references, so that a post stays whole whatever becomes of the file.
struct AttachmentTable {
    struct Row: Sendable {
        var id: Int64
        var medium: PostMedium
        var caption: String?
    }

    private let db: any SQLConnection
    private let author: Int64

    init(_ db: any SQLConnection, of author: Int64) {
        self.db = db
        self.author = author
    }

    // MARK: - What there is

    /// In their order.
    func rows(of owner: AttachmentOwner) throws -> [Row] {
        try db.query(
            """
            SELECT t.type, c.revision_id, c.mime_type, \(MediaLook.columns(of: owner.hasLooks ? "t" : nil)),
                t.attachment_id, t.caption
            FROM \(owner.table) t
            JOIN attachments c ON c.author_id = t.author_id AND c.attachment_id = t.attachment_id
            WHERE t.author_id = ? AND t.\(owner.key) = ? ORDER BY t.position
            """, [author.sql, owner.id.sql]
        ).compactMap { row in
            PostMedium(row).map { Row(id: row.int64(7), medium: $0, caption: row.optional(8, SQLRow.string)) }
        }
    }

    /// What can be attached under a revision's id: a version of a file of the author's own, or what she has attached before, though the
    /// file was deleted since.
    ///
    /// - Returns: nil where there is none.
    func content(_ revisionId: String) throws -> StoredContent? {
        let ofFile = try db.first(
            """
            SELECT r.content_id, n.name, r.mime_type, r.size, r.checksum FROM revisions r
            JOIN nodes n ON n.drive_id = r.drive_id AND n.node_id = r.node_id
            WHERE r.drive_id = ? AND r.revision_id = ?
            """, [author.sql, revisionId.sql])
        return try ofFile.map(content) ?? attached(revisionId)
    }

    /// What is held under an id; nil where there is none.
    func held(_ id: Int64) throws -> StoredContent? {
        try db.first(
            "SELECT \(Self.content) FROM attachments c WHERE c.author_id = ? AND c.attachment_id = ?",
            [author.sql, id.sql]
        ).map(content)
    }

    /// What is attached under a revision's id.
    func attached(_ revisionId: String) throws -> StoredContent? {
        try db.first(
            "SELECT \(Self.content) FROM attachments c WHERE c.author_id = ? AND c.revision_id = ? LIMIT 1",
            [author.sql, revisionId.sql]
        ).map(content)
    }

    /// What a post shows under a revision's id.
    ///
    /// - Parameter reader: the caller; nil where that was checked.
    /// - Returns: nil where it shows no such thing, or the reader may not read it.
    func shown(_ revisionId: String, in post: Int64, to reader: Int64?) throws -> StoredContent? {
        let may = reader.map { PostAccess(db, reader: $0).condition() }
        return try db.first(
            """
            SELECT \(Self.content) FROM posts p
            JOIN post_attachments t ON t.author_id = p.author_id AND t.post_id = p.post_id
            JOIN attachments c ON c.author_id = t.author_id AND c.attachment_id = t.attachment_id
            WHERE p.author_id = ? AND p.post_id = ? AND c.revision_id = ?\(may.map { " AND \($0.sql)" } ?? "") LIMIT 1
            """, [author.sql, post.sql, revisionId.sql] + (may?.arguments ?? [])
        ).map(content)
    }

    /// What is attached that no version of any file has any more, each content once, by their ids.
    ///
    /// - Parameter last: after this content; the least number from the first on.
    func ofDeletedFiles(after last: Int64, limit: Int) throws -> [StoredContent] {
        try db.query(
            """
            SELECT c.content_id, min(c.name), min(c.mime_type), c.size, c.checksum FROM attachments c
            WHERE c.author_id = ? AND c.content_id > ? AND NOT EXISTS (
                SELECT 1 FROM revisions r WHERE r.drive_id = c.author_id AND r.content_id = c.content_id)
            GROUP BY c.content_id, c.size, c.checksum ORDER BY c.content_id LIMIT ?
            """, [author.sql, last.sql, limit.sql]
        ).map(content)
    }

    private static let content = "c.content_id, c.name, c.mime_type, c.size, c.checksum"

    private func content(_ row: SQLRow) -> StoredContent {
        StoredContent(
            driveId: author, contentId: row.int64(0), name: row.string(1), mimeType: row.string(2), size: row.int64(3),
            checksum: row.hash(4))
    }

    /// - Throws: `invalid_parameter` where a revision is no picture or video, as is said, of the author's own.
    func require(_ type: AttachmentType, _ revisionId: String) throws -> StoredContent {
        guard let content = try content(revisionId) else { throw NewPost.unknownContent }
        guard AttachmentType(mimeType: content.mimeType) == type else {
            throw Problem(.invalidParameter, "An attachment is a picture or a video; this is “\(content.mimeType)”.")
        }
        return content
    }

    // MARK: - Holding and letting go

    /// - Parameter ids: one for each.
    /// - Throws: `invalid_parameter` where one is no picture or video of the author's own.
    func attach(_ attachments: [NewPost.Attachment], as ids: [Int64], to owner: AttachmentOwner) throws {
        for (position, attachment) in attachments.enumerated() {
            let content = try require(attachment.type, attachment.revisionId)
            try hold(content, of: attachment.revisionId, as: ids[position])
            try db.execute(
                """
                INSERT INTO \(owner.table) (author_id, \(owner.key), position, attachment_id, type, revision_id, caption)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    author.sql, owner.id.sql, position.sql, ids[position].sql, attachment.type.rawValue.sql,
                    attachment.revisionId.sql, attachment.caption.sql,
                ])
        }
    }

    /// Holds a picture or a video for what is no post.
    ///
    /// - Throws: as ``attach(_:as:to:)``.
    func hold(_ type: AttachmentType, _ revisionId: String, as id: Int64) throws {
        try hold(try require(type, revisionId), of: revisionId, as: id)
    }

    private func hold(_ content: StoredContent, of revisionId: String, as id: Int64) throws {
        try db.execute(
            """
            INSERT INTO attachments
                (author_id, attachment_id, content_id, revision_id, name, mime_type, size, checksum)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                author.sql, id.sql, content.contentId.sql, revisionId.sql, content.name.sql, content.mimeType.sql,
                content.size.sql, content.checksum.sql,
            ])
        try ContentTable(db, drive: author).retain(content.contentId)
    }

    /// Attaches others in the place of what is there. What stays is held all the time.
    ///
    /// - Throws: as ``attach(_:as:to:)``.
    func replace(
        with attachments: [NewPost.Attachment], as ids: [Int64], of owner: AttachmentOwner, lived: Int64
    ) throws {
        let known = try rows(of: owner).map(\.medium).filter { $0.look != MediaLook() }
        let old = try takeOff(owner)
        try attach(attachments, as: ids, to: owner)
        for medium in known { try note(medium.look, of: medium.revisionId) }
        try letGo(old, lived: lived)
    }

    /// Lets go of all that it has, before it is deleted itself.
    ///
    /// - Returns: as ``letGo(_:mostBlocks:lived:)``.
    @discardableResult
    func letGo(of owner: AttachmentOwner, mostBlocks: Int = RevisionTable.mostBlocks, lived: Int64) throws -> Int {
        try letGo(try takeOff(owner), mostBlocks: mostBlocks, lived: lived)
    }

    /// - Returns: the ids of what it had, which is still held.
    private func takeOff(_ owner: AttachmentOwner) throws -> [Int64] {
        try db.query(
            "DELETE FROM \(owner.table) WHERE author_id = ? AND \(owner.key) = ? RETURNING attachment_id",
            [author.sql, owner.id.sql]
        ).map { $0.int64(0) }
    }

    /// Nothing holds them any more. The room of what is made of very many blocks is given back a moment later.
    ///
    /// - Parameter mostBlocks: after which no other content is taken away at once.
    /// - Returns: of how many blocks those were that were.
    @discardableResult
    func letGo(_ ids: [Int64], mostBlocks: Int = RevisionTable.mostBlocks, lived: Int64) throws -> Int {
        let contents = ContentTable(db, drive: author)
        var blocks = 0
        for id in ids {
            let held = try db.query(
                "DELETE FROM attachments WHERE author_id = ? AND attachment_id = ? RETURNING content_id",
                [author.sql, id.sql])
            // What was lost before posts held what they show has none.
            guard let content = held.first?.int64(0) else { continue }
            if blocks < mostBlocks {
                blocks += try contents.release(content, lived: lived)
            } else {
                try contents.giveUp(content)
            }
        }
        return blocks
    }

    // MARK: - Looks

    /// What is told of a revision before it is there, wherever its author has attached it.
    func note(_ look: MediaLook, of revisionId: String) throws {
        try db.execute(
            """
            UPDATE post_attachments SET width = ?, height = ?, duration_ms = ?, placeholder = ?, looked = 1
            WHERE author_id = ? AND revision_id = ?
            """,
            [
                look.width.sql, look.height.sql, look.durationMs.sql, look.placeholder.sql, author.sql, revisionId.sql,
            ])
    }

    /// Whether a post shows a revision and does not say how it looks.
    func wantsLook(_ revisionId: String) throws -> Bool {
        try db.first(
            "SELECT 1 FROM post_attachments WHERE author_id = ? AND revision_id = ? AND looked = 0 LIMIT 1",
            [author.sql, revisionId.sql]) != nil
    }

    /// What another post says of a revision; nil where nobody has looked at it, or nothing was found out.
    func look(of revisionId: String) throws -> MediaLook? {
        try db.query(
            """
            SELECT DISTINCT \(MediaLook.columns(of: "t")) FROM post_attachments t
            WHERE t.author_id = ? AND t.revision_id = ? AND t.looked = 1
            """, [author.sql, revisionId.sql]
        ).map { MediaLook($0, from: 0) }.first { $0 != MediaLook() }
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
            JOIN attachments c ON c.author_id = t.author_id AND c.attachment_id = t.attachment_id
            WHERE t.looked = 0 AND (t.author_id, t.revision_id) > (?, ?) ORDER BY t.author_id, t.revision_id LIMIT ?
            """, [(last?.author ?? 0).sql, (last?.revisionId ?? "").sql, limit.sql]
        ).map { Attached(author: $0.int64(0), revisionId: $0.string(1)) }
    }
}
