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
    /// Of a search on a device: who found its posts. What waits was found by the device. Nil where nothing was searched, and where no
    /// device looks.
    public var source: PostSource?

    public init(
        posts: [PostPreview], waiting: [WaitingPost] = [], next: String? = nil, unreached: ClientFailure? = nil,
        arrival: String? = nil, gaps: [Int64: String] = [:], source: PostSource? = nil
    ) {
        self.posts = posts
        self.waiting = waiting
        self.next = next
        self.unreached = unreached
        self.arrival = arrival
        self.gaps = gaps
        self.source = source
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
