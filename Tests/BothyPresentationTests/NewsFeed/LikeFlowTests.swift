import BothyClient
import BothyContract
import BothyPresentation
import Observation
import Testing

/// Counts how often a state holder gives its screen something to draw.
@MainActor private final class Emissions {
    private(set) var count = 0
    private let holder: NewsFeedStateHolder

    init(of holder: NewsFeedStateHolder) {
        self.holder = holder
        watch()
    }

    private func watch() {
        withObservationTracking {
            _ = holder.state
        } onChange: { [weak self] in
            MainActor.assumeIsolated {
                self?.count += 1
                self?.watch()
            }
        }
    }
}

/// Figure 8 of «News feed app»: a like shows at once, is kept, is sent, and is seen once.
@MainActor @Suite struct LikeFlowTests {
    @Test(.timeLimit(.minutes(2))) func aLikeShowsIsKeptIsSentAndIsSeenOnce() async throws {
        let walk = try await FeedWalk()
        try await walk.publish("<p>kind</p>")
        let (home, holder) = (walk.reader, try walk.feed(on: walk.reader))
        await holder.open()
        let id = try #require(holder.state.posts.first).id
        let emissions = Emissions(of: holder)
        var like: Task<Void, Never>?
        try await walk.server.withoutAnswers {
            like = Task { await holder.interact(.liked, with: id) }
            // 1.1: It shows at once.
            try await FeedWalk.until { holder.state.posts[0].marks.liked }
            // 1.2 and 2: The repository hears of it and writes it down. 3: It is on its way to the server.
            try await FeedWalk.until { try await home.feed.operations().first?.sent == true }
            let waiting = try await home.feed.operations()
            #expect(waiting.map(\.action) == [.interact(.liked)] && waiting.map(\.postId) == [id])
            #expect(try await home.feed.keptPreview(id)?.preview.liked == false, "the post is as the server said last")
            #expect(emissions.count == 1)
        }
        // 4: The server has it.
        await like?.value
        #expect(try await walk.author.posts.post(id).post.likeCount == 1)
        // 5: What waited is taken out. 6: The post is as it is on the server.
        #expect(try await home.feed.operations().isEmpty)
        let kept = try #require(try await home.feed.keptPreview(id)).preview
        #expect(kept.liked && kept.likeCount == 1)
        // 7: Nothing of that is drawn again.
        #expect(emissions.count == 1)
        let seen = holder.state
        await holder.open()
        #expect(holder.state == seen, "the server says what is seen already")
        try await walk.end()
    }

    @Test(.timeLimit(.minutes(2))) func aLikeThatIsRefusedIsTakenBackAndSaidOnce() async throws {
        let walk = try await FeedWalk()
        try await walk.publish("<p>kind</p>")
        let (home, holder) = (walk.reader, try walk.feed(on: walk.reader))
        await holder.open()
        let id = try #require(holder.state.posts.first).id
        _ = try await walk.author.posts.delete(id)
        await holder.interact(.liked, with: id)
        #expect(!holder.state.posts[0].marks.liked && holder.state.notice?.tone == .failure)
        #expect(try await home.feed.operations().isEmpty)
        await holder.open()
        #expect(holder.state.posts.isEmpty)
        try await walk.end()
    }
}
