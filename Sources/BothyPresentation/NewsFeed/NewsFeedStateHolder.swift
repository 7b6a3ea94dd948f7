import BothyClient
import BothyContract
import Observation

/// What a feed shows.
public struct NewsFeedState: Equatable, Sendable {
    /// A post that was written here and is not in the feed yet.
    public struct Waiting: Equatable, Sendable, Identifiable {
        public var id: WaitingPost.ID
        public var text: PostText
        public var attachments: String?
        /// «Waiting to be posted», or why it was not.
        public var standing: String
        /// What to do now, where there is something to do.
        public var remedy: String?
        public var isRefused: Bool
        /// It waits, and can be given up.
        public var canBeDiscarded: Bool
    }

    public enum Standing: Equatable, Sendable {
        case fresh, shown
        case failed(Notice)
    }

    public var posts = [PostRow]()
    public var waiting = [Waiting]()
    /// Where the next page begins.
    public var next: String?
    public var isFirst = true
    /// Why it may not be the newest; nil where the server has just answered.
    public var staleness: String?
    public var standing = Standing.fresh
    public var notice: Notice?

    public var isEmpty: Bool { standing == .shown && posts.isEmpty && waiting.isEmpty && isFirst }
}

/// The feed, or one person's posts.
@MainActor @Observable
public final class NewsFeedStateHolder {
    public private(set) var state = NewsFeedState()

    @ObservationIgnored private let posts: any PostsRepository
    /// What is shown, as it was told.
    @ObservationIgnored private var previews = [Int64: PostPreview]()
    /// Whose feed it is.
    @ObservationIgnored private let you: Int64
    @ObservationIgnored private let words: Words
    @ObservationIgnored private let clock: PersonsClock

    public init(_ posts: any PostsRepository, you: Int64, words: Words, clock: PersonsClock) {
        self.posts = posts
        self.you = you
        self.words = words
        self.clock = clock
    }

    /// Shows the page that begins there; the first for nil.
    ///
    /// - Parameter person: whose posts; nil for the feed.
    public func open(after place: String? = nil, of person: Int64? = nil) async {
        do {
            let page =
                if let person {
                    try await posts.posts(of: person, after: place, limit: FeedLimits.defaultPage)
                } else {
                    try await posts.feed(after: place, limit: FeedLimits.defaultPage)
                }
            previews = Dictionary(page.posts.map { ($0.postId, $0) }) { first, _ in first }
            state.posts = page.posts.map { PostRow($0, you: you, words: words, clock: clock) }
            state.waiting = page.waiting.map(waiting)
            state.next = page.next
            state.isFirst = place == nil
            state.staleness = page.unreached.map(staleness)
            state.standing = .shown
        } catch {
            state.standing = .failed(words.failure(error))
        }
    }

    private func waiting(_ post: WaitingPost) -> NewsFeedState.Waiting {
        let refusal = post.refusal.map { words.failure($0) }
        return NewsFeedState.Waiting(
            id: post.id, text: PostText(html: post.content),
            attachments: post.attachmentCount == 0
                ? nil : words.counted(post.attachmentCount, one: .postAttachmentOne, many: .postAttachmentMany),
            standing: refusal.map { words.filled(.postRefused, $0.text) }
                ?? words[post.isPosted ? .postPublished : .postWaiting],
            remedy: refusal?.remedy, isRefused: refusal != nil, canBeDiscarded: !post.isPosted)
    }

    private func staleness(_ failure: ClientFailure) -> String {
        failure.code == .signInNeeded ? words.failure(failure).text : words[.feedKept]
    }

    // MARK: - What a person does

    /// Shows it at once, and has it done: what the server says later changes nothing that is seen, unless it says no.
    public func interact(_ interaction: PostInteraction, with id: Int64) async {
        let before = previews[id]
        previews[id]?.record(interaction)
        draw(id)
        let outcome = await PostInteracting(posts: posts, words: words).perform(interaction, with: id)
        state.notice = outcome.notice
        guard outcome.isRefused, let before else { return }
        previews[id] = before
        draw(id)
    }

    private func draw(_ id: Int64) {
        guard let preview = previews[id], let place = state.posts.firstIndex(where: { $0.id == id }) else { return }
        state.posts[place] = PostRow(preview, you: you, words: words, clock: clock)
    }

    public func tryAgain(_ waiting: WaitingPost.ID) async {
        do {
            try await posts.tryAgain(waiting)
        } catch {
            state.notice = words.failure(error)
        }
    }

    public func discard(_ waiting: WaitingPost.ID) async {
        do {
            try await posts.discard(waiting)
            state.notice = Notice(words[.postDiscarded])
        } catch {
            state.notice = words.failure(error)
        }
    }
}
