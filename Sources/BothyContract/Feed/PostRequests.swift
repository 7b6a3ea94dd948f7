/// `POST /v1/posts`. The id and the time of a post are made by the server.
public struct NewPostRequest: Codable, Equatable, Sendable {
    /// 1 to 128 bytes, made by the client: the same id makes one post. On the wire it may be a number (``FeedLimits/requestIds``).
    public var requestId: String?
    /// HTML; what ``PostText`` does not know is dropped. 0 to ``FeedLimits/maximumContentBytes`` bytes.
    public var content: String
    /// 0 to ``FeedLimits/maximumAttachments``; to people who are named, ``FeedLimits/maximumAttachmentsToPeople``.
    public var attachments: [NewAttachment]?
    /// The draft that becomes this post, and goes with it. It is the request id too.
    public var draftId: Int64?
    /// The version of that draft; one that was changed since stays, as a draft of its own.
    public var draftVersion: Int64?
    /// Nil for everyone.
    public var audience: NewPostAudience?
    /// When it shall be posted, at most ``FeedLimits/mostDaysAhead`` from now; nil, or a time that is over, for at once.
    public var publishAt: Timestamp?
    /// 1 to ``FeedLimits/maximumContentWarning`` Unicode scalars; what acts on a screen instead of being shown is taken out. Nil for none.
    public var contentWarning: String?

    public init(
        requestId: String?, content: String, attachments: [NewAttachment]? = nil, draftId: Int64? = nil,
        draftVersion: Int64? = nil, audience: NewPostAudience? = nil, publishAt: Timestamp? = nil,
        contentWarning: String? = nil
    ) {
        self.requestId = requestId
        self.content = content
        self.attachments = attachments
        self.draftId = draftId
        self.draftVersion = draftVersion
        self.audience = audience
        self.publishAt = publishAt
        self.contentWarning = contentWarning
    }

    private enum CodingKeys: CodingKey {
        case requestId, content, attachments, draftId, draftVersion, audience, publishAt, contentWarning
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        requestId = try values.requestId(forKey: .requestId)
        content = try values.decode(String.self, forKey: .content)
        attachments = try values.decodeIfPresent([NewAttachment].self, forKey: .attachments)
        draftId = try values.decodeIfPresent(Int64.self, forKey: .draftId)
        draftVersion = try values.decodeIfPresent(Int64.self, forKey: .draftVersion)
        audience = try values.decodeIfPresent(NewPostAudience.self, forKey: .audience)
        publishAt = try values.decodeIfPresent(Timestamp.self, forKey: .publishAt)
        contentWarning = try values.decodeIfPresent(String.self, forKey: .contentWarning)
    }
}

/// Content that was uploaded before, to be part of a post.
public struct NewAttachment: Codable, Equatable, Sendable {
    public var type: AttachmentType
    /// The `downloadUrl` of a file or revision of the author's own drive.
    public var contentUrl: String
    /// 1 to ``FeedLimits/maximumCaption`` Unicode scalars; what acts on a screen instead of being shown is taken out.
    public var caption: String?

    public init(type: AttachmentType, contentUrl: String, caption: String? = nil) {
        self.type = type
        self.contentUrl = contentUrl
        self.caption = caption
    }
}

/// `POST /v1/posts/{postId}/interactions`.
public struct PostInteractionRequest: Codable, Equatable, Sendable {
    /// 1 to 128 bytes, made by the client: the same id acts once.
    public var requestId: String?
    public var type: PostInteraction

    public init(requestId: String?, type: PostInteraction) {
        self.requestId = requestId
        self.type = type
    }

    private enum CodingKeys: CodingKey { case requestId, type }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        requestId = try values.requestId(forKey: .requestId)
        type = try values.decode(PostInteraction.self, forKey: .type)
    }
}

/// What a person does with a post. Of each person and post, the last one counts.
public enum PostInteraction: String, Codable, CaseIterable, Sendable {
    case liked = "LIKED"
    case removedLike = "REMOVED_LIKE"
    /// Puts it into the feeds of the sharer's followers.
    case shared = "SHARED"
    case removedShare = "REMOVED_SHARE"
    case bookmarked = "BOOKMARKED"
    case removedBookmark = "REMOVED_BOOKMARK"
}

/// What a post, and a page of a feed, may have.
public enum FeedLimits {
    /// Bytes of HTML.
    public static let maximumContentBytes = 64 << 10
    /// Bytes of HTML.
    public static let maximumCommentBytes = 16 << 10
    /// Bytes of HTML of a post or a comment as it is written anew: there, each run of words has all of its marks and its link, so
    /// few bytes that are sent can become many.
    public static let maximumWrittenBytes = 256 << 10
    /// Characters of a text, as ``PostLength`` counts them.
    public static let maximumCharacters = 10_000
    public static let maximumAttachments = 20
    /// The same of a post to people whom it names.
    public static let maximumAttachmentsToPeople = 500
    /// Posts of one person that wait for their time.
    public static let maximumScheduled = 300
    /// How far ahead a post is scheduled.
    public static let mostDaysAhead = 366
    /// Posts of one person in an hour.
    public static let postsAnHour = 300
    /// Comments of one person in an hour.
    public static let commentsAnHour = 1_000
    /// Interactions of one `POST /v1/interactions`.
    public static let maximumInteractions = 100
    /// Posts of one `POST /v1/posts/check`.
    public static let maximumChecked = 500
    /// What a post said before, of which so much is kept.
    public static let maximumVersions = 100
    /// People whom a post is to, besides its author.
    public static let maximumPeople = 100
    /// A request id that is a number: what a number of JavaScript holds exactly.
    public static let requestIds: ClosedRange<Int64> = 1...((1 << 53) - 1)
    /// Unicode scalars.
    public static let maximumCaption = 1_000
    /// Unicode scalars.
    public static let maximumContentWarning = 200
    /// Characters of text in a ``PostPreview/contentSummary``, as ``PostLength`` counts them.
    public static let summaryLength = 280
    /// Posts of a page, where the request does not say.
    public static let defaultPage = 30
    /// Posts that came into a feed, as far as they are counted.
    public static let mostArrivals = 20
    /// Posts of a page, whatever the request says.
    public static let maximumPage = 100
}
