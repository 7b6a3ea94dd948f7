/// A comment on a post. Comments form threads: a comment on the post itself begins one, and replies belong to it.
public struct Comment: Codable, Equatable, Sendable, Identifiable {
    /// A Snowflake id.
    public var commentId: Int64
    /// The comment that begins the thread; its own id where this one does.
    public var threadId: Int64
    /// The comment that this one replies to; absent for a comment on the post itself.
    public var parentCommentId: Int64?
    /// True where the comment that this one replies to was deleted; absent otherwise.
    public var parentDeleted: Bool?
    /// True where the author of that comment has left the server; absent otherwise.
    public var parentLeft: Bool?
    /// HTML of ``PostText``.
    public var content: String
    public var author: AuthorPreview
    public var createdAt: Timestamp
    /// People who like it.
    public var likeCount: Int
    /// Whether who asks likes it.
    public var liked: Bool
    /// How many comments the post had with this one, for who wrote it. Only in the answer to ``NewCommentRequest``; absent otherwise.
    public var commentCount: Int?

    public var id: Int64 { commentId }

    public init(
        commentId: Int64, threadId: Int64, parentCommentId: Int64? = nil, parentDeleted: Bool? = nil,
        content: String, author: AuthorPreview, createdAt: Timestamp, likeCount: Int = 0, liked: Bool = false,
        commentCount: Int? = nil
    ) {
        self.commentId = commentId
        self.threadId = threadId
        self.parentCommentId = parentCommentId
        self.parentDeleted = parentDeleted
        self.content = content
        self.author = author
        self.createdAt = createdAt
        self.likeCount = likeCount
        self.liked = liked
        self.commentCount = commentCount
    }
}

/// A page of `GET /v1/posts/{postId}/comments`: thread by thread, the oldest first.
public struct CommentsApiResponse: Codable, Equatable, Sendable {
    public var comments: [Comment]
    public var paging: PaginationMetadata

    public init(comments: [Comment], paging: PaginationMetadata) {
        self.comments = comments
        self.paging = paging
    }
}

/// `POST /v1/posts/{postId}/comments`. The answer is the ``Comment``.
public struct NewCommentRequest: Codable, Equatable, Sendable {
    /// 1 to 128 bytes, made by the client: the same id makes one comment.
    public var requestId: String?
    /// HTML; what ``PostText`` does not know is dropped. 1 to ``FeedLimits/maximumCommentBytes`` bytes.
    public var content: String
    /// The comment to reply to; absent to comment on the post itself.
    public var parentCommentId: Int64?

    public init(requestId: String?, content: String, parentCommentId: Int64? = nil) {
        self.requestId = requestId
        self.content = content
        self.parentCommentId = parentCommentId
    }

    private enum CodingKeys: CodingKey { case requestId, content, parentCommentId }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        requestId = try values.requestId(forKey: .requestId)
        content = try values.decode(String.self, forKey: .content)
        parentCommentId = try values.decodeIfPresent(Int64.self, forKey: .parentCommentId)
    }
}
