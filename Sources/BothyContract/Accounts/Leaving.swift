/// `DELETE /v1/account`.
public struct DeleteAccountRequest: Codable, Equatable, Sendable {
    /// The account's, so that a token alone deletes nothing.
    public var password: String

    public init(password: String) { self.password = password }
}

/// A post in `GET /v1/account/export`.
public struct ExportedPost: Codable, Equatable, Sendable {
    public struct Attachment: Codable, Equatable, Sendable {
        public var type: String
        /// Of a file of the account's own drive, which may be deleted by now.
        public var revisionId: String
        /// Signed: its holder reads the content until it ends.
        public var contentUrl: String
        public var caption: String?

        public init(type: String, revisionId: String, contentUrl: String, caption: String? = nil) {
            self.type = type
            self.revisionId = revisionId
            self.contentUrl = contentUrl
            self.caption = caption
        }
    }

    public var postId: Int64
    /// HTML of ``PostText``.
    public var content: String
    public var contentWarning: String?
    public var createdAt: Timestamp
    public var attachments: [Attachment]

    public init(
        postId: Int64, content: String, contentWarning: String? = nil, createdAt: Timestamp, attachments: [Attachment]
    ) {
        self.postId = postId
        self.content = content
        self.contentWarning = contentWarning
        self.createdAt = createdAt
        self.attachments = attachments
    }
}

/// A comment in `GET /v1/account/export`.
public struct ExportedComment: Codable, Equatable, Sendable {
    public var commentId: Int64
    public var postId: Int64
    public var parentCommentId: Int64?
    /// HTML of ``PostText``.
    public var content: String
    public var createdAt: Timestamp

    public init(commentId: Int64, postId: Int64, parentCommentId: Int64?, content: String, createdAt: Timestamp) {
        self.commentId = commentId
        self.postId = postId
        self.parentCommentId = parentCommentId
        self.content = content
        self.createdAt = createdAt
    }
}

/// What was done with a post, in `GET /v1/account/export`.
public struct ExportedInteraction: Codable, Equatable, Sendable {
    public var postId: Int64
    public var liked: Bool
    public var shared: Bool
    public var bookmarked: Bool

    public init(postId: Int64, liked: Bool, shared: Bool, bookmarked: Bool) {
        self.postId = postId
        self.liked = liked
        self.shared = shared
        self.bookmarked = bookmarked
    }
}
