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
    /// By the id of a post, what is missing below it here.
    public var gaps: [Int64: Gap]
    /// Of a page that was asked for with `above`: the entry above which the next page begins; nil where there is nothing newer.
    public var newer: Int64?

    /// Of a search on a device: who found its posts. What waits was found by the device. Nil where nothing was searched, and where no
    /// device looks.
    public var source: PostSource?

    /// Posts that are missing here between two that are kept.
    public struct Gap: Equatable, Sendable {
        /// Where they begin below the post above them: for `after`.
        public var older: String
        /// The entry below them: for `above`. Nil where nothing is kept below them.
        public var newer: Int64?

        public init(older: String, newer: Int64?) {
            self.older = older
            self.newer = newer
        }
    }

    public init(
        posts: [PostPreview], waiting: [WaitingPost] = [], next: String? = nil, unreached: ClientFailure? = nil,
        arrival: String? = nil, gaps: [Int64: Gap] = [:], newer: Int64? = nil,
        source: PostSource? = nil
    ) {
        self.posts = posts
        self.waiting = waiting
        self.next = next
        self.unreached = unreached
        self.arrival = arrival
        self.gaps = gaps
        self.source = source
        self.newer = newer
    }
}

/// Who found a post.
public enum PostSource: String, Codable, Sendable {
    /// This device, among the posts that are kept here.
    case device
    /// The server, among all that the person may read.
    case server
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
