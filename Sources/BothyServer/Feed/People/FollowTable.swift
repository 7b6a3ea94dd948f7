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

    /// - Returns: false where that was so already.
    func delete(_ follower: Int64, of author: Int64) throws -> Bool {
        try db.execute(
            "DELETE FROM follows WHERE follower_id = ? AND author_id = ?", [follower.sql, author.sql]) > 0
    }
}
