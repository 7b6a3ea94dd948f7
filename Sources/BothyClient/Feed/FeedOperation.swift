import BothyContract

/// Something that a person did with posts here, from the moment of doing it until the server's own word of it has arrived.
///
/// `pending → (acknowledged)`, then it leaves the queue; or `refused`, which waits for a person where it is worth one's while.
package struct FeedOperation: Equatable, Sendable, Identifiable {
    package enum State: String, Sendable {
        /// Waits for its turn, for the network, or for its next attempt.
        case pending
        /// The server has it, and the feed that is kept here has not yet.
        case acknowledged
        /// The server will not have it.
        case refused
    }

    package enum Action: Codable, Equatable, Sendable {
        case publish(NewPostRequest)
        case delete(post: Int64)
        case interact(post: Int64, PostInteraction)
        case comment(post: Int64, NewCommentRequest)
        case deleteComment(Int64, post: Int64)
    }

    /// The order: what was done first is first.
    package let id: Int64
    /// How the server knows it again, however often it is sent.
    package let requestId: String
    package let action: Action
    package var state: State
    /// Failures that were not the network's.
    package var attempts: Int
    /// Not before this moment; nil for at once.
    package var nextAttemptAt: Timestamp?
    package var lastError: ClientFailure?
    package let createdAt: Timestamp

    package init(
        id: Int64, requestId: String, action: Action, state: State = .pending, attempts: Int = 0,
        nextAttemptAt: Timestamp? = nil, lastError: ClientFailure? = nil, createdAt: Timestamp
    ) {
        self.id = id
        self.requestId = requestId
        self.action = action
        self.state = state
        self.attempts = attempts
        self.nextAttemptAt = nextAttemptAt
        self.lastError = lastError
        self.createdAt = createdAt
    }

    /// It makes a post or a comment: there are words in it that are nowhere else.
    package var holdsWords: Bool {
        switch action {
        case .publish, .comment: true
        case .delete, .interact, .deleteComment: false
        }
    }

    /// The post that it is about; nil for one that it makes.
    package var post: Int64? {
        switch action {
        case .publish: nil
        case .delete(let post), .interact(let post, _), .comment(let post, _), .deleteComment(_, let post): post
        }
    }
}
