import BothyClient
import BothyContract
import FolderConformance
import RealServing
import Testing

@Suite struct DevicePostsTests {
    private func side(_ home: DeviceHome) throws -> PostsConformance.Side {
        PostsConformance.Side(
            you: try #require(try home.account.signedIn()).user.id, posts: home.posts, people: home.people)
    }

    @Test func aDevicesFeedIsWhatTheServersIs() async throws {
        let server = try await RealServer()
        let ann = try await server.device("ann", register: true, email: "ann@example.org")
        let ben = try await server.device("ben", register: true, email: "ben@example.org")
        try await PostsConformance(try side(ann), try side(ben)).run()
        try await ann.close()
        try await ben.close()
        await server.stop()
    }

    @Test func withoutAConnectionItIsReadAndWrittenAllTheSame() async throws {
        let server = try await RealServer()
        let ann = try await server.device("ann", register: true)
        _ = try await ann.posts.publish(NewPostRequest(requestId: nil, content: "<p>here</p>"))
        let id = try #require(try await ann.posts.feed(after: nil, limit: 10).posts.first).postId
        _ = try await ann.posts.post(id)
        await server.stop()
        try await ann.posts.interact(.liked, with: id)
        let isThere = try await ann.posts.publish(NewPostRequest(requestId: nil, content: "<p>later</p>"))
        let feed = try await ann.posts.feed(after: nil, limit: 10)
        #expect(!isThere && feed.unreached?.code == .offline && feed.waiting.map(\.content) == ["<p>later</p>"])
        #expect(feed.posts.map(\.liked) == [true] && feed.posts.map(\.likeCount) == [1])
        let read = try await ann.posts.post(id)
        #expect(read.unreached != nil && read.post.liked && read.post.content == "<p>here</p>")
        #expect(try await ann.feed.countOfOpen() == 2)
        await #expect(throws: ClientFailure.self) { try await ann.signOut() }
        #expect(try await ann.signOut(givingUp: true) == false)
        #expect(try await ann.feed.operations().isEmpty)
        try await ann.close()
    }

    /// A look at the newest post alone left a gap below it, with nothing or little missing there.
    @Test func aShortPageLeavesNoGapWhereTheNextOneReachesWhatIsKept() async throws {
        let server = try await RealServer()
        let ann = try await server.device("ann", register: true)
        func publish(_ words: String...) async throws {
            for word in words {
                _ = try await ann.posts.publish(NewPostRequest(requestId: nil, content: "<p>\(word)</p>"))
            }
        }
        try await publish("a")
        _ = try await ann.posts.feed(after: nil, limit: 10)
        try await publish("b")
        _ = try await ann.posts.feed(after: nil, limit: 1)
        try await publish("c", "d")
        _ = try await ann.posts.feed(after: nil, limit: 1)
        await server.stop()
        let feed = try await ann.posts.feed(after: nil, limit: 10)
        #expect(feed.posts.map(\.contentSummary) == ["<p>d</p>", "<p>c</p>", "<p>b</p>", "<p>a</p>"])
        #expect(feed.gaps.isEmpty)
        try await ann.close()
    }
}
