import BothyContract
import RealServing
import Testing

@testable import BothyClient

/// What is kept here of posts is held against what the server has.
@Suite struct HeldPostsTests {
    private static func preview(_ id: Int64, version: Int = 1) -> PostPreview {
        PostPreview(
            entryId: id, postId: id, contentSummary: "<p>\(id)</p>", isCut: false,
            author: AuthorPreview(id: 2, name: "Ann"), createdAt: Timestamp(seconds: id), liked: false,
            bookmarked: false, likeCount: 0, shareCount: 0, attachmentCount: 0, version: version)
    }

    private static func whole(_ id: Int64, version: Int) -> PostDetail {
        var post = FeedJournalTests.post(id)
        post.version = version
        return post
    }

    /// One of the two is older until both were fetched.
    @Test func aPostIsHeldAtTheOldestVersionOfWhatIsKeptOfIt() async throws {
        let store = try TestFeed { _ in FeedAnswer() }.store
        try await store.put([Self.preview(1, version: 3), Self.preview(2, version: 1), Self.preview(3, version: 2)])
        try await store.put(Self.whole(1, version: 2))
        try await store.put(Self.whole(2, version: 2))
        try await store.put(Self.whole(4, version: 5))
        #expect(
            try await store.heldPosts(before: nil, limit: 9)
                == [(4, 5), (3, 2), (2, 1), (1, 2)].map { PostAtVersion(postId: $0, version: $1) })
    }

    /// A look without a connection read all that is kept.
    @Test func theyAreReadPartByPart() async throws {
        let store = try TestFeed { _ in FeedAnswer() }.store
        try await store.put((1...5).map { Self.preview($0) })
        var (parts, last) = ([[Int64]](), Int64?.none)
        repeat {
            parts.append(try await store.heldPosts(before: last, limit: 2).map(\.postId))
            last = parts.last?.last
        } while last != nil
        #expect(parts == [[5, 4], [3, 2], [1], []])
    }

    @Test func nothingStaysOfAPostThatIsGone() async throws {
        let store = try TestFeed { _ in FeedAnswer() }.store
        try await store.apply(
            FeedApiResponse(
                feed: [Self.preview(2), Self.preview(1)], paging: PaginationMetadata(next: nil, limit: 9)),
            before: nil, settled: [])
        try await store.put(Self.whole(2, version: 1))
        func notification(_ id: Int64, of post: Int64?) -> FeedNotification {
            FeedNotification(
                notificationId: id, kind: .mention, actors: [], actorCount: 1, postId: post, excerpt: "secret",
                createdAt: Timestamp(seconds: id), read: true)
        }
        try await store.keep(
            NotificationsResponse(
                notifications: [notification(3, of: 2), notification(2, of: nil), notification(1, of: 1)], unread: 0,
                paging: PaginationMetadata(next: nil, limit: 9)), as: .notifications)
        try await store.forget([2])
        #expect(try await store.feed(before: nil, limit: 9).posts.map(\.postId) == [1])
        #expect(try await store.post(2) == nil)
        let found = try await store.findings(of: .words(["2"]), after: nil, limit: 9, isAsked: false)
        #expect(found.kept.isEmpty)
        let kept: NotificationsResponse? = try await store.kept(.notifications)
        #expect(kept?.notifications.map(\.notificationId) == [2, 1])
    }

    /// Another release has kept it: nobody could look at the feed any more once a post had gone.
    @Test func notificationsThatCannotBeReadKeepNothingFromGoing() async throws {
        let store = try TestFeed { _ in FeedAnswer() }.store
        try await store.put([Self.preview(1), Self.preview(2)])
        try await store.keep(["of another release"], as: .notifications)
        try await store.forget([2])
        #expect(try await store.knownPosts() == [1])
        #expect(try await store.kept(.notifications) == [String]?.none, "nobody knows whether they tell of it")
    }

    @Test func itIsDueAfterAnHourAndOnceTheServerWasAway() async throws {
        let feed = try TestFeed { _ in FeedAnswer() }
        let (store, clock) = (feed.store, feed.clock)
        #expect(try await store.isCheckDue(), "it was never asked")
        try await store.noteCheck(at: clock.now())
        #expect(try await !store.isCheckDue())
        clock.jump(seconds: 3599)
        #expect(try await !store.isCheckDue())
        clock.jump(seconds: 1)
        #expect(try await store.isCheckDue())
        try await store.noteCheck(at: clock.now())
        clock.jump(seconds: -7200)
        #expect(try await store.isCheckDue(), "the clock was set back")
        try await store.noteCheck(at: clock.now())
        try await store.noteCheck(at: nil)
        #expect(try await store.isCheckDue(), "the server was away")
    }

    @Test func aDeviceThatComesBackLetsGoOfWhatIsGoneAndFetchesWhatWasEdited() async throws {
        let server = try await RealServer()
        let ann = try await server.device("ann", register: true, email: "ann@example.org")
        let ben = try await server.device("ben", register: true, email: "ben@example.org")
        for text in ["deleted", "edited", "kept"] {
            try await ann.posts.publish(NewPostRequest(requestId: nil, content: "<p>\(text)</p>"))
        }
        let you = try #require(try ann.account.signedIn()).user.id
        let held = try await ben.posts.posts(of: you, after: nil, limit: 9).posts.map(\.postId)
        for post in held { _ = try await ben.posts.post(post) }
        let (kept, edited, deleted) = (held[0], held[1], held[2])
        try await ann.posts.delete(deleted)
        try await ann.posts.edit(edited, EditPostRequest(requestId: nil, baseVersion: 1, content: "<p>anew</p>"))
        #expect(try await ben.feed.post(deleted) != nil)
        try await ben.checkHeldPosts()
        #expect(try await ben.feed.post(deleted) == nil)
        #expect(try await ben.feed.listed(deleted) == nil)
        #expect(try await ben.feed.post(edited)?.content == "<p>anew</p>")
        #expect(try await ben.feed.listed(edited)?.contentSummary == "<p>anew</p>")
        #expect(try await ben.feed.post(kept)?.content == "<p>kept</p>")
        #expect(
            try await ben.feed.heldPosts(before: nil, limit: 9)
                == [(kept, 1), (edited, 2)].map { PostAtVersion(postId: $0, version: $1) })
        #expect(try await !ben.feed.isCheckDue())
        try await ann.close()
        try await ben.close()
        await server.stop()
    }
}
