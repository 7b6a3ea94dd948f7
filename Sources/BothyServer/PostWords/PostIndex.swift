import BothyContract

/// The tables `post_words` and `post_tags`: what posts are found by. They are written with the post.
package struct PostIndex {
    /// Words that are kept of one post; the first ones are, of a post with more.
    private static let mostWords = 1_000

    private let db: any SQLConnection

    package init(_ db: any SQLConnection) { self.db = db }

    /// A post's words, those of the warning before it, and its tags, for those whom its row names as its readers; what it was found by before goes.
    ///
    /// - Parameter text: with its references: see ``PostNames``.
    package func put(_ postId: Int64, of author: Int64, _ text: PostText) throws {
        let key = [author.sql, postId.sql]
        let row = try db.first(
            "SELECT audience, conversation_id, content_warning FROM posts WHERE author_id = ? AND post_id = ?", key)
        guard let row else { return }
        let scope = PostScope.text(
            audience: row.string(0), author: author, conversation: row.optional(1, SQLRow.int64))
        try db.execute("DELETE FROM post_words WHERE author_id = ? AND post_id = ?", key)
        try db.execute("DELETE FROM post_tags WHERE author_id = ? AND post_id = ?", key)
        let said = PostMatch.said(text, warning: row.optional(2, SQLRow.string))
        for word in NameWords.places(in: said, most: Self.mostWords).keys.sorted() {
            try db.execute(
                "INSERT INTO post_words (author_id, post_id, word, scope) VALUES (?, ?, ?, ?)",
                key + [word.sql, scope.sql])
        }
        for tag in text.tags {
            try db.execute(
                "INSERT INTO post_tags (author_id, post_id, tag, scope) VALUES (?, ?, ?, ?)",
                key + [tag.sql, scope.sql])
        }
    }

    /// Hashtags that begin so, those of the most posts first; of posts that the reader may read, and of no others.
    ///
    /// - Parameter prefix: folded; empty for any.
    func tags(beginningWith prefix: String, reader: Int64, limit: Int) throws -> [Hashtag] {
        let (scopes, may) = (PostScope.readable(by: reader), PostAccess(db, reader: reader).condition())
        return try db.query(
            """
            SELECT t.tag, count(*) FROM post_tags t
            JOIN posts p ON p.author_id = t.author_id AND p.post_id = t.post_id
            WHERE t.scope IN (\(scopes.sql)) AND t.tag >= ? AND t.tag < ? AND \(may.sql)
            GROUP BY t.tag ORDER BY count(*) DESC, t.tag LIMIT ?
            """,
            scopes.arguments + [prefix.sql, Self.end(of: prefix).sql] + may.arguments + [limit.sql]
        ).map { Hashtag(tag: $0.string(0), postCount: $0.int(1)) }
    }

    /// Comes after every word that begins so: no word has the last scalar in it.
    static func end(of beginning: String) -> String { beginning + "\u{10FFFF}" }
}
