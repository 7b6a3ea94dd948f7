import BothyClient
import BothyContract
import Observation

/// What posts are looked for by.
public enum PostQuery: Equatable, Sendable {
    /// Words, as a person types them; a single `#tag` is that hashtag.
    case words(String)
    /// - Parameter tag: as a link has it.
    case tag(String)
}

/// What a search for posts shows.
public struct FoundPostsState: Equatable, Sendable {
    public enum Standing: Equatable, Sendable {
        /// Nothing was asked for yet.
        case fresh
        case shown
        case failed(Notice)
    }

    public struct TagRow: Equatable, Sendable {
        /// With its “#”.
        public var name: String
        /// «3 posts».
        public var count: String
        public var place: Destination
    }

    public var posts = [PostRow]()
    /// What was written on this device and is not in the feed yet.
    public var waiting = [WaitingRow]()
    /// Hashtags that begin with what was typed.
    public var tags = [TagRow]()
    /// Where the next page begins.
    public var next: String?
    public var isFirst = true
    /// That it is what is kept on this device alone, and why; nil where the server has just answered.
    public var staleness: String?
    public var standing = Standing.fresh

    public var isEmpty: Bool { standing == .shown && posts.isEmpty && waiting.isEmpty && tags.isEmpty && isFirst }
}

/// Posts by their words, or by a hashtag.
@MainActor @Observable
public final class FoundPostsStateHolder {
    /// Hashtags that are shown.
    private nonisolated static let mostTags = 8

    public private(set) var state = FoundPostsState()

    @ObservationIgnored private let search: any PostSearching
    @ObservationIgnored private let you: Int64
    @ObservationIgnored private let words: Words
    @ObservationIgnored private let clock: PersonsClock

    /// - Parameter you: who looks.
    public init(_ search: any PostSearching, you: Int64, words: Words, clock: PersonsClock) {
        self.search = search
        self.you = you
        self.words = words
        self.clock = clock
    }

    /// Shows the page that begins there; the first for nil.
    public func open(_ query: PostQuery, after place: String? = nil) async {
        do {
            let page: FeedPage
            switch query {
            case .words(let text):
                let typed = text.prefix(while: { $0.isWhitespace }).endIndex
                let rest = text[typed...]
                guard !rest.isEmpty else { return state = FoundPostsState() }
                page = try await found(String(rest), after: place)
                // Of how many posts a hashtag is, the server alone knows. Where it does not say, what was found is shown all the same.
                if place == nil, page.source != .device { state.tags = (try? await tags(String(rest))) ?? [] }
            case .tag(let tag):
                page = try await search.posts(tagged: tag, after: place, limit: FeedLimits.defaultPage)
            }
            show(page)
            (state.next, state.isFirst, state.standing) = (page.next, place == nil, .shown)
        } catch {
            state.standing = .failed(words.failure(error))
        }
    }

    private func show(_ page: FeedPage) {
        state.posts = page.posts.map { post in
            var row = PostRow(post, you: you, words: words, clock: clock)
            row.whereabouts = page.source.map { words[$0 == .device ? .foundHere : .foundThere] }
            return row
        }
        state.waiting = page.waiting.map { post in
            var row = WaitingRow(post, words: words)
            row.whereabouts = words[.foundHere]
            return row
        }
        state.staleness = page.source == .device ? words.keptAlone(page.unreached) : nil
    }

    /// Offers hashtags that begin so, where they can be asked for.
    public func suggest(_ word: String) async {
        do {
            state.tags = try await tags(word)
        } catch {
            state.standing = .failed(words.failure(error))
        }
    }

    private func found(_ text: String, after place: String?) async throws -> FeedPage {
        let limit = FeedLimits.defaultPage
        if text.hasPrefix("#"), let tag = PostTag.folded(String(text.dropFirst())) {
            return try await search.posts(tagged: tag, after: place, limit: limit)
        }
        return try await search.posts(having: text, after: place, limit: limit)
    }

    private func tags(_ text: String) async throws -> [FoundPostsState.TagRow] {
        let word = text.hasPrefix("#") ? String(text.dropFirst()) : text
        guard !word.isEmpty, !word.contains(where: \.isWhitespace) else { return [] }
        return try await search.tags(beginningWith: word, limit: Self.mostTags).map { tag in
            FoundPostsState.TagRow(
                name: "#" + tag.tag, count: words.counted(tag.postCount, one: .tagPostOne, many: .tagPostMany),
                place: .tag(tag.tag))
        }
    }
}
