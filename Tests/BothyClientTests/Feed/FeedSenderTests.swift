import BothyClient
import BothyContract
import Foundation
import Synchronization
import Testing

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

    func perform(_ operation: FeedOperation) throws {
        try state.withLock { state in
            let chance = state.isQuiet ? 9 : state.random.below(10)
            if chance < 3 { throw ClientFailure(.offline, "The request is lost.") }
            if chance == 3 { throw ClientFailure(.serverFailed, "It stumbles.") }
            if !state.done.contains(operation.requestId) {
                state.done.append(operation.requestId)
                switch operation.action {
                case .publish(let request): state.posts.append(request.content)
                case .interact(_, .liked): state.liked = true
                case .interact(_, .removedLike): state.liked = false
                default: break
                }
            }
            if chance < 6 { throw ClientFailure(.offline, "The answer is lost.") }
        }
    }
}

@Suite struct FeedSenderTests {
    /// Whatever is lost, and whenever the process ends: what was done here comes to be at the server once, in its order.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func everythingIsDoneOnceAndInItsOrder(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        let (clock, server) = (TestClock(), LossyPosts(seed: seed))
        var environment = ClientEnvironment.live
        environment.clock = clock
        let store = FeedStore(database: try .inMemory(), clock: clock)
        func sender() -> FeedSender {
            FeedSender(store: store, lockPath: folder.path + "/feed.lock", environment: environment) {
                try server.perform($0)
                return nil
            }
        }
        var random = SeededRandom(seed &+ 1_000)
        var (sending, expected, written, liked) = (sender(), [String](), [String](), false)
        for number in 0..<12 {
            let action: FeedOperation.Action
            switch random.below(3) {
            case 0:
                written.append("\(number)")
                action = .publish(NewPostRequest(requestId: "r\(number)", content: "\(number)"))
            case 1:
                liked = true
                action = .interact(post: 1, .liked)
            default:
                liked = false
                action = .interact(post: 1, .removedLike)
            }
            _ = try await store.record(action, requestId: "r\(number)")
            expected.append("r\(number)")
            if random.below(4) == 0 { sending = sender() }
            if random.below(2) == 0 { try await sending.push() }
            // Time passes between what a person does; nobody's patience ends by that.
            clock.jump(seconds: Int64(random.below(400)))
        }
        server.calm()
        for _ in 0..<20 where try await store.operations().contains(where: { $0.state == .pending }) {
            clock.jump(seconds: 600)
            try await sending.push()
        }
        #expect(server.done == expected && server.posts == written && server.liked == liked)
        #expect(try await store.operations().allSatisfy { $0.state == .acknowledged })
        #expect(try await store.countOfOpen() == 0)
    }

    @Test func whileAnotherProcessSendsNothingIsSentTwice() async throws {
        let folder = try TemporaryFolder()
        let clock = TestClock()
        let sent = Mutex(0)
        let store = FeedStore(database: try .inMemory(), clock: clock)
        let lock = try FileLock.tryTake(folder.path + "/feed.lock")
        let sender = FeedSender(store: store, lockPath: folder.path + "/feed.lock", environment: .live) { _ in
            sent.withLock { $0 += 1 }
            return nil
        }
        _ = try await store.record(.interact(post: 1, .liked), requestId: "r")
        #expect(try await sender.push() == .elsewhere && sent.withLock { $0 } == 0)
        withExtendedLifetime(lock) {}
    }

    @Test func whatIsPostedOrBeingSentIsNotDiscarded() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/feed.lock"
        let store = FeedStore(database: try .inMemory(), clock: TestClock())
        let sender = FeedSender(store: store, lockPath: path, environment: .live) { _ in nil }
        let first = try await store.record(.publish(NewPostRequest(requestId: "a", content: "a")), requestId: "a")
        do {
            let lock = try FileLock.tryTake(path)
            #expect(try await sender.discard(first.id) == false)
            withExtendedLifetime(lock) {}
        }
        #expect(try await sender.discard(first.id))
        let second = try await store.record(.publish(NewPostRequest(requestId: "b", content: "b")), requestId: "b")
        try await sender.push()
        #expect(try await sender.discard(second.id) == false)
        #expect(try await store.operations().map(\.id) == [second.id])
    }

    @Test func whatTheServerSaysIsNotThereIsNotKeptHere() async throws {
        let folder = try TemporaryFolder()
        let store = FeedStore(database: try .inMemory(), clock: TestClock())
        let post = PostDetail(
            postId: 1, content: "<p>a</p>", author: AuthorPreview(id: 2, name: "Ann"), createdAt: Timestamp(seconds: 0),
            liked: false, bookmarked: false, likeCount: 0, shareCount: 0, attachments: [])
        try await store.put(post)
        let gone = ClientFailure(.notFound, "Gone.")
        let sender = FeedSender(store: store, lockPath: folder.path + "/feed.lock", environment: .live) { _ in
            throw gone
        }
        let like = try await store.record(.interact(post: 1, .liked), requestId: "l")
        #expect(try await sender.push() == .done)
        #expect(try await store.post(1) == nil)
        #expect(try await store.operations().isEmpty)
        #expect(await sender.takeRefusal(of: like.id) == gone)
        #expect(await sender.takeRefusal(of: like.id) == nil)
    }
}
