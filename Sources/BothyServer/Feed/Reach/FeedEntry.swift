/// A post at its place in feeds.
struct FeedEntry: Equatable, Sendable {
    /// Its place: the post's id, or the share's.
    var entryId: Int64
    var postId: Int64
    var authorId: Int64
    /// Who brought it; nil for its author.
    var sharedBy: Int64?

    /// Whose followers it comes to.
    var bringer: Int64 { sharedBy ?? authorId }

    /// The values of `entry_id`, `post_id`, `author_id` and `shared_by`.
    var columns: [SQLValue] { [entryId.sql, postId.sql, authorId.sql, sharedBy.sql] }
}
