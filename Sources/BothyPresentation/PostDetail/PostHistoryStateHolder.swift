import BothyClient
import BothyContract
import Observation

/// What a post says and has said.
public struct PostHistoryState: Equatable, Sendable {
    public struct Version: Equatable, Sendable, Identifiable {
        public var id: Int
        /// «20 Nov 2026, 14:03», since when it said so.
        public var moment: String
        public var createdAt: Timestamp
        /// What stood before it; nil where nothing did.
        public var warning: String?
        public var text: PostText
        /// It says so now.
        public var isNow: Bool
    }

    public enum Standing: Equatable, Sendable {
        case fresh, shown
        case gone(Notice)
        case failed(Notice)
    }

    /// The newest first.
    public var versions = [Version]()
    public var standing = Standing.fresh
}

/// The versions of a post.
@MainActor @Observable
public final class PostHistoryStateHolder {
    public private(set) var state = PostHistoryState()

    @ObservationIgnored private let posts: any PostsRepository
    @ObservationIgnored private let words: Words
    @ObservationIgnored private let clock: PersonsClock

    public init(_ posts: any PostsRepository, words: Words, clock: PersonsClock) {
        self.posts = posts
        self.words = words
        self.clock = clock
    }

    public func open(_ id: Int64) async {
        do {
            let versions = try await posts.history(of: id)
            state.versions = versions.enumerated().map { place, version in
                PostHistoryState.Version(
                    id: version.version, moment: words.moment(version.createdAt, at: clock),
                    createdAt: version.createdAt, warning: version.contentWarning.map(ShownName.of),
                    text: PostText(html: version.content), isNow: place == 0)
            }
            state.standing = .shown
        } catch let failure as ClientFailure where failure.code == .notFound {
            state.standing = .gone(Notice(words[.postGone], tone: .failure))
        } catch {
            state.standing = .failed(words.failure(error))
        }
    }
}
