import BothyContract

/// The table `post_reactions`, the last word of each person about each post, and `interactions`, all of them.
struct ReactionTable {
    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    /// - Parameter id: the place in feeds, where it is shared by that.
    /// - Returns: whether that is another state than before.
    func record(
        _ interaction: PostInteraction, of person: Int64, on post: PostTable.Row, as id: Int64
    ) throws -> Bool {
        let key = [post.author.id.sql, post.postId.sql, person.sql]
        try db.execute(
            """
            INSERT INTO post_reactions (author_id, post_id, person_id) VALUES (?, ?, ?)
            ON CONFLICT (author_id, post_id, person_id) DO NOTHING
            """, key)
        let change = Self.change(interaction, as: id)
        let isNew =
            try db.execute(
                """
                UPDATE post_reactions SET \(change.column) = ?
                WHERE author_id = ? AND post_id = ? AND person_id = ? AND (\(change.column) > 0) = (? = 0)
                """, [change.to.sql] + key + [change.to.sql]) > 0
        if isNew, let count = change.count {
            try PostCounts(db).add(change.to > 0 ? 1 : -1, to: count, of: post)
        }
        return isNew
    }

    private static func change(
        _ interaction: PostInteraction, as id: Int64
    ) -> (column: String, to: Int64, count: PostCounts.Count?) {
        switch interaction {
        case .liked: ("liked", 1, .likes)
        case .removedLike: ("liked", 0, .likes)
        case .shared: ("shared", id, .shares)
        case .removedShare: ("shared", 0, .shares)
        case .bookmarked: ("bookmarked", 1, nil)
        case .removedBookmark: ("bookmarked", 0, nil)
        }
    }

    /// Keeps that it was said.
    func keep(
        _ interaction: PostInteraction, of person: Int64, on post: PostTable.Row, as id: Int64, requestId: String?,
        now: Timestamp
    ) throws {
        try db.execute(
            """
            INSERT INTO interactions (person_id, interaction_id, author_id, post_id, type, request_id, created_ms)
                VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                person.sql, id.sql, post.author.id.sql, post.postId.sql, interaction.rawValue.sql, requestId.sql,
                now.sql,
            ])
    }

    /// The entry that a post has in feeds by who shared it; nil where that one has not shared it.
    func share(of post: PostTable.Row, by person: Int64) throws -> FeedEntry? {
        try db.first(
            "SELECT shared FROM post_reactions WHERE author_id = ? AND post_id = ? AND person_id = ? AND shared > 0",
            [post.author.id.sql, post.postId.sql, person.sql]
        ).map { FeedEntry(entryId: $0.int64(0), postId: post.postId, authorId: post.author.id, sharedBy: person) }
    }

    /// The oldest shares of a post.
    func shares(of post: FeedEntry, limit: Int) throws -> [FeedEntry] {
        try db.query(
            """
            SELECT shared, person_id FROM post_reactions WHERE author_id = ? AND post_id = ? AND shared > 0
            ORDER BY shared LIMIT ?
            """, [post.authorId.sql, post.postId.sql, limit.sql]
        ).map { row in
            FeedEntry(entryId: row.int64(0), postId: post.postId, authorId: post.authorId, sharedBy: row.int64(1))
        }
    }

    /// Whether what brought an entry into feeds has not been taken back.
    func stands(_ entry: FeedEntry) throws -> Bool {
        guard let sharer = entry.sharedBy else { return true }
        return try db.first(
            "SELECT 1 FROM post_reactions WHERE author_id = ? AND post_id = ? AND person_id = ? AND shared = ?",
            [entry.authorId.sql, entry.postId.sql, sharer.sql, entry.entryId.sql]) != nil
    }

    /// What a request has said; nil where it has said nothing.
    func said(by requestId: String, of person: Int64) throws -> (postId: Int64, type: String)? {
        try db.first(
            "SELECT post_id, type FROM interactions WHERE person_id = ? AND request_id = ?",
            [person.sql, requestId.sql]
        ).map { ($0.int64(0), $0.string(1)) }
    }

    /// Nobody has shared it any more.
    func forgetShares(of postId: Int64, by author: Int64) throws {
        try db.execute(
            "UPDATE post_reactions SET shared = 0 WHERE author_id = ? AND post_id = ? AND shared > 0",
            [author.sql, postId.sql])
        try db.execute(
            "UPDATE posts SET share_count = 0 WHERE author_id = ? AND post_id = ?", [author.sql, postId.sql])
    }

    /// What became of a post, as one person sees it: without the comments of those who are hidden from her.
    func state(of postId: Int64, by author: Int64, seenBy person: Int64) throws -> PostState {
        let row = try db.first(
            """
            SELECT p.version, p.like_count, p.share_count, p.comment_count - (
                    SELECT count(*) FROM people_blocks hb
                    JOIN comments c ON c.author_id = p.author_id AND c.post_id = p.post_id AND c.person_id = hb.other_id
                    JOIN accounts a ON a.user_id = c.person_id AND a.disabled = 0 WHERE hb.person_id = ?),
                coalesce(r.liked, 0), coalesce(r.bookmarked, 0),
                coalesce(r.shared, 0)
            FROM posts p LEFT JOIN post_reactions r
                ON r.author_id = p.author_id AND r.post_id = p.post_id AND r.person_id = ?
            WHERE p.author_id = ? AND p.post_id = ?
            """, [person.sql, person.sql, author.sql, postId.sql])
        guard let row else { throw PostAccess.noSuchPost }
        return PostState(
            postId: postId, version: row.int(0), liked: row.bool(4), bookmarked: row.bool(5), shared: row.bool(6),
            likeCount: row.int(1), shareCount: row.int(2), commentCount: row.int(3))
    }
}
