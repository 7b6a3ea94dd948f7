/// What brings entries into a feed, each kind ordered by entry.
enum FeedSource: Equatable, Sendable {
    case posts(of: Int64)
    case shares(by: Int64)
    case conversation(Int64)
    /// What somebody who is loud posted and shared, after a number of ``LoudEntryTable``.
    case loud(Int64, after: Int64)

    typealias Head = NewestMerge<FeedSource>.Head

    /// Its entries between two places, both left out, the newest first.
    func entries(after: Int64 = 0, before: Int64 = .max, limit: Int, in db: any SQLConnection) throws -> [FeedEntry] {
        let (rows, key) = selection
        return try db.query(
            "SELECT entry_id, post_id, author_id, shared_by FROM (\(rows)) WHERE entry_id > ? AND entry_id < ? ORDER BY entry_id DESC LIMIT ?",
            key + [after.sql, before.sql, limit.sql]
        ).map { row in
            FeedEntry(
                entryId: row.int64(0), postId: row.int64(1), authorId: row.int64(2),
                sharedBy: row.optional(3, SQLRow.int64))
        }
    }

    private var selection: (rows: String, key: [SQLValue]) {
        switch self {
        case .posts(let author):
            (
                "SELECT post_id AS entry_id, post_id, author_id, NULL AS shared_by FROM posts WHERE author_id = ?",
                [author.sql]
            )
        case .shares(let person):
            (
                """
                SELECT shared AS entry_id, post_id, author_id, person_id AS shared_by FROM post_reactions
                WHERE person_id = ? AND shared > 0
                """, [person.sql]
            )
        case .conversation(let id):
            (
                "SELECT post_id AS entry_id, post_id, author_id, NULL AS shared_by FROM posts WHERE conversation_id = ?",
                [id.sql]
            )
        case .loud(let person, let number):
            (
                """
                SELECT entry_id, post_id, author_id, CASE WHEN entry_id <> post_id THEN bringer_id END AS shared_by
                FROM loud_entries WHERE bringer_id = ? AND number > ?
                """,
                [person.sql, number.sql]
            )
        }
    }

    /// With its newest entry; nil where it has none.
    func head(in db: any SQLConnection) throws -> Head? {
        try entries(limit: 1, in: db).first.map { Head(series: self, newest: $0.entryId) }
    }

    /// What a reader's feed is made of: her own, that of all whom she follows, and her conversations, as far as each has something
    /// between two places, both left out.
    static func all(
        for reader: Int64, after: Int64 = 0, before: Int64 = .max, in db: any SQLConnection
    ) throws -> [Head] {
        let people = try db.query(
            """
            SELECT w.person_id,
                (SELECT max(p.post_id) FROM posts p WHERE p.author_id = w.person_id AND p.post_id < ?),
                (SELECT max(r.shared) FROM post_reactions r
                    WHERE r.person_id = w.person_id AND r.shared > 0 AND r.shared < ?)
            FROM (SELECT author_id AS person_id FROM follows WHERE follower_id = ? UNION ALL SELECT ?) w
            """, [before.sql, before.sql, reader.sql, reader.sql]
        ).flatMap { row in
            [
                head(.posts(of: row.int64(0)), row.optional(1, SQLRow.int64)),
                head(.shares(by: row.int64(0)), row.optional(2, SQLRow.int64)),
            ]
        }
        let conversations = try db.query(
            """
            SELECT m.conversation_id,
                (SELECT max(p.post_id) FROM posts p WHERE p.conversation_id = m.conversation_id AND p.post_id < ?)
            FROM conversation_members m WHERE m.person_id = ?
            """, [before.sql, reader.sql]
        ).map { head(.conversation($0.int64(0)), $0.optional(1, SQLRow.int64)) }
        return (people + conversations).compactMap { $0 }.filter { $0.newest > after }
    }

    private static func head(_ series: FeedSource, _ newest: Int64?) -> Head? {
        newest.map { Head(series: series, newest: $0) }
    }
}
