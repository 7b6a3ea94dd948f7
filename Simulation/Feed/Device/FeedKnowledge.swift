import BothyClient
import BothyContract

/// What a device has heard of the feed: each answer of the server as it came, and what was acknowledged since. It stands beside what the
/// device keeps of that, and is made otherwise, so that the two can be compared.
struct FeedKnowledge: Sendable {
    /// A post as the server had it when it was asked last.
    struct Seen: Sendable {
        let post: SimulatedPost
        /// What was acknowledged since, in order.
        var done = [FeedOperation]()
    }

    /// A post that was written here and has not come with the feed.
    struct Written: Sendable {
        let operation: Int64
        var requestId: String
        /// The server has said that it is there.
        var isPosted = false
    }

    struct CommentPlace: Comparable, Sendable {
        let thread: Int64
        let id: Int64

        static func < (one: Self, other: Self) -> Bool { (one.thread, one.id) < (other.thread, other.id) }
    }

    /// Posts by their places in the feed.
    private(set) var entries = [Int64: Int64]()
    private(set) var previews = [Int64: Seen]()
    private(set) var details = [Int64: Seen]()
    /// In order; nothing for a post whose comments were heard in part.
    private(set) var comments = [Int64: [CommentPlace]]()
    private(set) var following = [Int64: Bool]()
    private(set) var written = [Written]()
    /// Requests that got no answer at least once: whether they were done nobody here can know.
    var unheard = Set<String>()

    /// Places, the newest first.
    var order: [Int64] { entries.keys.sorted(by: >) }

    /// What the server has told of a person's own posts that are in the feed here.
    func isInFeed(_ requestId: String, of person: Int64) -> Bool {
        entries.values.contains { id in
            guard let post = previews[id]?.post else { return false }
            return post.author == person && post.requestId == requestId
        }
    }

    // MARK: - What the server says

    /// - Parameters:
    ///   - posts: those of the page, as the server has them.
    ///   - before: where the page begins; nil for the newest.
    ///   - posted: operations of ``written`` that were acknowledged when it was asked for.
    mutating func take(
        _ page: FeedApiResponse, _ posts: [SimulatedPost], before: Int64?, posted: Set<Int64>
    ) {
        let end = page.paging.next == nil ? Int64.min : page.feed.last?.entryId ?? Int64.min
        let ids = Set(page.feed.map(\.postId))
        entries = entries.filter { entry, post in
            (entry < end || entry >= before ?? .max) && !ids.contains(post)
        }
        for (preview, post) in zip(page.feed, posts) {
            if !isKept(post.id) { comments[post.id] = [] }
            previews[post.id] = Seen(post: post)
            entries[preview.entryId] = preview.postId
        }
        if before == nil { written.removeAll { posted.contains($0.operation) } }
    }

    mutating func take(_ post: SimulatedPost) {
        if !isKept(post.id) { comments[post.id] = [] }
        details[post.id] = Seen(post: post)
    }

    /// - Parameter comments: all that there are; nil where only some of them came.
    mutating func take(_ comments: [Comment]?, on post: Int64) {
        guard isKept(post) else { return }
        self.comments[post] = comments?.map { CommentPlace(thread: $0.threadId, id: $0.commentId) }
    }

    mutating func take(_ people: [BothyContract.Person]) {
        following = Dictionary(uniqueKeysWithValues: people.map { ($0.id, $0.following) })
    }

    private func isKept(_ post: Int64) -> Bool { previews[post] != nil || details[post] != nil }

    /// It is not there any more.
    mutating func forget(_ post: Int64) {
        previews[post] = nil
        details[post] = nil
        comments[post] = nil
        entries = entries.filter { $0.value != post }
    }

    // MARK: - What was done here

    mutating func writes(_ operation: FeedOperation) {
        if case .publish = operation.action {
            written.append(Written(operation: operation.id, requestId: operation.requestId))
        }
    }

    mutating func rewrites(_ operation: Int64, as requestId: String) {
        for index in written.indices where written[index].operation == operation {
            written[index].requestId = requestId
        }
    }

    mutating func givesUp(_ operation: Int64) { written.removeAll { $0.operation == operation } }

    /// The device has heard that it is done.
    ///
    /// - Parameter made: the comment that it has made.
    mutating func acknowledged(_ operation: FeedOperation, made: CommentPlace?) {
        switch operation.action {
        case .publish:
            for index in written.indices where written[index].operation == operation.id {
                written[index].isPosted = true
            }
            return
        case .delete:
            if let post = operation.postId { forget(post) }
            return
        case .follow(let isFollowing):
            if let person = operation.subjectId, following[person] != nil { following[person] = isFollowing }
            return
        case .interact, .comment, .deleteComment: break
        }
        guard let post = operation.postId, isKept(post) else { return }
        previews[post]?.done.append(operation)
        details[post]?.done.append(operation)
        if let made, comments[post]?.contains(made) == false {
            comments[post] = (comments[post, default: []] + [made]).sorted()
        }
        if case .deleteComment = operation.action {
            comments[post]?.removeAll { $0.id == operation.subjectId }
        }
    }

    /// The device has heard that it is refused, and has taken back what it showed.
    mutating func refused(_ operation: FeedOperation) {
        guard operation.lastError?.code == .notFound else { return }
        switch (operation.action, operation.subjectId, operation.postId) {
        case (.follow, let person?, _): following[person] = nil
        case (.deleteComment, let comment?, let post?): comments[post]?.removeAll { $0.id == comment }
        case (_, _, let post?): forget(post)
        default: break
        }
    }
}
