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

    init(entryId: Int64, postId: Int64, authorId: Int64, sharedBy: Int64? = nil) {
        self.entryId = entryId
        self.postId = postId
        self.authorId = authorId
        self.sharedBy = sharedBy
    }

    /// A post's own entry has the post's id; any other is a share.
    init(_ entryId: Int64, broughtBy bringer: Int64, postId: Int64, authorId: Int64) {
        self.init(
            entryId: entryId, postId: postId, authorId: authorId, sharedBy: entryId == postId ? nil : bringer)
    }
}
