import BothyContract
import Synchronization
import Testing

@testable import BothyClient

/// A server of posts that takes each request once, and a network that loses requests and answers.
private final class LossyPosts: Sendable {
    private struct State {
        var random: SeededRandom
        var done = [String]()
        var liked = false
        var posts = [String]()
        var isQuiet = false
    }

    private let state: Mutex<State>

    init(seed: UInt64) { state = Mutex(State(random: SeededRandom(seed))) }

    var done: [String] { state.withLock { $0.done } }
    var liked: Bool { state.withLock { $0.liked } }
    var posts: [String] { state.withLock { $0.posts } }
    /// From now on nothing is lost.
    func calm() { state.withLock { $0.isQuiet = true } }

    func perform(_ operation: FeedOperation) throws -> FeedAnswer {
        try state.withLock { state in
            let chance = state.isQuiet ? 9 : state.random.below(10)
            if chance < 3 { throw ClientFailure(.offline, "The request is lost.") }
            if chance == 3 { throw ClientFailure(.serverFailed, "It stumbles.") }
            if !state.done.contains(operation.requestId) {
                state.done.append(operation.requestId)
                switch operation.action {
                case .publish(let request): state.posts.append(request.content)
                case .interact(.liked): state.liked = true
                case .interact(.removedLike): state.liked = false
                default: break
                }
            }
            if chance < 6 { throw ClientFailure(.offline, "The answer is lost.") }
            return FeedAnswer()
        }
    }
}

@Suite struct FeedJournalTests {
    /// Whatever is lost, and whenever the process ends: what was done here comes to be at the server once, what was posted in its
    /// order, and what was done with one post in its order.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func everythingIsDoneOnceAndInItsOrder(seed: UInt64) async throws {
        let server = LossyPosts(seed: seed)
        let feed = try TestFeed { try server.perform($0) }
        var random = SeededRandom(seed &+ 1_000)
        var (sending, expected, written, liked) = (try feed.runner(), Set<String>(), [String](), false)
        for number in 0..<12 {
            let deed: FeedDeed
            switch random.below(3) {
            case 0:
                written.append("\(number)")
                deed = .publish(NewPostRequest(requestId: "r\(number)", content: "\(number)"))
            case 1:
                liked = true
                deed = .interact(post: 1, .liked)
            default:
                liked = false
                deed = .interact(post: 1, .removedLike)
            }
            _ = try await feed.store.record(deed, requestId: "r\(number)")
            expected.insert("r\(number)")
            if random.below(4) == 0 { sending = try feed.runner() }
            if random.below(2) == 0 { _ = try await sending.push() }
            // Time passes between what a person does; nobody's patience ends by that.
            feed.clock.jump(seconds: Int64(random.below(400)))
        }
        server.calm()
        for _ in 0..<20 where try await feed.store.countOfOpen() > 0 {
            feed.clock.jump(seconds: 600)
            _ = try await sending.push()
        }
        #expect(Set(server.done) == expected && server.done.count == expected.count)
        #expect(server.posts == written && server.liked == liked)
        #expect(try await feed.store.operations().allSatisfy { $0.state == .acknowledged })
        #expect(try await feed.store.countOfOpen() == 0)
    }

    /// The answer to a comment was lost, and the post was read meanwhile: the comment was counted twice from then on.
    @Test(arguments: [0, 1, 5])
    func aCommentIsCountedOnceWhateverIsKeptOfItsPost(kept: Int) async throws {
        let made = Comment(
            commentId: 9, threadId: 9, content: "<p>c</p>", author: AuthorPreview(id: 2, name: "Ann"),
            createdAt: Timestamp(seconds: 0), commentCount: 1)
        let feed = try TestFeed { _ in FeedAnswer(comment: made) }
        var post = Self.post(1)
        post.commentCount = kept
        try await feed.store.put(post)
        _ = try await feed.store.record(
            .comment(post: 1, NewCommentRequest(requestId: "c", content: "<p>c</p>")), requestId: "c")
        #expect(try await feed.push() == .done)
        #expect(try await feed.store.post(1)?.commentCount == max(1, kept))
        #expect(try await feed.store.comments(on: 1, page: nil).comments.map(\.commentCount) == [nil])
    }

    @Test func anOlderServerSaysNoNumberAndTheCommentIsCountedAllTheSame() async throws {
        let made = Comment(
            commentId: 9, threadId: 9, content: "<p>c</p>", author: AuthorPreview(id: 2, name: "Ann"),
            createdAt: Timestamp(seconds: 0))
        let feed = try TestFeed { _ in FeedAnswer(comment: made) }
        try await feed.store.put(Self.post(1))
        _ = try await feed.store.record(
            .comment(post: 1, NewCommentRequest(requestId: "c", content: "<p>c</p>")), requestId: "c")
        #expect(try await feed.push() == .done)
        #expect(try await feed.store.post(1)?.commentCount == 1)
    }

    @Test func whatTheServerSaysIsNotThereIsNotKeptHere() async throws {
        let gone = ClientFailure(.notFound, "Gone.")
        let feed = try TestFeed { _ in throw gone }
        try await feed.store.put(Self.post(1))
        let like = try await feed.store.record(.interact(post: 1, .liked), requestId: "l")
        let told = Mutex([Int64: ClientFailure?]())
        let rest = try await feed.runner { event in
            if case .rolledBack(let operation) = event {
                told.withLock { $0[operation.id] = .some(operation.lastError) }
            }
        }.push()
        #expect(rest == .done)
        #expect(try await feed.store.post(1) == nil)
        #expect(try await feed.store.operations().isEmpty)
        #expect(told.withLock { $0[like.id] } == gone)
    }

    /// Words wait for a person; a like of what may be there again later does not.
    @Test func whatFailsAgainAndAgainKeepsNothingElseBack() async throws {
        let feed = try TestFeed { operation in
            if operation.postId == 2 { return FeedAnswer() }
            throw ClientFailure(.serverFailed, "It stumbles.")
        }
        _ = try await feed.store.record(.publish(NewPostRequest(requestId: "a", content: "a")), requestId: "a")
        _ = try await feed.store.record(.interact(post: 1, .liked), requestId: "b")
        _ = try await feed.store.record(.interact(post: 2, .liked), requestId: "c")
        let runner = try feed.runner()
        for _ in 0..<3 * JournalMachine.patience {
            _ = try await runner.push()
            feed.clock.jump(seconds: 600)
        }
        #expect(try await feed.store.operations().map(\.state) == [.parked, .queued])
    }

    /// A disk that failed five times had a post refused, though the server had not been asked.
    @Test(arguments: [FailureCode.homeBusy, .homeUnusable, .diskFull, .diskFailed])
    func thisDevicesOwnTroubleCostsNoAttempt(_ code: FailureCode) async throws {
        let feed = try TestFeed { _ in throw ClientFailure(code, "No.") }
        _ = try await feed.store.record(.publish(NewPostRequest(requestId: "a", content: "a")), requestId: "a")
        let runner = try feed.runner()
        for _ in 0..<3 * JournalMachine.patience {
            _ = try await runner.push()
            feed.clock.jump(seconds: 600)
        }
        let left = try await feed.store.operations()
        #expect(left.map(\.state) == [.queued] && left.map(\.attempts) == [0])
    }

    @Test func whatWasWrittenUnderOneRequestIsThereOnce() async throws {
        let feed = try TestFeed { _ in FeedAnswer() }
        let deed = FeedDeed.publish(NewPostRequest(requestId: "a", content: "a"))
        let first = try await feed.store.record(deed, requestId: "a")
        #expect(try await feed.store.record(deed, requestId: "a").id == first.id)
        await #expect(throws: ClientFailure.self) {
            try await feed.store.record(.interact(post: 1, .liked), requestId: "a")
        }
        #expect(try await feed.store.operations().count == 1)
    }

    /// Files have no part in what the feed does, and it has none in theirs.
    @Test func bothDomainsAreInOneJournalAndEachSeesItsOwn() async throws {
        let feed = try TestFeed { _ in FeedAnswer() }
        let recorder = JournalRecorder(store: feed.replica, clock: feed.clock)
        _ = try await recorder.record(.createFolder(parent: .root, name: "a"), on: nil)
        _ = try await feed.store.record(.interact(post: 7, .liked), requestId: "l")
        _ = try await recorder.record(.createFolder(parent: .root, name: "b"), on: nil)
        #expect(try await feed.replica.journal().map(\.kind) == ["create_folder", "interact", "create_folder"])
        #expect(try await feed.replica.operations().map(\.kind) == ["create_folder", "create_folder"])
        #expect(try await feed.store.operations().map(\.postId) == [7])
        #expect(try await feed.replica.view { try $0.children(of: .root).map(\.name) } == ["a", "b"])
        #expect(try await feed.push() == .done)
        #expect(try await feed.replica.journal().map(\.kind) == ["create_folder", "create_folder"])
    }

    static func post(_ id: Int64) -> PostDetail {
        PostDetail(
            postId: id, content: "<p>a</p>", author: AuthorPreview(id: 2, name: "Ann"),
            createdAt: Timestamp(seconds: 0), liked: false, bookmarked: false, likeCount: 0, shareCount: 0,
            attachments: [])
    }
}
