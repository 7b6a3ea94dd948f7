import BothyContract

/// The table `feed_entries`: what each person's feed has, written when it is posted or shared, so that reading a feed is
/// reading one range of one index.
///
/// What is brought goes by the audience alone. Whether it is hidden just now (in the trash, by a block, with a disabled account) is for
/// the page to ask: it has to be there once it is not hidden any more.
struct FeedEntryTable {
    /// Of somebody who is followed now, this many posts of before come into the feed.
    static let earlierPosts = 100

    let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    /// Into whose feeds an entry is brought.
    enum Readers {
        /// Those of the one who brings it, and of those whom it names.
        case near
        /// Those of some followers of the one who brings it, except for feeds that nobody reads.
        case followers(FollowTable.Batch)
    }

    /// Brings an entry into feeds, as far as the post is to their readers. Where the post is already, it stays at its place. What
    /// is there by a share alone is there by its author from then on, no matter who shared it.
    ///
    /// - Returns: the readers to whom that is new.
    @discardableResult
    func bring(_ entry: FeedEntry, to readers: Readers) throws -> [Int64] {
        let candidates = Self.candidates(readers, of: entry)
        let addressed = """
            SELECT r.reader_id FROM (\(candidates.sql)) r JOIN posts p ON p.author_id = ? AND p.post_id = ?
            WHERE \(PostAccess.audience(post: "p", reader: "r.reader_id"))
            """
        let arguments = candidates.arguments + [entry.authorId.sql, entry.postId.sql]
        try ArrivalTable(db).next(toAll: addressed, arguments)
        return try db.query(
            """
            INSERT INTO feed_entries (reader_id, entry_id, post_id, author_id, shared_by, arrival)
            SELECT reader_id, ?, ?, ?, ?, last_arrival FROM feed_readers WHERE reader_id IN (\(addressed))
            ON CONFLICT (reader_id, post_id) DO UPDATE SET shared_by = NULL, arrival = excluded.arrival
                WHERE excluded.shared_by IS NULL AND feed_entries.shared_by IS NOT NULL
            RETURNING reader_id
            """, entry.columns + arguments
        ).map { $0.int64(0) }
    }

    private static func candidates(_ readers: Readers, of entry: FeedEntry) -> PostAccess.Condition {
        switch readers {
        case .near:
            PostAccess.Condition(
                sql: """
                    SELECT ? AS reader_id UNION SELECT m.person_id FROM conversation_members m
                        JOIN posts c ON c.conversation_id = m.conversation_id WHERE c.author_id = ? AND c.post_id = ?
                    """, arguments: [entry.bringer.sql, entry.authorId.sql, entry.postId.sql])
        case .followers(let batch):
            PostAccess.Condition(
                sql: """
                    SELECT f.follower_id AS reader_id FROM follows f
                    WHERE f.author_id = ? AND f.follower_id > ? AND f.follower_id <= ? AND NOT EXISTS (
                        SELECT 1 FROM feed_readers s WHERE s.reader_id = f.follower_id AND s.asleep_from IS NOT NULL)
                    """, arguments: [entry.bringer.sql, batch.after.sql, batch.last.sql])
        }
    }

    /// Brings entries into one feed that were not carried there when they were made, as far as the posts are to the reader.
    ///
    /// - Parameter entries: none that the reader can have passed: a post that came by a share meanwhile is put where it belongs.
    func fill(_ entries: [FeedEntry], of reader: Int64, arrival: Int64) throws {
        let audience = PostAccess(db, reader: reader).audience()
        for entry in entries {
            try db.execute(
                """
                INSERT INTO feed_entries (entry_id, post_id, author_id, shared_by, reader_id, arrival)
                SELECT ?, ?, ?, ?, ?, ? FROM posts p WHERE p.author_id = ? AND p.post_id = ? AND \(audience.sql)
                ON CONFLICT (reader_id, post_id) DO UPDATE SET entry_id = excluded.entry_id,
                    shared_by = excluded.shared_by, arrival = excluded.arrival
                    WHERE excluded.entry_id < feed_entries.entry_id
                """,
                entry.columns + [reader.sql, arrival.sql, entry.authorId.sql, entry.postId.sql] + audience.arguments)
        }
    }

    /// Takes what is older than an entry out of a feed.
    ///
    /// - Parameter limit: at most so many, the oldest first.
    /// - Returns: how many entries that were.
    @discardableResult
    func cut(before entry: Int64, of reader: Int64, limit: Int = .max) throws -> Int {
        try db.execute(
            """
            DELETE FROM feed_entries WHERE reader_id = ? AND entry_id IN (
                SELECT entry_id FROM feed_entries WHERE reader_id = ? AND entry_id < ? ORDER BY entry_id LIMIT ?)
            """, [reader.sql, reader.sql, entry.sql, limit.sql])
    }

    /// Whether few entries are between two places, of which the older one counts too.
    func has(fewerThan count: Int, before entry: Int64, from oldest: Int64, of reader: Int64) throws -> Bool {
        try db.first(
            """
            SELECT 1 FROM feed_entries WHERE reader_id = ? AND entry_id < ? AND entry_id >= ?
            ORDER BY entry_id DESC LIMIT 1 OFFSET ?
            """, [reader.sql, entry.sql, oldest.sql, (count - 1).sql]) == nil
    }

    /// The newest entry of a feed, or the newest but some.
    func newest(of reader: Int64, besides newer: Int = 0) throws -> Int64? {
        try db.first(
            "SELECT entry_id FROM feed_entries WHERE reader_id = ? ORDER BY entry_id DESC LIMIT 1 OFFSET ?",
            [reader.sql, newer.sql])?.int64(0)
    }

    func oldest(of reader: Int64) throws -> Int64? {
        try db.first(
            "SELECT entry_id FROM feed_entries WHERE reader_id = ? ORDER BY entry_id LIMIT 1", [reader.sql])?.int64(0)
    }

    /// What somebody who is followed now has posted and shared last, each at its own place.
    func follow(_ author: Int64, by reader: Int64) throws {
        let may = PostAccess(db, reader: reader).condition()
        let arrival = try ArrivalTable(db).next(to: reader)
        try db.execute(
            """
            INSERT INTO feed_entries (reader_id, entry_id, post_id, author_id, arrival)
            SELECT ?, post_id, post_id, author_id, ? FROM (
                SELECT p.post_id, p.author_id FROM posts p WHERE p.author_id = ? AND \(may.sql)
                ORDER BY p.post_id DESC LIMIT ?
            ) newest WHERE true
            ON CONFLICT (reader_id, post_id) DO UPDATE SET shared_by = NULL, arrival = excluded.arrival
            """, [reader.sql, arrival.sql, author.sql] + may.arguments + [Self.earlierPosts.sql])
        try db.execute(
            """
            INSERT INTO feed_entries (reader_id, entry_id, post_id, author_id, shared_by, arrival)
            SELECT ?, shared, post_id, author_id, person_id, ? FROM (
                SELECT s.shared, s.post_id, s.author_id, s.person_id FROM post_reactions s
                JOIN posts p ON p.author_id = s.author_id AND p.post_id = s.post_id
                WHERE s.person_id = ? AND s.shared > 0 AND \(may.sql) ORDER BY s.shared DESC LIMIT ?
            ) newest WHERE true
            ON CONFLICT (reader_id, post_id) DO NOTHING
            """, [reader.sql, arrival.sql, author.sql] + may.arguments + [Self.earlierPosts.sql])
    }

    /// What is there by somebody who is no longer followed goes, unless it is there for another reason too: as a post to the reader, or
    /// by somebody else who shared it.
    func unfollow(_ author: Int64, by reader: Int64) throws {
        let gone = try db.query(
            """
            DELETE FROM feed_entries WHERE reader_id = ? AND (author_id = ? AND shared_by IS NULL OR shared_by = ?)
            RETURNING post_id
            """, [reader.sql, author.sql, author.sql])
        let arrival = try ArrivalTable(db).next(to: reader)
        for post in gone.map({ $0.int64(0) }) { try bringBack(post, to: reader, arrival) }
    }
}
