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
        /// The room that it takes; nil where that is not known.
        public var room: PictureRoom?
        /// What it shows, for people who do not see it.
        public var words: String
    }

    public struct Post: Equatable, Sendable, Identifiable {
        public var id: Int64
        public var author: PostAuthor
        /// «20 Nov 2026, 14:03».
        public var moment: String
        public var createdAt: Timestamp
        /// «Edited 20 Nov 2026, 15:10»; nil for what never was.
        public var edited: String?
        /// See ``PostRow/warning``.
        public var warning: String?
        public var text: PostText
        public var reach: PostReach
        public var marks: PostMarks
        public var media: [Medium]
    }

    public enum Standing: Equatable, Sendable {
        case fresh, shown, deleted
        case gone(Notice)
        case failed(Notice)
    }

    public var post: Post?
    /// Thread by thread, the oldest first.
    public var comments = [CommentRow]()
    /// The reader's own comments that are not sent yet.
    public var waitingComments = [WaitingRow]()
    /// Where the next page of comments begins; nil on the last.
    public var nextComments: String?

    /// Replies that wait to be sent, to one of the comments that are shown.
    public func waitingReplies(to comment: CommentRow.ID) -> [WaitingRow] {
        waitingComments.filter { $0.parent == comment }
    }

    /// What waits to be sent and answers none of the comments that are shown.
    public var otherWaitingComments: [WaitingRow] {
        let shown = Set(comments.map(\.id))
        return waitingComments.filter { row in row.parent.map { !shown.contains($0) } ?? true }
    }
    /// What was typed as a comment and refused.
    public var typedComment = WrittenText.markdown("")
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

    /// - Parameter place: where the page of comments begins; nil for the first.
    public func open(_ id: Int64, commentsAfter place: String? = nil) async {
        do {
            let read = try await posts.post(id)
            let page = try await posts.comments(on: id, after: place, limit: FeedLimits.defaultPage)
            detail = read.post
            state.comments = page.comments.map {
                CommentRow(
                    $0, you: you, canBeDeleted: read.post.author.id == you, words: words, clock: clock)
            }
            state.waitingComments = page.waiting.map { WaitingRow($0, words: words) }
            state.nextComments = page.next
            state.post = shown(read.post)
            state.staleness = read.isBeginning ? words[.postBeginning] : read.unreached.map(words.staleness)
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
            edited: post.editedAt.map { words.filled(.postEditedAt, words.moment($0, at: clock)) },
            warning: post.contentWarning.map(ShownName.of), text: PostText(html: post.content),
            reach: PostReach(post.audience, you: you, words: words),
            marks: PostMarks(
                liked: post.liked, bookmarked: post.bookmarked, shared: post.shared, likeCount: post.likeCount,
                shareCount: post.shareCount, commentCount: post.commentCount, words: words),
            media: post.attachments.compactMap(medium))
    }

    /// - Returns: nil for what only newer screens know how to show.
    private func medium(_ attachment: Attachment) -> PostDetailState.Medium? {
        guard let type = attachment.type.known else { return nil }
        let caption = attachment.caption.map(ShownName.of)
        return PostDetailState.Medium(
            id: attachment.id, type: type, caption: caption, hasPicture: attachment.previewImageUrl != nil,
            room: PictureRoom(
                width: attachment.width, height: attachment.height, placeholder: attachment.placeholder),
            words: caption ?? words[type == .image ? .kindImage : .kindVideo])
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

    /// - Parameters:
    ///   - parent: the comment to reply to; nil to comment on the post itself.
    ///   - requestId: makes the comment once, however often it is sent.
    public func comment(_ written: WrittenText, on id: Int64, replyingTo parent: Int64?, requestId: String?) async {
        let text = await Task.detached { written.text }.value
        guard let text, text.html.utf8.count <= FeedLimits.maximumCommentBytes else {
            return refuse(written, Notice(words[.commentTooLong], tone: .failure))
        }
        guard !text.isEmpty else { return refuse(written, Notice(words[.commentOfNobody], tone: .failure)) }
        do {
            let isThere = try await posts.comment(
                NewCommentRequest(requestId: requestId, content: text.html, parentCommentId: parent), on: id)
            state.notice = Notice(words[isThere ? .commentPublished : .postQueued])
        } catch {
            refuse(written, words.failure(error))
        }
    }

    private func refuse(_ written: WrittenText, _ notice: Notice) {
        state.typedComment = written
        state.notice = notice
    }

    public func deleteComment(_ comment: Int64, on id: Int64) async {
        do {
            let isThere = try await posts.deleteComment(comment, on: id)
            state.notice = Notice(words[isThere ? .commentDeleted : .commentDeletedLater])
        } catch {
            state.notice = words.failure(error)
        }
    }

    public func delete(_ id: Int64) async {
        do {
            let isThere = try await posts.delete(id)
            state.standing = .deleted
            // What is deleted later is in no trash yet.
            state.notice =
                isThere ? Notice(words[.postDeleted], subject: .deletedPost(id)) : Notice(words[.postDeletedLater])
        } catch {
            state.notice = words.failure(error)
        }
    }
}
