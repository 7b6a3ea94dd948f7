import BothyContract

/// A page of the comments on a post.
package struct CommentListing: Sendable {
    package var limit: Int
    package var after: Position?

    /// The last comment of a page.
    package struct Position: Codable, Equatable, Sendable {
        package var threadId: Int64
        package var commentId: Int64
    }

    package struct Page: Sendable {
        package var comments: [Comment]
        /// Nil on the last page.
        package var next: Position?
    }

    func page(in db: any SQLConnection, on post: PostTable.Row, seenBy viewer: Int64) throws -> Page {
        var comments = try CommentTable(db, seenBy: viewer).page(on: post, after: after, limit: limit + 1)
        let hasMore = comments.count > limit
        if hasMore { comments.removeLast() }
        return Page(
            comments: comments,
            next: hasMore ? comments.last.map { Position(threadId: $0.threadId, commentId: $0.commentId) } : nil)
    }
}
