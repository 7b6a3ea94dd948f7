import BothyContract

/// The table `post_reactions`: the last word of each person about each post.
struct ReactionTable {
    struct Reactions: Sendable {
        var liked = false
        var bookmarked = false
        var shared = false
        var likeCount = 0
        var shareCount = 0
    }

    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    /// - Parameter entryId: the place in feeds, where it is shared by that.
    /// - Returns: whether that is another state than before. What was shared stays shared.
    func record(
        _ interaction: PostInteraction, of person: Int64, on post: PostTable.Row, as entryId: Int64
    ) throws -> Bool {
        let key = [post.author.id.sql, post.postId.sql, person.sql]
        try db.execute(
            """
            INSERT INTO post_reactions (author_id, post_id, person_id) VALUES (?, ?, ?)
            ON CONFLICT (author_id, post_id, person_id) DO NOTHING
            """, key)
        let change = Self.change(interaction, as: entryId)
        return try db.execute(
            """
            UPDATE post_reactions SET \(change.column) = ?
            WHERE author_id = ? AND post_id = ? AND person_id = ? AND \(change.column) = ?
            """, [change.to.sql] + key + [change.from.sql]) > 0
    }

    private static func change(
        _ interaction: PostInteraction, as entryId: Int64
    ) -> (column: String, from: Int64, to: Int64) {
        switch interaction {
        case .liked: ("liked", 0, 1)
        case .removedLike: ("liked", 1, 0)
        case .shared: ("shared", 0, entryId)
        case .bookmarked: ("bookmarked", 0, 1)
        case .removedBookmark: ("bookmarked", 1, 0)
        }
    }

    /// What became of a post, as one person sees it.
    func reactions(to postId: Int64, by author: Int64, seenBy person: Int64) throws -> Reactions {
        let row = try db.first(
            """
            SELECT coalesce(max(CASE WHEN person_id = ? THEN liked ELSE 0 END), 0),
                coalesce(max(CASE WHEN person_id = ? THEN bookmarked ELSE 0 END), 0),
                coalesce(max(CASE WHEN person_id = ? AND shared > 0 THEN 1 ELSE 0 END), 0),
                coalesce(sum(liked), 0), coalesce(sum(CASE WHEN shared > 0 THEN 1 ELSE 0 END), 0)
            FROM post_reactions WHERE author_id = ? AND post_id = ?
            """, [person.sql, person.sql, person.sql, author.sql, postId.sql])
        return row.map {
            Reactions(
                liked: $0.bool(0), bookmarked: $0.bool(1), shared: $0.bool(2), likeCount: $0.int(3),
                shareCount: $0.int(4))
        } ?? Reactions()
    }
}
