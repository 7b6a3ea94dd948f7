/// A person as the author of something, as a list shows her.
public struct AuthorPreview: Codable, Equatable, Sendable, Identifiable {
    /// A Snowflake id, the account's.
    public var id: Int64
    public var name: String
    /// Her ``Handle``; absent in what a device kept from before there were such.
    public var handle: String?
    /// A path on the server, fetched with the token.
    public var profileImageThumbnailUrl: String?

    public init(id: Int64, name: String, handle: String? = nil, profileImageThumbnailUrl: String? = nil) {
        self.id = id
        self.name = name
        self.handle = handle
        self.profileImageThumbnailUrl = profileImageThumbnailUrl
    }
}

/// A post as a feed shows it: what a list needs, and no more.
public struct PostPreview: Codable, Equatable, Sendable, Identifiable {
    /// Its place in this feed: greater is newer. A post's own id, or one that was made when it was shared.
    public var entryId: Int64
    /// A Snowflake id.
    public var postId: Int64
    /// The beginning of its text, as HTML of ``PostText``.
    public var contentSummary: String
    /// Whether the text goes on after that.
    public var isCut: Bool
    /// The line that stands before it, plain text of 1 to ``FeedLimits/maximumContentWarning`` characters: what it warns of is shown to
    /// a reader who asks for it. Absent where there is none.
    public var contentWarning: String?
    public var author: AuthorPreview
    public var createdAt: Timestamp
    /// Whether who asks likes it.
    public var liked: Bool
    /// Whether who asks has marked it to find it again.
    public var bookmarked: Bool
    /// People who like it.
    public var likeCount: Int
    /// People who have shared it.
    public var shareCount: Int
    /// Its comments, replies among them.
    public var commentCount: Int
    public var attachmentCount: Int
    /// The first of its pictures; absent where it has none.
    public var attachmentPreviewImageUrl: String?
    /// Points of the whole picture or film, upright; absent where they are not known, or not yet.
    public var attachmentPreviewWidth: Int?
    public var attachmentPreviewHeight: Int?
    /// A [ThumbHash](https://evanw.github.io/thumbhash/) of it in base64, to be shown until it is there.
    public var attachmentPreviewPlaceholder: String?
    /// What each attachment is, in their order; absent where it has none, and in what a device kept from before there were such.
    public var attachmentPreviews: [AttachmentPreview]?
    /// Who shared it, where it is here because of that.
    public var sharedBy: AuthorPreview?
    /// Who may read it.
    public var audience: PostAudience
    /// Whether who asks has shared it.
    public var shared: Bool
    /// 1 or more; it grows with each edit of the post.
    public var version: Int
    /// When it was edited last; absent where it never was.
    public var editedAt: Timestamp?
    /// The request that made it; for its author alone.
    public var requestId: String?
    /// For when its author scheduled it; for its author alone.
    public var publishAt: Timestamp?

    public var id: Int64 { postId }

    public init(
        entryId: Int64, postId: Int64, contentSummary: String, isCut: Bool, author: AuthorPreview,
        createdAt: Timestamp, liked: Bool, bookmarked: Bool, likeCount: Int, shareCount: Int, commentCount: Int = 0,
        attachmentCount: Int,
        attachmentPreviewImageUrl: String? = nil, sharedBy: AuthorPreview? = nil, audience: PostAudience = .everyone,
        shared: Bool = false, version: Int = 1, editedAt: Timestamp? = nil, requestId: String? = nil,
        publishAt: Timestamp? = nil, attachmentPreviewWidth: Int? = nil, attachmentPreviewHeight: Int? = nil,
        attachmentPreviewPlaceholder: String? = nil, contentWarning: String? = nil,
        attachmentPreviews: [AttachmentPreview]? = nil
    ) {
        self.entryId = entryId
        self.postId = postId
        self.contentSummary = contentSummary
        self.isCut = isCut
        self.contentWarning = contentWarning
        self.author = author
        self.createdAt = createdAt
        self.liked = liked
        self.bookmarked = bookmarked
        self.likeCount = likeCount
        self.shareCount = shareCount
        self.commentCount = commentCount
        self.attachmentCount = attachmentCount
        self.attachmentPreviewImageUrl = attachmentPreviewImageUrl
        self.attachmentPreviewWidth = attachmentPreviewWidth
        self.attachmentPreviewHeight = attachmentPreviewHeight
        self.attachmentPreviewPlaceholder = attachmentPreviewPlaceholder
        self.attachmentPreviews = attachmentPreviews
        self.sharedBy = sharedBy
        self.audience = audience
        self.shared = shared
        self.version = version
        self.editedAt = editedAt
        self.requestId = requestId
        self.publishAt = publishAt
    }
}

/// A picture or video of a post.
public struct Attachment: Codable, Equatable, Sendable, Identifiable {
    /// A Snowflake id.
    public var id: Int64
    public var type: OpenWord<AttachmentType>
    /// Signed: its holder reads the content until it ends.
    public var contentUrl: String
    /// Absent for a video.
    public var previewImageUrl: String?
    public var caption: String?
    /// Points, upright; absent where they are not known, or not yet.
    public var width: Int?
    public var height: Int?
    /// Of a video, in milliseconds; absent where it is not known, or not yet.
    public var durationMs: Int64?
    /// A [ThumbHash](https://evanw.github.io/thumbhash/) in base64, to be shown until the picture is there; absent where there is none, or not yet.
    public var placeholder: String?

    public init(
        id: Int64, type: AttachmentType, contentUrl: String, previewImageUrl: String? = nil, caption: String? = nil,
        width: Int? = nil, height: Int? = nil, durationMs: Int64? = nil, placeholder: String? = nil
    ) {
        self.id = id
        self.type = OpenWord(type)
        self.contentUrl = contentUrl
        self.previewImageUrl = previewImageUrl
        self.caption = caption
        self.width = width
        self.height = height
        self.durationMs = durationMs
        self.placeholder = placeholder
    }
}

/// What an attachment is.
public enum AttachmentType: String, Codable, CaseIterable, Sendable {
    case image, video

    /// - Returns: nil for what can be attached to no post.
    public init?(mimeType: String) {
        switch mimeType.prefix(while: { $0 != "/" }) {
        case "image": self = .image
        case "video": self = .video
        default: return nil
        }
    }
}

/// A whole post.
public struct PostDetail: Codable, Equatable, Sendable, Identifiable {
    /// A Snowflake id.
    public var postId: Int64
    /// HTML of ``PostText``.
    public var content: String
    /// See ``PostPreview/contentWarning``.
    public var contentWarning: String?
    public var author: AuthorPreview
    public var createdAt: Timestamp
    /// Whether who asks likes it.
    public var liked: Bool
    /// Whether who asks has marked it to find it again.
    public var bookmarked: Bool
    /// People who like it.
    public var likeCount: Int
    /// People who have shared it.
    public var shareCount: Int
    /// Its comments, replies among them.
    public var commentCount: Int
    public var attachments: [Attachment]
    /// Who may read it.
    public var audience: PostAudience
    /// Whether who asks has shared it.
    public var shared: Bool
    /// 1 or more; it grows with each edit of the post.
    public var version: Int
    /// When it was edited last; absent where it never was.
    public var editedAt: Timestamp?
    /// The request that made it; for its author alone.
    public var requestId: String?
    /// For when its author scheduled it; for its author alone.
    public var publishAt: Timestamp?

    public var id: Int64 { postId }

    public init(
        postId: Int64, content: String, author: AuthorPreview, createdAt: Timestamp, liked: Bool, bookmarked: Bool,
        likeCount: Int, shareCount: Int, commentCount: Int = 0, attachments: [Attachment],
        audience: PostAudience = .everyone, shared: Bool = false, version: Int = 1, editedAt: Timestamp? = nil,
        requestId: String? = nil, publishAt: Timestamp? = nil, contentWarning: String? = nil
    ) {
        self.postId = postId
        self.content = content
        self.contentWarning = contentWarning
        self.author = author
        self.createdAt = createdAt
        self.liked = liked
        self.bookmarked = bookmarked
        self.likeCount = likeCount
        self.shareCount = shareCount
        self.commentCount = commentCount
        self.attachments = attachments
        self.audience = audience
        self.shared = shared
        self.version = version
        self.editedAt = editedAt
        self.requestId = requestId
        self.publishAt = publishAt
    }
}

/// A page of `GET /v1/feed`, and of one person's posts.
public struct FeedApiResponse: Codable, Equatable, Sendable {
    /// Newest first.
    public var feed: [PostPreview]
    public var paging: PaginationMetadata
    /// For `since` of a later request: all that has come into the caller's feed by now. Absent in other lists.
    public var arrival: String?
    /// Whether this page is the last of what came since, and all of that was told; absent where `since` was not given. False on the
    /// last page where the feed does not have all of it: the rest is found by reading the feed.
    public var reachesSince: Bool?

    public init(
        feed: [PostPreview], paging: PaginationMetadata, arrival: String? = nil, reachesSince: Bool? = nil
    ) {
        self.feed = feed
        self.paging = paging
        self.arrival = arrival
        self.reachesSince = reachesSince
    }
}

/// `GET /v1/posts/{postId}`.
public struct PostDetailApiResponse: Codable, Equatable, Sendable {
    public var post: PostDetail

    public init(post: PostDetail) { self.post = post }
}
