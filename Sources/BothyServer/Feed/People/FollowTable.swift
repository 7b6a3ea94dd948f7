import BothyContract

/// The table `follows`.
struct FollowTable {
    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    /// - Returns: false where that was so already.
    func insert(_ follower: Int64, of author: Int64) throws -> Bool {
        try db.execute(
            "INSERT INTO follows (follower_id, author_id) VALUES (?, ?) ON CONFLICT (follower_id, author_id) DO NOTHING",
            [follower.sql, author.sql]) > 0
    }

    /// Asks to follow. To ask again changes nothing.
    func ask(_ follower: Int64, of author: Int64, now: Timestamp) throws {
        try db.execute(
            """
            INSERT INTO follow_requests (author_id, follower_id, created_ms) VALUES (?, ?, ?)
            ON CONFLICT (author_id, follower_id) DO NOTHING
            """, [author.sql, follower.sql, now.sql])
    }

    /// - Returns: false where nothing was asked.
    @discardableResult
    func withdraw(_ follower: Int64, of author: Int64) throws -> Bool {
        try db.execute(
            "DELETE FROM follow_requests WHERE author_id = ? AND follower_id = ?", [author.sql, follower.sql]) > 0
    }

    /// Who waits to follow somebody.
    func asking(_ author: Int64) throws -> [Int64] {
        try db.query("SELECT follower_id FROM follow_requests WHERE author_id = ?", [author.sql]).map { $0.int64(0) }
    }

    func follows(_ follower: Int64, _ author: Int64) throws -> Bool {
        try db.first(
            "SELECT 1 FROM follows WHERE follower_id = ? AND author_id = ?", [follower.sql, author.sql]) != nil
    }

    /// Some readers in the order of their ids: followers of somebody, or whose feeds have a post.
    struct Batch: Sendable {
        /// They come after this one.
        var after: Int64
        /// The last of them.
        var last: Int64
        /// Whether nobody comes after them.
        var isLast: Bool

        /// - Parameter ids: one more than the limit, where there are more.
        init(_ ids: [Int64], after: Int64, limit: Int) {
            self.after = after
            last = ids.prefix(limit).last ?? after
            isLast = ids.count <= limit
        }
    }

    func followers(of author: Int64, after: Int64, limit: Int) throws -> Batch {
        let ids = try db.query(
            "SELECT follower_id FROM follows WHERE author_id = ? AND follower_id > ? ORDER BY follower_id LIMIT ?",
            [author.sql, after.sql, (limit + 1).sql]
        ).map { $0.int64(0) }
        return Batch(ids, after: after, limit: limit)
    }

    func hasMoreFollowers(_ author: Int64, than most: Int) throws -> Bool {
        try db.first(
            "SELECT 1 FROM follows WHERE author_id = ? ORDER BY follower_id LIMIT 1 OFFSET ?", [author.sql, most.sql])
            != nil
    }

    /// - Returns: false where that was so already.
    func delete(_ follower: Int64, of author: Int64) throws -> Bool {
        try db.execute(
            "DELETE FROM follows WHERE follower_id = ? AND author_id = ?", [follower.sql, author.sql]) > 0
    }
}
