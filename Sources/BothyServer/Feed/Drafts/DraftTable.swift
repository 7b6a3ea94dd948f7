import BothyContract

/// The tables `drafts` and `draft_attachments` of one person.
struct DraftTable {
    struct Row: Sendable {
        var id: Int64
        var version: Int64
        var base: Int64
        var editor: String?
        /// JSON of a ``SavedDraftBody``.
        var body: String
        var copiedFrom: Int64?
        var updatedAt: Timestamp

        func saved() throws -> SavedDraftBody { try WireCoding.decode(SavedDraftBody.self, fromText: body) }

        var known: DraftSaving.Known { DraftSaving.Known(version: version, base: base, editor: editor) }
    }

    private let db: any SQLConnection
    private let author: Int64

    init(_ db: any SQLConnection, of author: Int64) {
        self.db = db
        self.author = author
    }

    func find(_ id: Int64) throws -> Row? {
        try db.first(
            """
            SELECT draft_id, version, base_version, editor_id, body, copied_from, updated_ms
            FROM drafts WHERE author_id = ? AND draft_id = ?
            """, [author.sql, id.sql]
        ).map { row in
            Row(
                id: row.int64(0), version: row.int64(1), base: row.int64(2), editor: row.optional(3, SQLRow.string),
                body: row.string(4), copiedFrom: row.optional(5, SQLRow.int64), updatedAt: row.timestamp(6))
        }
    }

    /// - Throws: `not_found`.
    func require(_ id: Int64) throws -> Row {
        guard let row = try find(id) else {
            throw Problem(.notFound, "There is no such draft. It may have been posted or deleted.")
        }
        return row
    }

    /// The one that was changed last first, without whom each is to and what stands before it.
    func all() throws -> [DraftPreview] {
        try db.query(
            """
            SELECT draft_id, version, summary, is_cut, attachment_count, publish_ms, updated_ms, copied_from
            FROM drafts WHERE author_id = ? ORDER BY updated_ms DESC, draft_id DESC
            """, [author.sql]
        ).map { row in
            DraftPreview(
                draftId: row.int64(0), version: row.int64(1), contentSummary: row.string(2), isCut: row.bool(3),
                attachmentCount: row.int(4), publishAt: row.optional(5, SQLRow.timestamp),
                updatedAt: row.timestamp(6), copiedFrom: row.optional(7, SQLRow.int64))
        }
    }

    func count() throws -> Int {
        try db.first("SELECT count(*) FROM drafts WHERE author_id = ?", [author.sql])?.int(0) ?? 0
    }

    /// The copy that was made of a draft already, by a request that comes once more.
    func copy(of id: Int64, saying body: String) throws -> Int64? {
        try db.first(
            "SELECT draft_id FROM drafts WHERE author_id = ? AND copied_from = ? AND body = ?",
            [author.sql, id.sql, body.sql])?.int64(0)
    }

    /// - Throws: `too_many_drafts` where there are as many as there may be; `invalid_parameter` where what is attached is not there.
    func insert(
        _ draft: NewDraft, _ id: Int64, version: Int64, copiedFrom: Int64? = nil, now: Timestamp
    ) throws {
        let most = FeedLimits.maximumDrafts
        guard try count() < most else {
            throw Problem(.tooManyDrafts, "There are already \(most) drafts. Post or delete some.").with {
                $0.limit = Int64(most)
            }
        }
        try db.execute(
            """
            INSERT INTO drafts (author_id, draft_id, version, base_version, editor_id, body, summary, is_cut,
                attachment_count, publish_ms, copied_from, updated_ms)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [author.sql, id.sql, version.sql] + (try columns(of: draft)) + [copiedFrom.sql, now.sql])
        try attach(draft, to: id)
    }

    /// - Throws: `invalid_parameter` where what is attached is not there.
    func update(_ draft: NewDraft, _ id: Int64, version: Int64, now: Timestamp) throws {
        try db.execute(
            """
            UPDATE drafts SET version = ?, base_version = ?, editor_id = ?, body = ?, summary = ?, is_cut = ?,
                attachment_count = ?, publish_ms = ?, updated_ms = ?
            WHERE author_id = ? AND draft_id = ?
            """, [version.sql] + (try columns(of: draft)) + [now.sql, author.sql, id.sql])
        try db.execute(
            "DELETE FROM draft_attachments WHERE author_id = ? AND draft_id = ?", [author.sql, id.sql])
        try attach(draft, to: id)
    }

    private func columns(of draft: NewDraft) throws -> [SQLValue] {
        let (summary, isCut) = draft.text.summary(length: FeedLimits.draftSummaryLength)
        return [
            draft.base.sql, draft.editor.sql, try Self.text(of: draft.body).sql, summary.html.sql, isCut.sql,
            draft.revisions.count.sql, draft.body.publishAt.sql,
        ]
    }

    /// The same draft is the same text.
    static func text(of body: SavedDraftBody) throws -> String {
        String(decoding: try WireCoding.encodeStably(body), as: UTF8.self)
    }

    private func attach(_ draft: NewDraft, to id: Int64) throws {
        for (position, attachment) in draft.body.attachments.enumerated() {
            _ = try AttachmentTable(db, of: author).require(attachment.type, draft.revisions[position])
            try db.execute(
                "INSERT INTO draft_attachments (author_id, draft_id, position, revision_id) VALUES (?, ?, ?, ?)",
                [author.sql, id.sql, position.sql, draft.revisions[position].sql])
        }
    }

    /// - Returns: false where there is none.
    func delete(_ id: Int64) throws -> Bool {
        try db.execute("DELETE FROM drafts WHERE author_id = ? AND draft_id = ?", [author.sql, id.sql]) > 0
    }

    /// Gives a draft another id: its own is that of a post now.
    func move(_ id: Int64, to other: Int64) throws {
        let values = [other.sql, id.sql, author.sql, id.sql]
        try db.execute(
            """
            INSERT INTO drafts (author_id, draft_id, version, base_version, editor_id, body, summary, is_cut,
                attachment_count, publish_ms, copied_from, updated_ms)
            SELECT author_id, ?, version, base_version, editor_id, body, summary, is_cut,
                attachment_count, publish_ms, ?, updated_ms FROM drafts WHERE author_id = ? AND draft_id = ?
            """, values)
        try db.execute(
            """
            INSERT INTO draft_attachments (author_id, draft_id, position, revision_id)
            SELECT author_id, ?, position, revision_id FROM draft_attachments WHERE author_id = ? AND draft_id = ?
            """, [other.sql, author.sql, id.sql])
        _ = try delete(id)
    }

    /// Where the content of a draft's attachments lies, by its revision; without those whose content is gone.
    ///
    /// What only a post holds any more has no file: its revision's id stands for the file's.
    func content(of id: Int64) throws -> [String: (fileId: String, name: String, mimeType: String)] {
        let rows = try db.query(
            """
            SELECT DISTINCT t.revision_id, r.node_id FROM draft_attachments t
            LEFT JOIN revisions r ON r.drive_id = t.author_id AND r.revision_id = t.revision_id
            WHERE t.author_id = ? AND t.draft_id = ?
            """, [author.sql, id.sql])
        let attachments = AttachmentTable(db, of: author)
        let found = try rows.compactMap { row in
            let revision = row.string(0)
            return try attachments.content(revision).map { content in
                (revision, (row.optional(1, SQLRow.string) ?? revision, content.name, content.mimeType))
            }
        }
        return Dictionary(uniqueKeysWithValues: found)
    }

    /// Whether a revision is shown in a draft: it is kept for as long as that is there.
    static func show(_ revisionId: String, ofDrive drive: Int64, in db: any SQLConnection) throws -> Bool {
        try db.first(
            "SELECT 1 FROM draft_attachments WHERE author_id = ? AND revision_id = ? LIMIT 1",
            [drive.sql, revisionId.sql]) != nil
    }
}
