import BothyClient
import BothyContract

/// A comment as the page of its post draws it.
public struct CommentRow: Equatable, Sendable, Identifiable {
    public var id: Int64
    public var author: PostAuthor
    /// «3 h», «20 Nov».
    public var date: String
    /// «20 Nov 2026, 14:03».
    public var moment: String
    public var createdAt: Timestamp
    public var text: PostText
    /// It belongs to the thread of the comment above it.
    public var isReply: Bool
    /// «In reply to a comment that was deleted»; nil where it stands above, or there is none.
    public var replied: String?
    public var canBeDeleted: Bool

    /// - Parameter canBeDeleted: whether the reader wrote the post that it is on.
    init(_ comment: Comment, you: Int64, canBeDeleted: Bool, words: Words, clock: PersonsClock) {
        id = comment.commentId
        author = PostAuthor(comment.author, you: you)
        date = words.ago(comment.createdAt, at: clock)
        moment = words.moment(comment.createdAt, at: clock)
        createdAt = comment.createdAt
        text = PostText(html: comment.content)
        isReply = comment.threadId != comment.commentId
        replied =
            comment.parentLeft == true
            ? words[.commentOfLeft] : comment.parentDeleted == true ? words[.commentOfDeleted] : nil
        self.canBeDeleted = canBeDeleted || author.isYou
    }
}
