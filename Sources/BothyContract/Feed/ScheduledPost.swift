/// A post that its author has written, to be posted at a set time.
public struct ScheduledPost: Codable, Equatable, Sendable, Identifiable {
    /// A Snowflake id; the post gets one of its own when it is posted.
    public var scheduledId: Int64
    public var requestId: String?
    public var publishAt: Timestamp
    /// Why it was not posted at its time, in a sentence; absent while it waits for that. Its author decides what becomes of it.
    public var held: String?
    /// HTML of ``PostText``.
    public var content: String
    /// See ``PostPreview/contentWarning``.
    public var contentWarning: String?
    public var attachments: [Attachment]
    public var audience: PostAudience

    public var id: Int64 { scheduledId }

    public init(
        scheduledId: Int64, requestId: String? = nil, publishAt: Timestamp, held: String? = nil, content: String,
        contentWarning: String? = nil, attachments: [Attachment], audience: PostAudience
    ) {
        self.scheduledId = scheduledId
        self.requestId = requestId
        self.publishAt = publishAt
        self.held = held
        self.content = content
        self.contentWarning = contentWarning
        self.attachments = attachments
        self.audience = audience
    }
}

/// `GET /v1/posts/scheduled`: all of them, the next one first.
public struct ScheduledPostsResponse: Codable, Equatable, Sendable {
    public var posts: [ScheduledPost]

    public init(posts: [ScheduledPost]) { self.posts = posts }
}

/// `PATCH /v1/posts/scheduled/{scheduledId}`.
public struct ReschedulePostRequest: Codable, Equatable, Sendable {
    /// When it shall be posted; what is not later than now posts it at once.
    public var publishAt: Timestamp

    public init(publishAt: Timestamp) { self.publishAt = publishAt }
}
