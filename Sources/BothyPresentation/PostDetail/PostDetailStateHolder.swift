import BothyClient
import BothyContract
import Observation

/// What the page of one post shows.
public struct PostDetailState: Equatable, Sendable {
    public struct Medium: Equatable, Sendable, Identifiable {
        public var id: Int64
        public var type: AttachmentType
        public var caption: String?
        /// There is a picture of it.
        public var hasPicture: Bool
        /// What it shows, for who does not see it.
        public var words: String
    }

    public struct Post: Equatable, Sendable, Identifiable {
        public var id: Int64
        public var author: PostAuthor
        /// «20 Nov 2026, 14:03».
        public var moment: String
        public var createdAt: Timestamp
        public var text: PostText
        public var marks: PostMarks
        public var media: [Medium]
    }

    public enum Standing: Equatable, Sendable {
        case fresh, shown, deleted
        case gone(Notice)
        case failed(Notice)
    }

    public var post: Post?
    /// Why it may not be the newest; nil where the server has just answered.
    public var staleness: String?
    public var standing = Standing.fresh
    public var notice: Notice?
}

/// One post, whole.
@MainActor @Observable
public final class PostDetailStateHolder {
    public private(set) var state = PostDetailState()

    @ObservationIgnored private let posts: any PostsRepository
    /// What is shown, as it was told.
    @ObservationIgnored private var detail: PostDetail?
    @ObservationIgnored private let you: Int64
    @ObservationIgnored private let words: Words
    @ObservationIgnored private let clock: PersonsClock

    public init(_ posts: any PostsRepository, you: Int64, words: Words, clock: PersonsClock) {
        self.posts = posts
        self.you = you
        self.words = words
        self.clock = clock
    }

    public func open(_ id: Int64) async {
        do {
            let read = try await posts.post(id)
            detail = read.post
            state.post = shown(read.post)
            state.staleness = read.unreached == nil ? nil : words[.feedKept]
            state.standing = .shown
        } catch let failure as ClientFailure where failure.code == .notFound {
            state.standing = .gone(Notice(words[.postGone], tone: .failure))
        } catch {
            state.standing = .failed(words.failure(error))
        }
    }

    private func shown(_ post: PostDetail) -> PostDetailState.Post {
        PostDetailState.Post(
            id: post.postId, author: PostAuthor(post.author, you: you),
            moment: words.moment(post.createdAt, at: clock), createdAt: post.createdAt,
            text: PostText(html: post.content),
            marks: PostMarks(
                liked: post.liked, bookmarked: post.bookmarked, likeCount: post.likeCount,
                shareCount: post.shareCount, words: words),
            media: post.attachments.map(medium))
    }

    private func medium(_ attachment: Attachment) -> PostDetailState.Medium {
        let caption = attachment.caption.map(ShownName.of)
        return PostDetailState.Medium(
            id: attachment.id, type: attachment.type, caption: caption, hasPicture: attachment.previewImageUrl != nil,
            words: caption ?? words[attachment.type == .image ? .kindImage : .kindVideo])
    }

    /// Shows it at once, and has it done: what the server says later changes nothing that is seen, unless it says no.
    public func interact(_ interaction: PostInteraction, with id: Int64) async {
        let before = detail
        detail?.record(interaction)
        state.post = detail.map(shown)
        let outcome = await PostInteracting(posts: posts, words: words).perform(interaction, with: id)
        state.notice = outcome.notice
        guard outcome.isRefused else { return }
        detail = before
        state.post = detail.map(shown)
    }

    public func delete(_ id: Int64) async {
        do {
            let isThere = try await posts.delete(id)
            state.standing = .deleted
            state.notice = Notice(words[isThere ? .postDeleted : .postDeletedLater])
        } catch {
            state.notice = words.failure(error)
        }
    }
}
