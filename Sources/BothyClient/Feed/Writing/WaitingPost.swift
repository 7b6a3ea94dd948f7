import BothyContract
import GRDB

/// A post or a comment that was written here and is not in the feed yet.
public struct WaitingPost: Equatable, Sendable, Identifiable {
    /// What a comment is written on.
    public struct CommentPlace: Equatable, Sendable {
        public var post: Int64
        /// The comment that it replies to; nil for one on the post itself.
        public var parent: Int64?

        public init(post: Int64, parent: Int64? = nil) {
            self.post = post
            self.parent = parent
        }
    }

    /// This device's own number for it.
    public let id: Int64
    /// HTML of ``PostText``.
    public var content: String
    /// See ``PostPreview/contentWarning``.
    public var contentWarning: String?
    public var attachmentCount: Int
    /// What it waits for; nil where all that it shows is on the server.
    public var files: WaitingFiles?
    /// It shows what had not reached the server, and can go without.
    public var canBeDetached = false
    /// Pictures of it that had not reached the server.
    public var pictures = [ItemID]()
    /// Whom it is to; nil for everyone, and for a comment.
    public var audience: NewPostAudience?
    public var writtenAt: Timestamp
    /// When it shall come out; nil for at once.
    public var publishAt: Timestamp?
    /// Why the server does not take it: it waits for a person then. Nil where it waits for nothing but its turn or the network.
    public var refusal: ClientFailure?
    /// The server has it: it comes with the next look at the feed.
    public var isPosted: Bool
    /// Nil for a post.
    public var comment: CommentPlace?

    public init(
        id: Int64, content: String, contentWarning: String? = nil, attachmentCount: Int, files: WaitingFiles? = nil,
        audience: NewPostAudience? = nil, writtenAt: Timestamp, publishAt: Timestamp? = nil,
        refusal: ClientFailure? = nil, isPosted: Bool = false, comment: CommentPlace? = nil
    ) {
        self.id = id
        self.content = content
        self.contentWarning = contentWarning
        self.attachmentCount = attachmentCount
        self.files = files
        self.audience = audience
        self.writtenAt = writtenAt
        self.publishAt = publishAt
        self.refusal = refusal
        self.isPosted = isPosted
        self.comment = comment
    }
}

extension FeedOperation {
    /// The post or comment that it makes, until the server's own is here.
    func waitingPost(in db: Database) throws -> WaitingPost? {
        var waiting: WaitingPost
        switch action {
        case .publish(let request):
            waiting = WaitingPost(
                id: id, content: request.content, contentWarning: request.contentWarning,
                attachmentCount: request.attachments?.count ?? 0,
                files: try WaitingFiles.of(self, in: db), audience: request.audience, writtenAt: createdAt,
                publishAt: request.publishAt)
            waiting.canBeDetached = !action.filesUnderWay.isEmpty
            waiting.pictures = (request.attachments ?? []).filter { $0.type == .image }.compactMap {
                $0.fileUnderWay?.item
            }
        case .comment(let request):
            waiting = WaitingPost(id: id, content: request.content, attachmentCount: 0, writtenAt: createdAt)
            waiting.comment = postId.map { WaitingPost.CommentPlace(post: $0, parent: request.parentCommentId) }
        case .delete, .interact, .deleteComment, .follow: return nil
        }
        waiting.refusal = state == .parked ? lastError : nil
        waiting.isPosted = state == .acknowledged
        return waiting
    }
}
