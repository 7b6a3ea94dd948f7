/// What somebody else did that concerns a person: her post was liked, she was named, she is followed.
public struct FeedNotification: Codable, Equatable, Sendable, Identifiable {
    /// That of the newest of those that it stands for. Greater is newer.
    public var notificationId: Int64
    /// One that is not known here is passed over.
    public var kind: OpenWord<Kind>
    /// Who did it, the newest first: at most ``mostActors``.
    public var actors: [AuthorPreview]
    /// How many did it.
    public var actorCount: Int
    /// The post that it is about; absent for what is about none.
    public var postId: Int64?
    /// The comment that it is about; absent for what is about none.
    public var commentId: Int64?
    /// The beginning of the words of that comment, or else of that post: plain text on one line. Absent where there are none, and where
    /// a post's stand behind a warning.
    public var excerpt: String?
    /// The warning before that post, where ``excerpt`` would be its words.
    public var contentWarning: String?
    /// When the newest was done.
    public var createdAt: Timestamp
    /// Whether the person has read it.
    public var read: Bool

    public var id: Int64 { notificationId }

    /// People who are named; others are counted.
    public static let mostActors = 3
    /// Characters.
    public static let excerptLength = 100

    public enum Kind: String, Codable, CaseIterable, Sendable {
        /// Likes of a post of hers; those of one post are one notification.
        case like
        /// Shares of a post of hers; those of one post are one notification.
        case share
        /// A comment on a post of hers.
        case comment
        /// A reply to a comment of hers.
        case reply
        /// She is named in a post or in a comment.
        case mention
        /// Somebody follows her.
        case follow
        /// Somebody asks to follow her.
        case followRequest = "follow_request"
    }

    public init(
        notificationId: Int64, kind: Kind, actors: [AuthorPreview], actorCount: Int, postId: Int64? = nil,
        commentId: Int64? = nil, excerpt: String? = nil, contentWarning: String? = nil, createdAt: Timestamp,
        read: Bool
    ) {
        self.notificationId = notificationId
        self.kind = OpenWord(kind)
        self.actors = actors
        self.actorCount = actorCount
        self.postId = postId
        self.commentId = commentId
        self.excerpt = excerpt
        self.contentWarning = contentWarning
        self.createdAt = createdAt
        self.read = read
    }
}

/// A page of `GET /v1/notifications`.
public struct NotificationsResponse: Codable, Equatable, Sendable {
    /// Newest first.
    public var notifications: [FeedNotification]
    /// How many there are that the person has not read, on whatever page.
    public var unread: Int
    public var paging: PaginationMetadata

    public init(notifications: [FeedNotification], unread: Int, paging: PaginationMetadata) {
        self.notifications = notifications
        self.unread = unread
        self.paging = paging
    }
}

/// `PUT /v1/notifications/read`. The answer is a ``NotificationsReadResponse``.
public struct NotificationsReadRequest: Codable, Equatable, Sendable {
    /// The newest one that was read; all older ones are read too. What was read stays so.
    public var upTo: Int64

    public init(upTo: Int64) { self.upTo = upTo }
}

/// How far a person has read.
public struct NotificationsReadResponse: Codable, Equatable, Sendable {
    /// 0 where she has read none.
    public var readUpTo: Int64
    public var unread: Int

    public init(readUpTo: Int64, unread: Int) {
        self.readUpTo = readUpTo
        self.unread = unread
    }
}
