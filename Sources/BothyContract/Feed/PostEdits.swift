/// `PATCH /v1/posts/{postId}`. What is nil stays as it is.
public struct EditPostRequest: Codable, Equatable, Sendable {
    /// 1 to 128 bytes, made by the client: the same id edits once.
    public var requestId: String?
    /// The ``PostDetail/version`` that was edited.
    public var baseVersion: Int
    /// See ``NewPostRequest/content``.
    public var content: String?
    /// All that are to be there, in their order. `contentUrl` may be that of one that is there.
    public var attachments: [NewAttachment]?
    /// At most those who may read it now.
    public var audience: NewPostAudience?
    /// See ``NewPostRequest/contentWarning``; an empty one takes it away.
    public var contentWarning: String?

    public init(
        requestId: String?, baseVersion: Int, content: String? = nil, attachments: [NewAttachment]? = nil,
        audience: NewPostAudience? = nil, contentWarning: String? = nil
    ) {
        self.requestId = requestId
        self.baseVersion = baseVersion
        self.content = content
        self.attachments = attachments
        self.audience = audience
        self.contentWarning = contentWarning
    }

    private enum CodingKeys: CodingKey { case requestId, baseVersion, content, attachments, audience, contentWarning }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        requestId = try values.requestId(forKey: .requestId)
        baseVersion = try values.decode(Int.self, forKey: .baseVersion)
        content = try values.decodeIfPresent(String.self, forKey: .content)
        attachments = try values.decodeIfPresent([NewAttachment].self, forKey: .attachments)
        audience = try values.decodeIfPresent(NewPostAudience.self, forKey: .audience)
        contentWarning = try values.decodeIfPresent(String.self, forKey: .contentWarning)
    }
}

/// What a post said, and since when.
public struct PostVersion: Codable, Equatable, Sendable {
    public var version: Int
    /// HTML of ``PostText``.
    public var content: String
    /// What stood before it then; absent where there was none.
    public var contentWarning: String?
    public var createdAt: Timestamp

    public init(version: Int, content: String, contentWarning: String? = nil, createdAt: Timestamp) {
        self.version = version
        self.content = content
        self.contentWarning = contentWarning
        self.createdAt = createdAt
    }
}

/// `GET /v1/posts/{postId}/history`: what it says now, and the latest ``FeedLimits/maximumVersions`` of what it said before, the newest
/// first.
public struct PostHistoryResponse: Codable, Equatable, Sendable {
    public var versions: [PostVersion]

    public init(versions: [PostVersion]) { self.versions = versions }
}

/// A deleted post, which its author can restore.
public struct TrashedPost: Codable, Equatable, Sendable {
    public var post: PostPreview
    public var deletedAt: Timestamp

    public init(post: PostPreview, deletedAt: Timestamp) {
        self.post = post
        self.deletedAt = deletedAt
    }
}

/// A page of `GET /v1/posts/trash`, by when they were posted, the newest first.
public struct TrashedPostsResponse: Codable, Equatable, Sendable {
    public var posts: [TrashedPost]
    public var paging: PaginationMetadata

    public init(posts: [TrashedPost], paging: PaginationMetadata) {
        self.posts = posts
        self.paging = paging
    }
}
