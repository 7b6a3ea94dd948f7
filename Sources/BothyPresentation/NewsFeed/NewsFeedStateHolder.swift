import BothyClient
import BothyContract
import Observation

/// What a feed shows.
public struct NewsFeedState: Equatable, Sendable {
    public enum Standing: Equatable, Sendable {
        case fresh, shown
        case failed(Notice)
    }

    public var posts = [PostRow]()
    public var waiting = [WaitingRow]()
    /// Where the next page begins.
    public var next: String?
    /// The entry above which the page of newer posts begins; nil where there are none, and of a page that was not asked for from below.
    public var newer: Int64?
    public var isFirst = true
    /// What had come into the feed when this was fetched, for ``FeedArrivals``; nil for other lists.
    public var arrival: String?
    /// Why it may not be the newest; nil where the server has just answered.
    public var staleness: String?
    public var standing = Standing.fresh
    public var notice: Notice?

    public var isEmpty: Bool { standing == .shown && posts.isEmpty && waiting.isEmpty && isFirst }
}

/// Which posts a list shows.
public enum PostList: Equatable, Sendable {
    case feed, bookmarks
    /// What one person has posted.
    case person(Int64)
}

/// The feed, or one person's posts, or what was bookmarked.
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
    public func open(_ list: PostList = .feed, after place: String? = nil) async {
        let limit = FeedLimits.defaultPage
        await open(isFirst: place == nil) { posts in
            switch list {
            case .feed: try await posts.feed(after: place, limit: limit)
            case .bookmarks: try await posts.bookmarks(after: place, limit: limit)
            case .person(let person): try await posts.posts(of: person, after: place, limit: limit)
            }
        }
    }

    /// Shows the posts of the feed that are next above an entry.
    public func open(above entry: Int64) async {
        await open(isFirst: false) { try await $0.feed(above: entry, limit: FeedLimits.defaultPage) }
    }

    private func open(isFirst: Bool, _ fetch: (any PostsRepository) async throws -> FeedPage) async {
        do {
            let page = try await fetch(posts)
            previews = Dictionary(page.posts.map { ($0.postId, $0) }) { first, _ in first }
            state.posts = page.posts.map { post in
                var row = PostRow(post, you: you, words: words, clock: clock)
                row.gap = page.gaps[post.postId]
                return row
            }
            state.arrival = page.arrival
            state.waiting = page.waiting.map { WaitingRow($0, words: words) }
            state.next = page.next
            state.newer = page.newer
            state.isFirst = isFirst
            state.staleness = page.unreached.map(words.staleness)
            state.standing = .shown
        } catch {
            state.standing = .failed(words.failure(error))
        }
    }

    // MARK: - What a person does

    /// Shows it at once, and has it done: what the server says later changes nothing that is seen, unless it says no.
    public func interact(_ interaction: PostInteraction, with id: Int64) async {
        let before = previews[id]
        previews[id]?.record(interaction)
        draw(id)
        let outcome = await PostInteracting(posts: posts, words: words).perform(interaction, with: id)
        if state.notice != outcome.notice { state.notice = outcome.notice }
        guard outcome.isRefused, let before else { return }
        previews[id] = before
        draw(id)
    }

    private func draw(_ id: Int64) {
        guard let preview = previews[id], let place = state.posts.firstIndex(where: { $0.id == id }) else { return }
        var row = PostRow(preview, you: you, words: words, clock: clock)
        row.gap = state.posts[place].gap
        state.posts[place] = row
    }

    public func tryAgain(_ waiting: WaitingPost.ID) async {
        do {
            try await posts.tryAgain(waiting)
        } catch {
            state.notice = words.failure(error)
        }
    }

    /// Writes the text of what waits anew.
    public func rewrite(_ waiting: WaitingPost.ID, _ written: WrittenText) async {
        let text = await Task.detached { written.text }.value
        guard let text else { return state.notice = Notice(words[.postTooLong], tone: .failure) }
        guard !text.isEmpty else { return state.notice = Notice(words[.postOfNobody], tone: .failure) }
        do {
            try await posts.rewrite(waiting, WaitingPost.Change(content: text.html))
        } catch {
            state.notice = words.failure(error)
        }
    }

    /// Lets it go without what has not reached the server.
    public func detach(_ waiting: WaitingPost.ID) async {
        do {
            try await posts.rewrite(waiting, WaitingPost.Change(isDetached: true))
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
