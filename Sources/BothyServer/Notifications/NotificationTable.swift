import BothyContract

/// The tables `notifications` and `notification_reads`. Rows are written in the transaction that makes them, and hold ids alone.
struct NotificationTable {
    /// Of one person; older ones go.
    static let most = 1_000

    /// What one was told of.
    struct Event {
        var kind: FeedNotification.Kind
        var actor: Int64
        /// The post that it is about.
        var post: (id: Int64, author: Int64)?
        var comment: Int64?
        /// Greater than those of what was done before; the table makes it greater than all that its reader has.
        var id: Int64
        var now: Timestamp
        /// In seconds of the server's lived time.
        var lived: Int64
    }

    /// A row, with who did it.
    struct Row {
        var id: Int64
        var kind: FeedNotification.Kind
        var postId: Int64?
        var commentId: Int64?
        var createdAt: Timestamp
        var actor: AuthorPreview
        /// HTML of the comment, or else of the post's beginning, where no warning stands before that.
        var words: String?
        /// The warning before the post, where that has the words.
        var warning: String?
    }

    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    /// - Returns: false where it was told already, and where the reader does not hear of the actor.
    func insert(_ event: Event, for reader: Int64) throws -> Bool {
        guard try hears(reader, of: event.actor) else { return false }
        if try setTakenBack(false, event.kind, by: event.actor, post: event.post?.id, for: reader) { return true }
        let last = try db.first(
            "SELECT notification_id FROM notifications WHERE reader_id = ? ORDER BY notification_id DESC LIMIT 1",
            [reader.sql])?.int64(0)
        // One that is written later is not to hide among those that were read by then.
        let id = max(event.id, try max(last ?? 0, readUpTo(of: reader)) + 1)
        return try db.execute(
            """
            INSERT INTO notifications (reader_id, notification_id, kind, actor_id, author_id, post_id, comment_id,
                created_ms, created_lived)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [
                reader.sql, id.sql, event.kind.rawValue.sql, event.actor.sql, (event.post?.author).sql,
                (event.post?.id).sql, event.comment.sql, event.now.sql, event.lived.sql,
            ]) > 0
    }

    /// What was done is taken back, or is done again. It stays at its place, so that doing both by turns tells it once.
    ///
    /// - Returns: false where that was so already.
    @discardableResult
    func setTakenBack(
        _ isTakenBack: Bool, _ kind: FeedNotification.Kind, by actor: Int64, post: Int64?, for reader: Int64
    ) throws -> Bool {
        try db.execute(
            """
            UPDATE notifications SET taken_back = ?
            WHERE reader_id = ? AND kind = ? AND actor_id = ? AND coalesce(post_id, 0) = ? AND comment_id IS NULL
                AND taken_back <> ?
            """,
            [isTakenBack.sql, reader.sql, kind.rawValue.sql, actor.sql, (post ?? 0).sql, isTakenBack.sql]) > 0
    }

    /// Whether somebody is told what another does: she has not muted her, and neither has blocked the other.
    private func hears(_ reader: Int64, of actor: Int64) throws -> Bool {
        try db.first(
            "SELECT 1 WHERE \(Self.hears(reader: "?", actor: "?"))", [reader.sql, actor.sql, reader.sql, actor.sql])
            != nil
    }

    /// - Returns: SQL of the same, with `reader` and `actor` twice.
    private static func hears(reader: String, actor: String) -> String {
        """
        NOT EXISTS (SELECT 1 FROM mutes hm WHERE hm.person_id = \(reader) AND hm.other_id = \(actor))
            AND NOT EXISTS (SELECT 1 FROM people_blocks hb WHERE hb.person_id = \(reader) AND hb.other_id = \(actor))
        """
    }

    /// The newest ones, of what the reader may still read and of people whose accounts are not disabled, whom she has not muted,
    /// and no block hides from her.
    func newest(for reader: Int64) throws -> [Row] {
        let may = PostAccess(db, reader: reader).condition()
        return try db.query(
            """
            SELECT n.notification_id, n.kind, n.post_id, n.comment_id, n.created_ms,
                coalesce(c.content, CASE WHEN p.content_warning IS NULL THEN p.summary END),
                CASE WHEN c.content IS NULL THEN p.content_warning END, \(AuthorPreview.columns("a"))
            FROM notifications n
            JOIN accounts a ON a.user_id = n.actor_id AND a.disabled = 0
            LEFT JOIN posts p ON p.author_id = n.author_id AND p.post_id = n.post_id
            LEFT JOIN comments c
                ON c.author_id = n.author_id AND c.post_id = n.post_id AND c.comment_id = n.comment_id
            WHERE n.reader_id = ? AND n.taken_back = 0 AND (n.post_id IS NULL OR \(may.sql))
                AND (n.comment_id IS NULL OR c.comment_id IS NOT NULL)
                AND \(Self.hears(reader: "n.reader_id", actor: "n.actor_id"))
            ORDER BY n.notification_id DESC LIMIT ?
            """, [reader.sql] + may.arguments + [Self.most.sql]
        ).compactMap { row in
            // A kind of a later release is shown by that.
            FeedNotification.Kind(rawValue: row.string(1)).map { kind in
                Row(
                    id: row.int64(0), kind: kind, postId: row.optional(2, SQLRow.int64),
                    commentId: row.optional(3, SQLRow.int64), createdAt: row.timestamp(4),
                    actor: AuthorPreview(row, at: 7), words: row.optional(5, SQLRow.string),
                    warning: row.optional(6, SQLRow.string))
            }
        }
    }

    // MARK: - Reading up to

    func readUpTo(of reader: Int64) throws -> Int64 {
        try db.first("SELECT read_up_to FROM notification_reads WHERE reader_id = ?", [reader.sql])?.int64(0) ?? 0
    }

    /// Never less than before, and never more than there is.
    func setRead(upTo id: Int64, of reader: Int64) throws {
        try db.execute(
            """
            INSERT INTO notification_reads (reader_id, read_up_to)
            SELECT ?, coalesce(max(notification_id), 0) FROM notifications WHERE reader_id = ? AND notification_id <= ?
            ON CONFLICT (reader_id) DO UPDATE SET read_up_to = excluded.read_up_to
                WHERE notification_reads.read_up_to < excluded.read_up_to
            """, [reader.sql, reader.sql, id.sql])
    }

    // MARK: - Forgetting

    /// - Returns: how many there were.
    static func prune(livedBefore: Int64, limit: Int, in db: any SQLConnection) throws -> Int {
        try db.execute(
            """
            DELETE FROM notifications WHERE (reader_id, notification_id) IN (
                SELECT reader_id, notification_id FROM notifications WHERE created_lived < ? LIMIT ?)
            """, [livedBefore.sql, limit.sql])
    }

    /// What a person has beyond ``most``.
    ///
    /// - Returns: how many there were.
    static func pruneBeyondMost(in db: any SQLConnection) throws -> Int {
        let full = try db.query(
            "SELECT reader_id FROM notifications GROUP BY reader_id HAVING count(*) > ? LIMIT 50", [most.sql])
        return try full.reduce(0) { count, row in
            try count
                + db.execute(
                    """
                    DELETE FROM notifications WHERE reader_id = ? AND notification_id <= (
                        SELECT notification_id FROM notifications WHERE reader_id = ?
                        ORDER BY notification_id DESC LIMIT 1 OFFSET ?)
                    """, [row.int64(0).sql, row.int64(0).sql, most.sql])
        }
    }
}
