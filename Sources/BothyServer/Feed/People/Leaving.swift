/// What somebody who goes leaves behind with others.
struct Leaving {
    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    /// Before an account is deleted: of its comments that somebody has answered it stays known that there was one, so that threads
    /// hold together. What they said, and who, goes.
    func leave(_ id: Int64) throws {
        try db.execute(
            """
            INSERT INTO left_comments (author_id, post_id, comment_id)
            SELECT c.author_id, c.post_id, c.comment_id FROM comments c
            WHERE c.person_id = ? AND c.author_id <> ? AND EXISTS (
                SELECT 1 FROM comments r
                WHERE r.author_id = c.author_id AND r.post_id = c.post_id AND r.parent_id = c.comment_id)
            ON CONFLICT (author_id, post_id, comment_id) DO NOTHING
            """, [id.sql, id.sql])
        try db.execute("DELETE FROM invites WHERE inviter_id = ?", [id.sql])
    }
}
