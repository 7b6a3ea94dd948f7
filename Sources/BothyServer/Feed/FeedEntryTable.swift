import BothyContract

/// The table `feed_entries`: what each person's feed has, written when it is posted or shared, so that reading a feed is
/// reading one range of one index.
struct FeedEntryTable {
    /// Of somebody who is followed now, this many posts of before come into the feed.
    static let earlierPosts = 100

    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    /// A new post comes into the feeds of its author, of all who follow her, and of those whom it names, as far as they may read it.
    func fanOut(_ postId: Int64, by author: Int64) throws {
        try bring(
            postId, of: author, as: postId, sharedBy: nil,
            to: """
                SELECT ? AS reader_id UNION SELECT follower_id FROM follows WHERE author_id = ?
                UNION SELECT m.person_id FROM conversation_members m
                    JOIN posts c ON c.conversation_id = m.conversation_id WHERE c.author_id = ? AND c.post_id = ?
                """, [author.sql, author.sql, author.sql, postId.sql])
    }

    /// A post comes into the feeds of who shares it and of all who follow them, as far as they may read it. Where it is already, it stays
    /// at its place.
    func share(_ postId: Int64, of author: Int64, as entryId: Int64, by person: Int64) throws {
        try bring(
            postId, of: author, as: entryId, sharedBy: person,
            to: "SELECT ? AS reader_id UNION SELECT follower_id FROM follows WHERE author_id = ?",
            [person.sql, person.sql])
    }

    /// - Parameter candidates: selects `reader_id`; of these, those who may read it.
    private func bring(
        _ postId: Int64, of author: Int64, as entryId: Int64, sharedBy sharer: Int64?, to candidates: String,
        _ arguments: [SQLValue]
    ) throws {
        let readers = """
            SELECT r.reader_id FROM (\(candidates)) r JOIN posts p ON p.author_id = ? AND p.post_id = ?
            WHERE \(PostAccess.condition(post: "p", reader: "r.reader_id"))
            """
        let arguments = arguments + [author.sql, postId.sql]
        try ArrivalTable(db).next(toAll: readers, arguments)
        try db.execute(
            """
            INSERT INTO feed_entries (reader_id, entry_id, post_id, author_id, shared_by, arrival)
            SELECT reader_id, ?, ?, ?, ?, last_arrival FROM feed_readers WHERE reader_id IN (\(readers))
            ON CONFLICT (reader_id, post_id) DO NOTHING
            """, [entryId.sql, postId.sql, author.sql, sharer.sql] + arguments)
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

    /// What is there by somebody who is followed no more goes, unless it is there for another reason too: as a post to the reader, or
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

    /// A post that somebody shares no more goes out of the feeds to which that brought it, unless it is there for another reason too.
    func unshare(_ post: PostTable.Row, by person: Int64) throws {
        let gone = try db.query(
            "DELETE FROM feed_entries WHERE author_id = ? AND post_id = ? AND shared_by = ? RETURNING reader_id",
            [post.author.id.sql, post.postId.sql, person.sql])
        for reader in gone.map({ $0.int64(0) }) {
            try bringBack(post.postId, to: reader, ArrivalTable(db).next(to: reader))
        }
    }

    /// A post that fewer people may read now goes out of the feeds of the others, and comes into those of whom it names.
    func narrow(_ postId: Int64, by author: Int64) throws {
        try db.execute(
            """
            DELETE FROM feed_entries WHERE author_id = ? AND post_id = ? AND (shared_by IS NOT NULL OR NOT EXISTS (
                SELECT 1 FROM posts p WHERE p.author_id = feed_entries.author_id AND p.post_id = feed_entries.post_id
                    AND \(PostAccess.condition(post: "p", reader: "feed_entries.reader_id"))))
            """, [author.sql, postId.sql])
        try fanOut(postId, by: author)
    }

    /// A post that is out of the trash comes again into the feeds that it was in, and into those of who follows its author, or who shared
    /// it, since.
    func restore(_ postId: Int64, by author: Int64) throws {
        let key = [author.sql, postId.sql]
        try ArrivalTable(db).next(
            toAll: "SELECT reader_id FROM feed_entries WHERE author_id = ? AND post_id = ?", key)
        try db.execute(
            """
            UPDATE feed_entries SET arrival = (
                SELECT r.last_arrival FROM feed_readers r WHERE r.reader_id = feed_entries.reader_id)
            WHERE author_id = ? AND post_id = ?
            """, key)
        try fanOut(postId, by: author)
        let shares = try db.query(
            """
            SELECT shared, person_id FROM post_reactions WHERE author_id = ? AND post_id = ? AND shared > 0
            ORDER BY shared
            """, key)
        for share in shares { try self.share(postId, of: author, as: share.int64(0), by: share.int64(1)) }
    }

    private func bringBack(_ postId: Int64, to reader: Int64, _ arrival: Int64) throws {
        let may = PostAccess(db, reader: reader).condition()
        try db.execute(
            """
            INSERT INTO feed_entries (reader_id, entry_id, post_id, author_id, arrival)
            SELECT ?, p.post_id, p.post_id, p.author_id, ? FROM posts p
            WHERE p.post_id = ? AND \(may.sql) AND (p.author_id = ? OR p.audience = 'people' OR EXISTS (
                SELECT 1 FROM follows f WHERE f.follower_id = ? AND f.author_id = p.author_id))
            """, [reader.sql, arrival.sql, postId.sql] + may.arguments + [reader.sql, reader.sql])
        try db.execute(
            """
            INSERT INTO feed_entries (reader_id, entry_id, post_id, author_id, shared_by, arrival)
            SELECT ?, s.shared, s.post_id, s.author_id, s.person_id, ? FROM posts p
            JOIN post_reactions s ON s.author_id = p.author_id AND s.post_id = p.post_id AND s.shared > 0
            WHERE p.post_id = ? AND \(may.sql) AND (s.person_id = ? OR EXISTS (
                SELECT 1 FROM follows f WHERE f.follower_id = ? AND f.author_id = s.person_id))
            ORDER BY s.shared
            ON CONFLICT (reader_id, post_id) DO NOTHING
            """, [reader.sql, arrival.sql, postId.sql] + may.arguments + [reader.sql, reader.sql])
    }
}
