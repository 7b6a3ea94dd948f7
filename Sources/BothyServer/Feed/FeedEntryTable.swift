import BothyContract

/// The table `feed_entries`: what each person's feed has, written when it is posted or shared, so that reading a feed is
/// reading one range of one index.
struct FeedEntryTable {
    /// Of somebody who is followed now, this many posts of before come into the feed.
    static let earlierPosts = 100

    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    /// A new post comes into the feeds of its author and of all who follow her.
    func fanOut(_ postId: Int64, by author: Int64) throws {
        try ArrivalTable(db).nextToFollowers(of: author)
        try db.execute(
            """
            INSERT INTO feed_entries (reader_id, entry_id, post_id, author_id, arrival)
            SELECT reader_id, ?, ?, ?, last_arrival FROM feed_readers
            WHERE reader_id IN (\(ArrivalTable.followers))
            """, [postId.sql, postId.sql, author.sql, author.sql, author.sql])
    }

    /// A post comes into the feeds of who shares it and of all who follow them. Where it is already, it stays at its place.
    func share(_ post: PostTable.Row, as entryId: Int64, by person: Int64) throws {
        let values = [entryId.sql, post.postId.sql, post.author.id.sql, person.sql]
        try ArrivalTable(db).nextToFollowers(of: person)
        try db.execute(
            """
            INSERT INTO feed_entries (reader_id, entry_id, post_id, author_id, shared_by, arrival)
            SELECT reader_id, ?, ?, ?, ?, last_arrival FROM feed_readers
            WHERE reader_id IN (\(ArrivalTable.followers))
            ON CONFLICT (reader_id, post_id) DO NOTHING
            """, values + [person.sql, person.sql])
    }

    /// What somebody who is followed now has posted and shared last, each at its own place.
    func follow(_ author: Int64, by reader: Int64) throws {
        let arrival = try ArrivalTable(db).next(to: reader)
        try db.execute(
            """
            INSERT INTO feed_entries (reader_id, entry_id, post_id, author_id, arrival)
            SELECT ?, post_id, post_id, author_id, ? FROM (
                SELECT post_id, author_id FROM posts WHERE author_id = ? ORDER BY post_id DESC LIMIT ?
            ) newest WHERE true
            ON CONFLICT (reader_id, post_id) DO UPDATE SET shared_by = NULL, arrival = excluded.arrival
            """, [reader.sql, arrival.sql, author.sql, Self.earlierPosts.sql])
        try db.execute(
            """
            INSERT INTO feed_entries (reader_id, entry_id, post_id, author_id, shared_by, arrival)
            SELECT ?, shared, post_id, author_id, person_id, ? FROM (
                SELECT shared, post_id, author_id, person_id FROM post_reactions
                WHERE person_id = ? AND shared > 0 ORDER BY shared DESC LIMIT ?
            ) newest WHERE true
            ON CONFLICT (reader_id, post_id) DO NOTHING
            """, [reader.sql, arrival.sql, author.sql, Self.earlierPosts.sql])
    }

    /// What is there by somebody who is followed no more goes, unless it is there for another reason too: by its author, or by
    /// somebody else who shared it.
    func unfollow(_ author: Int64, by reader: Int64) throws {
        let gone = try db.query(
            """
            DELETE FROM feed_entries WHERE reader_id = ? AND (author_id = ? AND shared_by IS NULL OR shared_by = ?)
            RETURNING post_id
            """, [reader.sql, author.sql, author.sql])
        let arrival = try ArrivalTable(db).next(to: reader)
        for post in gone.map({ $0.int64(0) }) { try bringBack(post, to: reader, arrival) }
    }

    private func bringBack(_ postId: Int64, to reader: Int64, _ arrival: Int64) throws {
        try db.execute(
            """
            INSERT INTO feed_entries (reader_id, entry_id, post_id, author_id, arrival)
            SELECT ?, p.post_id, p.post_id, p.author_id, ? FROM posts p
            WHERE p.post_id = ? AND (p.author_id = ? OR EXISTS (
                SELECT 1 FROM follows f WHERE f.follower_id = ? AND f.author_id = p.author_id))
            """, [reader.sql, arrival.sql, postId.sql, reader.sql, reader.sql])
        try db.execute(
            """
            INSERT INTO feed_entries (reader_id, entry_id, post_id, author_id, shared_by, arrival)
            SELECT ?, s.shared, s.post_id, s.author_id, s.person_id, ? FROM posts p
            JOIN post_reactions s ON s.author_id = p.author_id AND s.post_id = p.post_id AND s.shared > 0
            JOIN follows f ON f.follower_id = ? AND f.author_id = s.person_id
            WHERE p.post_id = ? ORDER BY s.shared
            ON CONFLICT (reader_id, post_id) DO NOTHING
            """, [reader.sql, arrival.sql, reader.sql, postId.sql])
    }
}
