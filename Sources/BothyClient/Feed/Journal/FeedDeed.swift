import BothyContract

/// What a person does in the feed, named as screens and the server name it.
package struct FeedDeed: Equatable, Sendable {
    package var action: FeedOperation.Action
    /// The post that it is about; nil for one that it makes.
    package var post: Int64?
    /// The comment that it is about; nil for one that it makes, and where it is about none.
    package var comment: Int64?
    /// The person that it is about; nil where it is about none.
    package var person: Int64?

    package static func publish(_ request: NewPostRequest) -> Self { Self(action: .publish(request)) }
    package static func delete(post: Int64) -> Self { Self(action: .delete, post: post) }
    package static func interact(post: Int64, _ interaction: PostInteraction) -> Self {
        Self(action: .interact(interaction), post: post)
    }
    package static func comment(post: Int64, _ request: NewCommentRequest) -> Self {
        Self(action: .comment(request), post: post)
    }
    package static func deleteComment(_ comment: Int64, post: Int64) -> Self {
        Self(action: .deleteComment, post: post, comment: comment)
    }

    package static func follow(person: Int64, _ isFollowing: Bool) -> Self {
        Self(action: .follow(isFollowing), person: person)
    }

    var makesComment: Bool { if case .comment = action { true } else { false } }
}
