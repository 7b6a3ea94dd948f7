import BothyContract
import GRDB

/// The table `post_comments`: what the server said of comments on posts that are kept here.
enum KeptCommentTable {
    /// Takes in a page of comments, in place of what was known of that part of them.
    ///
    /// - Parameters:
    ///   - isFirst: whether it begins with the first comment of the post.
    ///   - before: the last comment of the page before, where that is known.
    static func apply(
        _ page: CommentsApiResponse, on post: Int64, isFirst: Bool, after before: CommentPlaces.End? = nil,
        in db: Database
    ) throws {
        // Comments belong to a post that is kept, and leave with it.
        guard try exists(post, in: db) else { return }
        var from: (Int64, Int64)? = page.comments.first.map { ($0.threadId, $0.commentId) }
        if isFirst {
            from = (Int64.min, Int64.min)
        } else if let before {
            // What was deleted on the server between the two pages is in neither of them.
            from = (before.thread, before.comment + 1)
        }
        let end = page.paging.next == nil ? nil : page.comments.last.map { ($0.threadId, $0.commentId) }
        if let from {
            let last = end ?? (Int64.max, Int64.max)
            try db.execute(
                sql: """
                    DELETE FROM post_comments
                    WHERE post_id = ? AND (thread_id, comment_id) >= (?, ?) AND (thread_id, comment_id) <= (?, ?)
                    """, arguments: [post, from.0, from.1, last.0, last.1])
        }
        for comment in page.comments { try put(comment, on: post, in: db) }
    }

    /// - Returns: whether that is new here.
    @discardableResult
    static func put(_ comment: Comment, on post: Int64, in db: Database) throws -> Bool {
        guard try exists(post, in: db) else { return false }
        let isKnown = try find(comment.commentId, on: post, in: db) != nil
        try db.execute(
            sql: "INSERT OR REPLACE INTO post_comments (post_id, thread_id, comment_id, comment) VALUES (?, ?, ?, ?)",
            arguments: [post, comment.threadId, comment.commentId, try WireCoding.text(of: comment)])
        return !isKnown
    }

    /// Replies to it say from now on that it was deleted.
    static func delete(_ id: Int64, on post: Int64, in db: Database) throws {
        try db.execute(
            sql: "DELETE FROM post_comments WHERE post_id = ? AND comment_id = ?", arguments: [post, id])
        for var reply in try all(on: post, in: db) where reply.parentCommentId == id {
            reply.parentDeleted = true
            try put(reply, on: post, in: db)
        }
    }

    /// Thread by thread, the oldest first.
    static func all(on post: Int64, in db: Database) throws -> [Comment] {
        try String.fetchAll(
            db, sql: "SELECT comment FROM post_comments WHERE post_id = ? ORDER BY thread_id, comment_id",
            arguments: [post]
        ).map { try WireCoding.decode(Comment.self, fromText: $0) }
    }

    private static func find(_ id: Int64, on post: Int64, in db: Database) throws -> Int? {
        try Int.fetchOne(
            db, sql: "SELECT 1 FROM post_comments WHERE post_id = ? AND comment_id = ?", arguments: [post, id])
    }

    private static func exists(_ post: Int64, in db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT 1 FROM posts WHERE post_id = ?", arguments: [post]) != nil
    }
}
