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

    /// The page of somebody who is known here said that there is no connection, and nothing else.
    @Test func ofWhoIsKnownAndOfWhomNoPostIsKeptThatIsSaid() async throws {
        let server = try await RealServer()
        let ann = try await server.device("ann", register: true, email: "ann@example.org")
        let ben = try await server.device("ben", register: true, email: "ben@example.org")
        let id = try #require(try ben.account.signedIn()).user.id
        _ = try await ben.posts.publish(NewPostRequest(requestId: nil, content: "<p>b</p>"))
        _ = try await ann.people.page(matching: nil, nil, after: nil, limit: 10)
        await server.stop()
        let page = try await ann.posts.posts(of: id, after: nil, limit: 10)
        #expect(page.posts.isEmpty && page.unreached?.code == .offline && page.next == nil)
        await #expect(throws: ClientFailure.self) { _ = try await ann.posts.posts(of: 1, after: nil, limit: 10) }
        try await ben.close()
        try await ann.close()
    }

    /// The page said that a connection would bring the posts, and it did not.
    @Test func ofWhoIsKnownADeviceThatWasSignedOutSaysThatItHasToSignIn() async throws {
        let server = try await RealServer()
        let ann = try await server.device("ann", register: true, email: "ann@example.org")
        let ben = try await server.device("ben", register: true, email: "ben@example.org")
        let id = try #require(try ben.account.signedIn()).user.id
        let own = try #require(try ann.account.signedIn()).user.id
        _ = try await ann.posts.publish(NewPostRequest(requestId: nil, content: "<p>a</p>"))
        _ = try await ann.posts.feed(after: nil, limit: 10)
        _ = try await ann.people.page(matching: nil, nil, after: nil, limit: 10)
        let away = try await server.device("away", register: false, email: "ann@example.org")
        for device in try await away.account.devices() where !device.current {
            try await away.account.signOutDevice(device.id)
        }
        await #expect {
            _ = try await ann.posts.posts(of: id, after: nil, limit: 10)
        } throws: {
            ($0 as? ClientFailure)?.code == .signInNeeded
        }
        let kept = try await ann.posts.posts(of: own, after: nil, limit: 10)
        #expect(kept.posts.map(\.contentSummary) == ["<p>a</p>"] && kept.unreached?.code == .signInNeeded)
        try await away.close()
        try await ben.close()
        try await ann.close()
        await server.stop()
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

    /// Who came to a gap from below had to load the posts from its upper end on, one page after the other.
    @Test func aGapIsFilledFromBelow() async throws {
        let server = try await RealServer()
        let ann = try await server.device("ann", register: true, email: "ann@example.org")
        let away = try await server.device("away", register: false, email: "ann@example.org")
        func publish(_ numbers: ClosedRange<Int>) async throws {
            for number in numbers {
                _ = try await away.posts.publish(NewPostRequest(requestId: nil, content: "<p>\(number)</p>"))
            }
        }
        func numbers(_ page: FeedPage) -> [String] { page.posts.map(\.contentSummary) }
        func wanted(_ numbers: [Int]) -> [String] { numbers.map { "<p>\($0)</p>" } }
        try await publish(1...2)
        let two = try #require(try await ann.posts.feed(after: nil, limit: 10).posts.first)
        // The page behind a short one is fetched as well, where that closes the gap.
        try await publish(3...(FeedLimits.defaultPage + 6))
        let newest = FeedLimits.defaultPage + 6
        let shown = try await ann.posts.feed(after: nil, limit: 2)
        #expect(numbers(shown) == wanted([newest, newest - 1]))
        let lower = try await ann.posts.feed(above: two.entryId, limit: 3)
        #expect(numbers(lower) == wanted([5, 4, 3]) && lower.newer == lower.posts.first?.entryId)
        let rest = try await ann.posts.feed(above: try #require(lower.newer), limit: 100)
        #expect(numbers(rest) == wanted(Array((6...newest).reversed())) && rest.newer == nil)
        await server.stop()
        let whole = try await ann.posts.feed(after: nil, limit: 100)
        #expect(numbers(whole) == wanted(Array((1...newest).reversed())) && whole.gaps.isEmpty)
        await #expect(throws: ClientFailure.self) { _ = try await ann.posts.feed(above: two.entryId, limit: 3) }
        try await away.close()
        try await ann.close()
    }
}
