import BothyContract

/// The one place that decides who may read a post: its text, its attachments, its comments, its counts, and that it exists.
///
/// What one may not read is answered as what does not exist. Whatever finds a post finds it through ``require(_:)``; whatever lists
/// posts, or what belongs to them, has ``condition(post:)`` among its conditions.
struct PostAccess {
    let reader: Int64
    private let db: any SQLConnection

    init(_ db: any SQLConnection, reader: Int64) {
        self.db = db
        self.reader = reader
    }

    /// - Throws: `not_found`, in the same words for a post that is not there and for one that the reader may not read.
    func require(_ postId: Int64) throws -> PostTable.Row {
        let may = condition()
        let row = try PostTable(db).first("p.post_id = ? AND \(may.sql)", [postId.sql] + may.arguments)
        guard let row else { throw Self.noSuchPost }
        return row
    }

    /// The post of a comment that may be deleted: its writer can do that also where the post is no longer for her to read.
    ///
    /// - Throws: `not_found`, in the same words as ``require(_:)``.
    func require(_ postId: Int64, toDelete comment: Int64) throws -> PostTable.Row {
        let isOwn = """
            p.post_id = ? AND EXISTS (SELECT 1 FROM comments oc WHERE oc.author_id = p.author_id
                AND oc.post_id = p.post_id AND oc.comment_id = ? AND oc.person_id = ?)
            """
        return try PostTable(db).first(isOwn, [postId.sql, comment.sql, reader.sql]) ?? require(postId)
    }

    func mayRead(_ postId: Int64) throws -> Bool {
        let may = condition()
        return try db.first("SELECT 1 FROM posts p WHERE p.post_id = ? AND \(may.sql)", [postId.sql] + may.arguments)
            != nil
    }

    /// The versions of those of the posts that the reader may read.
    func versions(of posts: Set<Int64>) throws -> [Int64: Int] {
        let (may, places) = (condition(), Array(repeating: "?", count: posts.count).joined(separator: ", "))
        let rows = try db.query(
            "SELECT p.post_id, p.version FROM posts p WHERE p.post_id IN (\(places)) AND \(may.sql)",
            posts.map(\.sql) + may.arguments)
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.int64(0), $0.int(1)) })
    }

    static var noSuchPost: Problem { Problem(.notFound, "There is no such post. It may have been deleted.") }

    /// SQL, and the values of its question marks in their order.
    struct Condition {
        var sql: String
        var arguments: [SQLValue]
    }

    /// True for the rows of `posts` that the reader may read.
    ///
    /// - Parameter post: the name of the table `posts` in the statement.
    func condition(post: String = "p") -> Condition { asked(Self.condition(post: post, reader: "?")) }

    /// As ``condition(post:)``, where the reader is a column of the statement.
    static func condition(post: String, reader: String) -> String {
        """
        (\(post).deleted_lived IS NULL
            AND EXISTS (SELECT 1 FROM accounts pa WHERE pa.user_id = \(post).author_id AND pa.disabled = 0)
            AND NOT \(PeopleBlockTable.hides(reader, "\(post).author_id"))
            AND \(audience(post: post, reader: reader)))
        """
    }

    /// True for the rows of `posts` whose audience the reader belongs to, of which some may be hidden just now: in the trash, by a
    /// block, or with the account of their author. For what is only kept by it, and shown by ``condition(post:)``.
    func audience(post: String = "p") -> Condition { asked(Self.audience(post: post, reader: "?")) }

    /// The same, where the reader is a column of the statement.
    static func audience(post: String, reader: String) -> String {
        """
        (\(post).author_id = \(reader) OR \(post).audience = 'everyone'
            OR \(post).audience = 'followers' AND EXISTS (
                SELECT 1 FROM follows pf WHERE pf.follower_id = \(reader) AND pf.author_id = \(post).author_id)
            OR \(post).audience = 'people' AND EXISTS (
                SELECT 1 FROM conversation_members pm
                WHERE pm.person_id = \(reader) AND pm.conversation_id = \(post).conversation_id))
        """
    }

    private func asked(_ sql: String) -> Condition {
        Condition(sql: sql, arguments: Array(repeating: reader.sql, count: sql.count { $0 == "?" }))
    }
}
