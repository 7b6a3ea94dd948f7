import BothyContract

/// A page of a feed, the newest first.
public struct FeedPage: Equatable, Sendable {
    public var posts: [PostPreview]
    /// On the first page: what was written here and is not in the feed yet, the newest first.
    public var waiting: [WaitingPost]
    /// Where the next page begins; nil on the last. Opaque.
    public var next: String?
    /// Why this is what was known here before, where it is; nil where the server has just answered.
    public var unreached: ClientFailure?
    /// Of the feed: for ``PostsRepository/arrivals(since:)``, all that had come when this was fetched. Opaque; nil where that is not known.
    public var arrival: String?
    /// By the id of a post, where what is missing below it here begins: for `after`.
    public var gaps: [Int64: String]

    public init(
        posts: [PostPreview], waiting: [WaitingPost] = [], next: String? = nil, unreached: ClientFailure? = nil,
        arrival: String? = nil, gaps: [Int64: String] = [:]
    ) {
        self.posts = posts
        self.waiting = waiting
        self.next = next
        self.unreached = unreached
        self.arrival = arrival
        self.gaps = gaps
    }
}

/// A page of the comments on a post: thread by thread, the oldest first.
public struct CommentPage: Equatable, Sendable {
    public var comments: [Comment]
    /// What was written here and is not sent yet, the oldest first.
    public var waiting: [WaitingPost]
    /// Where the next page begins; nil on the last. Opaque.
    public var next: String?
    /// Why these are the comments that were fetched before; nil where the server has just answered.
    public var unreached: ClientFailure?

    public init(
        comments: [Comment], waiting: [WaitingPost] = [], next: String? = nil, unreached: ClientFailure? = nil
    ) {
        self.comments = comments
        self.waiting = waiting
        self.next = next
        self.unreached = unreached
    }
}

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
    public var attachmentCount: Int
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
        id: Int64, content: String, attachmentCount: Int, writtenAt: Timestamp, publishAt: Timestamp? = nil,
        refusal: ClientFailure? = nil, isPosted: Bool = false, comment: CommentPlace? = nil
    ) {
        self.id = id
        self.content = content
        self.attachmentCount = attachmentCount
        self.writtenAt = writtenAt
        self.publishAt = publishAt
        self.refusal = refusal
        self.isPosted = isPosted
        self.comment = comment
    }
}
