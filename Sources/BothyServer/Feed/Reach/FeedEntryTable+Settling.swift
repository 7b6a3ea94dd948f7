/// Brings entries that are in feeds in line with who has shared the post, and whom it is to, a batch of feeds at a time.
extension FeedEntryTable {
    /// Some of the feeds that have a post; for a share, of those that have it by who shared it.
    func feeds(with entry: FeedEntry, after reader: Int64, limit: Int) throws -> FollowTable.Batch {
        let places = Self.places(of: entry)
        let ids = try db.query(
            "SELECT reader_id FROM feed_entries WHERE \(places.sql) AND reader_id > ? ORDER BY reader_id LIMIT ?",
            places.arguments + [reader.sql, (limit + 1).sql]
        ).map { $0.int64(0) }
        return FollowTable.Batch(ids, after: reader, limit: limit)
    }

    /// Takes a post out of those of some feeds to which a share brought it that was taken back, or whose readers it is not to any more. Where
    /// it is there for another reason, it comes back at that one's place.
    func settle(_ entry: FeedEntry, in feeds: FollowTable.Batch) throws {
        let places = Self.places(of: entry, in: feeds)
        let gone = try db.query(
            """
            DELETE FROM feed_entries WHERE \(places.sql) AND NOT (
                \(EntryBringer.stands("feed_entries")) AND EXISTS (
                    SELECT 1 FROM posts p WHERE p.author_id = feed_entries.author_id AND p.post_id = feed_entries.post_id
                        AND \(PostAccess.audience(post: "p", reader: "feed_entries.reader_id"))))
            RETURNING reader_id
            """, places.arguments)
        for reader in gone.map({ $0.int64(0) }) {
            try bringBack(entry.postId, to: reader, ArrivalTable(db).next(to: reader))
        }
    }

    /// A post that was not shown arrives once more in some of the feeds that it is in.
    ///
    /// - Returns: their readers.
    func arriveAgain(_ entry: FeedEntry, in feeds: FollowTable.Batch) throws -> [Int64] {
        let places = Self.places(of: entry, in: feeds)
        try ArrivalTable(db).next(
            toAll: "SELECT reader_id FROM feed_entries WHERE \(places.sql)", places.arguments)
        return try db.query(
            """
            UPDATE feed_entries SET arrival = (
                SELECT r.last_arrival FROM feed_readers r WHERE r.reader_id = feed_entries.reader_id)
            WHERE \(places.sql) RETURNING reader_id
            """, places.arguments
        ).map { $0.int64(0) }
    }

    /// A post's places in all feeds; of a share, where it is there by who shared it.
    private static func places(of entry: FeedEntry) -> PostAccess.Condition {
        let (column, person) = entry.sharedBy.map { ("shared_by", $0) } ?? ("author_id", entry.authorId)
        return PostAccess.Condition(
            sql: "\(column) = ? AND post_id = ?", arguments: [person.sql, entry.postId.sql])
    }

    private static func places(of entry: FeedEntry, in feeds: FollowTable.Batch) -> PostAccess.Condition {
        let places = places(of: entry)
        return PostAccess.Condition(
            sql: "\(places.sql) AND reader_id > ? AND reader_id <= ?",
            arguments: places.arguments + [feeds.after.sql, feeds.last.sql])
    }

    /// A post that is not in a feed any more for one reason is there again where there is another one.
    func bringBack(_ postId: Int64, to reader: Int64, _ arrival: Int64) throws {
        let isTo = PostAccess(db, reader: reader).audience()
        try db.execute(
            """
            INSERT INTO feed_entries (reader_id, entry_id, post_id, author_id, arrival)
            SELECT ?, p.post_id, p.post_id, p.author_id, ? FROM posts p
            WHERE p.post_id = ? AND \(isTo.sql) AND (p.author_id = ? OR p.audience = 'people' OR EXISTS (
                SELECT 1 FROM follows f WHERE f.follower_id = ? AND f.author_id = p.author_id))
            """, [reader.sql, arrival.sql, postId.sql] + isTo.arguments + [reader.sql, reader.sql])
        try db.execute(
            """
            INSERT INTO feed_entries (reader_id, entry_id, post_id, author_id, shared_by, arrival)
            SELECT ?, s.shared, s.post_id, s.author_id, s.person_id, ? FROM posts p
            JOIN post_reactions s ON s.author_id = p.author_id AND s.post_id = p.post_id AND s.shared > 0
            WHERE p.post_id = ? AND \(isTo.sql) AND (s.person_id = ? OR EXISTS (
                SELECT 1 FROM follows f WHERE f.follower_id = ? AND f.author_id = s.person_id))
            ORDER BY s.shared
            ON CONFLICT (reader_id, post_id) DO NOTHING
            """, [reader.sql, arrival.sql, postId.sql] + isTo.arguments + [reader.sql, reader.sql])
    }
}
