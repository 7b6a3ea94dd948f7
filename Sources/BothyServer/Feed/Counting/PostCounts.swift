import BothyContract

/// How many people like and have shared a post, and how many comments it has: columns of `posts`, changed in the transaction of what
/// they count. People whose accounts are disabled do not count.
struct PostCounts {
    enum Count: String {
        case likes = "like_count"
        case shares = "share_count"
        case comments = "comment_count"
    }

    /// The columns with what there is, for a row of `posts`.
    static let recounted = """
        like_count = (
            SELECT count(*) FROM post_reactions r JOIN accounts a ON a.user_id = r.person_id AND a.disabled = 0
            WHERE r.author_id = posts.author_id AND r.post_id = posts.post_id AND r.liked = 1),
        share_count = (
            SELECT count(*) FROM post_reactions r JOIN accounts a ON a.user_id = r.person_id AND a.disabled = 0
            WHERE r.author_id = posts.author_id AND r.post_id = posts.post_id AND r.shared > 0),
        comment_count = (
            SELECT count(*) FROM comments c JOIN accounts a ON a.user_id = c.person_id AND a.disabled = 0
            WHERE c.author_id = posts.author_id AND c.post_id = posts.post_id)
        """

    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    func add(_ change: Int, to count: Count, of post: PostTable.Row) throws {
        try db.execute(
            """
            UPDATE posts SET \(count.rawValue) = \(count.rawValue) + ? WHERE author_id = ? AND post_id = ?
            """, [change.sql, post.author.id.sql, post.postId.sql])
    }

    /// Runs what takes a person's likes, shares and comments away, or brings them back, and counts again what they counted for.
    func following(_ person: Int64, _ change: () throws -> Void) throws {
        let posts = try db.query(
            """
            SELECT author_id, post_id FROM post_reactions WHERE person_id = ?
            UNION SELECT author_id, post_id FROM comments WHERE person_id = ?
            """, [person.sql, person.sql])
        let comments = try db.query(
            "SELECT author_id, post_id, comment_id FROM comment_likes WHERE person_id = ?", [person.sql])
        try change()
        for post in posts { try recount(post.int64(1), by: post.int64(0)) }
        for comment in comments {
            try db.execute(
                """
                UPDATE comments SET like_count = \(Self.commentLikes)
                WHERE author_id = ? AND post_id = ? AND comment_id = ?
                """, comment.values)
        }
    }

    private static let commentLikes = """
        (SELECT count(*) FROM comment_likes l JOIN accounts a ON a.user_id = l.person_id AND a.disabled = 0
            WHERE l.author_id = comments.author_id AND l.post_id = comments.post_id AND l.comment_id = comments.comment_id)
        """

    private func recount(_ postId: Int64, by author: Int64) throws {
        try db.execute(
            "UPDATE posts SET \(Self.recounted) WHERE author_id = ? AND post_id = ?", [author.sql, postId.sql])
    }

    // MARK: - The job

    /// What one step of looking through all posts comes to.
    struct Look: Sendable {
        /// The last post that was looked at; nil at the end.
        var last: Int64?
        /// Posts and comments whose counts were others than what there is.
        var differences: Int
    }

    /// Counts some posts again, with their comments, and puts right what differs: nothing, unless something is wrong.
    func look(after post: Int64, limit: Int) throws -> Look {
        let rows = try db.query(
            """
            SELECT author_id, post_id, like_count, share_count, comment_count FROM posts WHERE post_id > ?
            ORDER BY post_id LIMIT ?
            """, [post.sql, limit.sql])
        var differences = 0
        for row in rows {
            let (author, post) = (row.int64(0), row.int64(1))
            try recount(post, by: author)
            let counted = try db.first(
                """
                SELECT like_count, share_count, comment_count FROM posts WHERE author_id = ? AND post_id = ?
                """, [author.sql, post.sql])
            if counted?.values != Array(row.values[2...]) { differences += 1 }
            differences += try db.execute(
                """
                UPDATE comments SET like_count = \(Self.commentLikes)
                WHERE author_id = ? AND post_id = ? AND like_count <> \(Self.commentLikes)
                """, [author.sql, post.sql])
        }
        return Look(last: rows.count == limit ? rows.last?.int64(1) : nil, differences: differences)
    }
}
