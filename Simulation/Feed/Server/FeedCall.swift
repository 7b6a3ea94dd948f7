import BothyClient
import BothyContract

/// What the server's feed is asked to do.
enum FeedCall: Equatable, Sendable {
    case publish(NewPostRequest)
    /// By its author, in a browser.
    case edit(post: Int64, content: String)
    case delete(post: Int64)
    case interact(post: Int64, PostInteraction)
    case comment(post: Int64, NewCommentRequest)
    case deleteComment(Int64, post: Int64)
    case follow(person: Int64, Bool)

    /// What a device sends, as `PostsRemoteSource` has it. The request id goes beside it.
    ///
    /// - Throws: `notFound` for what is about something that the server never had.
    init(_ operation: FeedOperation) throws(ClientFailure) {
        switch operation.action {
        case .publish(var request):
            request.requestId = nil
            self = .publish(request)
        case .delete: self = .delete(post: try Self.known(operation.postId))
        case .interact(let interaction): self = .interact(post: try Self.known(operation.postId), interaction)
        case .comment(var request):
            request.requestId = nil
            self = .comment(post: try Self.known(operation.postId), request)
        case .deleteComment:
            self = .deleteComment(try Self.known(operation.subjectId), post: try Self.known(operation.postId))
        case .follow(let isFollowing): self = .follow(person: try Self.known(operation.subjectId), isFollowing)
        }
    }

    private static func known(_ id: Int64?) throws(ClientFailure) -> Int64 {
        guard let id else { throw ClientFailure(.notFound, "What this is about was never posted.") }
        return id
    }

    /// Whom one follows is put and deleted under no request id.
    var hasRequestId: Bool { if case .follow = self { false } else { true } }
}

/// A request as the server knows it again.
struct FeedRequestKey: Hashable, Sendable {
    var person: Int64
    var requestId: String
}
