import BothyContract

/// The table `follows`, and people as those who follow them see them.
struct FollowTable {
    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    /// - Returns: false where that was so already.
    func insert(_ follower: Int64, of author: Int64) throws -> Bool {
        try db.execute(
            "INSERT INTO follows (follower_id, author_id) VALUES (?, ?) ON CONFLICT (follower_id, author_id) DO NOTHING",
            [follower.sql, author.sql]) > 0
    }

    /// - Returns: false where that was so already.
    func delete(_ follower: Int64, of author: Int64) throws -> Bool {
        try db.execute(
            "DELETE FROM follows WHERE follower_id = ? AND author_id = ?", [follower.sql, author.sql]) > 0
    }

    /// - Throws: `not_found` for nobody, and for an account that is disabled.
    func require(_ id: Int64, seenBy viewer: Int64) throws -> Person {
        let row = try db.first(
            "\(Self.people) WHERE a.user_id = ? AND a.disabled = 0", [viewer.sql, viewer.sql, id.sql])
        guard let row else { throw Problem(.notFound, "There is nobody with this id.") }
        return Self.person(row, viewer)
    }

    /// Everybody whose account is not disabled, by name.
    func page(seenBy viewer: Int64, after place: PeopleListing.Position?, limit: Int) throws -> [Person] {
        try db.query(
            """
            \(Self.people) WHERE a.disabled = 0 AND (a.display_name, a.user_id) > (?, ?)
            ORDER BY a.display_name, a.user_id LIMIT ?
            """,
            [viewer.sql, viewer.sql, (place?.name ?? "").sql, (place?.userId ?? -1).sql, limit.sql]
        ).map { Self.person($0, viewer) }
    }

    private static let people = """
        SELECT a.user_id, a.display_name,
            EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = ? AND f.author_id = a.user_id),
            EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = a.user_id AND f.author_id = ?)
        FROM accounts a
        """

    private static func person(_ row: SQLRow, _ viewer: Int64) -> Person {
        Person(
            id: row.int64(0), name: row.string(1), following: row.bool(2), followsYou: row.bool(3),
            isYou: row.int64(0) == viewer)
    }
}
