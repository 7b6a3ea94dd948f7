import BothyContract
import Synchronization

@testable import BothyClient

/// A server's feed on paper, as one person sees it, and that person's device.
struct PaperFeed: LawfulWorld {
    private static let you = AuthorPreview(id: 7, name: "Ann")

    private struct Post {
        var preview: PostPreview
        var comments = [Comment]()
    }

    private final class Server: Sendable {
        private struct State {
            var posts = [Post]()
            var done = [String: FeedAnswer]()
            var last: Int64 = 0
        }

        private let state = Mutex(State())

        var posts: [Post] { state.withLock { $0.posts } }

        func perform(_ operation: FeedOperation) throws -> FeedAnswer {
            try state.withLock { state in
                if let done = state.done[operation.requestId] { return done }
                let answer = try Self.perform(operation, &state)
                state.done[operation.requestId] = answer
                return answer
            }
        }

        private static func perform(_ operation: FeedOperation, _ state: inout State) throws -> FeedAnswer {
            state.last += 1
            let id = state.last
            if case .publish(let request) = operation.action {
                let preview = PostPreview(
                    entryId: id, postId: id, contentSummary: request.content, isCut: false, author: you,
                    createdAt: Timestamp(seconds: id), liked: false, bookmarked: false, likeCount: 0, shareCount: 0,
                    attachmentCount: 0)
                state.posts.insert(Post(preview: preview), at: 0)
                return FeedAnswer(post: id)
            }
            guard let index = state.posts.firstIndex(where: { $0.preview.postId == operation.postId }) else {
                throw ClientFailure(.notFound, "There is no such post.")
            }
            switch operation.action {
            case .publish, .follow: break
            case .delete: state.posts.remove(at: index)
            case .interact(let interaction): Self.interact(interaction, &state.posts[index].preview)
            case .comment(let request):
                let comment = Comment(
                    commentId: id, threadId: id, content: request.content, author: you,
                    createdAt: Timestamp(seconds: id))
                state.posts[index].comments.append(comment)
                return FeedAnswer(comment: comment)
            case .deleteComment: state.posts[index].comments.removeAll { $0.commentId == operation.subjectId }
            }
            return FeedAnswer()
        }

        /// By a rule of its own: the device's is what is tested.
        private static func interact(_ interaction: PostInteraction, _ post: inout PostPreview) {
            switch interaction {
            case .liked where !post.liked: (post.liked, post.likeCount) = (true, post.likeCount + 1)
            case .removedLike where post.liked: (post.liked, post.likeCount) = (false, post.likeCount - 1)
            case .bookmarked: post.bookmarked = true
            case .removedBookmark: post.bookmarked = false
            default: break
            }
        }
    }

    private let server = Server()
    private let feed: TestFeed

    init() throws {
        feed = try TestFeed { [server] in try server.perform($0) }
    }

    func step(_ random: inout SeededRandom) async throws {
        let posts = try await feed.store.feed(before: nil, limit: 100).posts
        let requestId = OrderedId.new(at: feed.clock.now())
        let text = "<p>\(requestId)</p>"
        let kind = random.below(8)
        guard kind > 1, !posts.isEmpty else {
            _ = try await feed.store.record(
                .publish(NewPostRequest(requestId: nil, content: text)), requestId: requestId)
            return
        }
        let post = posts[random.below(posts.count)].postId
        let deed: FeedDeed
        switch kind {
        case 2: deed = .interact(post: post, .liked)
        case 3: deed = .interact(post: post, .removedLike)
        case 4: deed = .interact(post: post, random.below(2) == 0 ? .bookmarked : .removedBookmark)
        case 5: deed = .comment(post: post, NewCommentRequest(requestId: nil, content: text))
        case 6:
            let comments = try await feed.store.comments(on: post, page: nil).comments
            guard !comments.isEmpty else { return }
            deed = .deleteComment(comments[random.below(comments.count)].commentId, post: post)
        default: deed = .delete(post: post)
        }
        _ = try await feed.store.record(deed, requestId: requestId)
    }

    func send() async throws -> JournalRunner.Rest { try await feed.push() }

    func fetch() async throws {
        let settled = try await feed.store.settled()
        let page = FeedApiResponse(
            feed: counted(server.posts), paging: PaginationMetadata(next: nil, limit: 100))
        try await feed.store.apply(page, before: nil, settled: settled)
        for post in server.posts {
            let comments = CommentsApiResponse(
                comments: post.comments, paging: PaginationMetadata(next: nil, limit: 100))
            try await feed.store.apply(comments, on: post.preview.postId, after: nil)
        }
    }

    private func counted(_ posts: [Post]) -> [PostPreview] {
        posts.map { post in
            var preview = post.preview
            preview.commentCount = post.comments.count
            return preview
        }
    }

    func shown() async throws -> [String] {
        let shown = try await feed.store.feed(before: nil, limit: 100)
        var lines = shown.waiting.map { "\($0.content) 0 0" }
        for post in shown.posts {
            lines.append(Self.line(post))
            let (comments, waiting) = try await feed.store.comments(on: post.postId, page: nil)
            lines += comments.map { "  \($0.content)" } + waiting.map { "  \($0.content)" }
        }
        return lines
    }

    func served() -> [String] {
        let posts = server.posts
        return zip(counted(posts), posts).flatMap { preview, post in
            [Self.line(preview)] + post.comments.map { "  \($0.content)" }
        }
    }

    func journalIsEmpty() async throws -> Bool { try await feed.replica.journal().isEmpty }

    private static func line(_ post: PostPreview) -> String {
        "\(post.contentSummary) \(post.likeCount) \(post.commentCount)" + (post.liked ? " liked" : "")
            + (post.bookmarked ? " bookmarked" : "")
    }
}
