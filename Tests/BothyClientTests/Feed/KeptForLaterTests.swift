import BothyContract
import RealServing
import Testing

@testable import BothyClient

/// What a person looked at with a connection, without one.
@Suite struct KeptForLaterTests {
    private static func post(_ id: Int64, _ words: String, by author: Int64 = 2, isCut: Bool = false) -> PostPreview {
        PostPreview(
            entryId: id, postId: id, contentSummary: words, isCut: isCut,
            author: AuthorPreview(id: author, name: "Ann"), createdAt: Timestamp(seconds: id), liked: false,
            bookmarked: false, likeCount: 0, shareCount: 0, attachmentCount: 0)
    }

    private let feed: TestFeed

    init() throws { feed = try TestFeed { _ in FeedAnswer() } }

    /// Without a connection.
    private func found(_ match: PostMatch, after place: KeptPlace? = nil, limit: Int = 10) async throws -> FeedPage {
        try await feed.store.findings(of: match, after: place, limit: limit, isAsked: false).page(unreached: nil)
    }

    @Test func postsAreFoundByTheBeginningsOfTheirWordsAndTheOpenedOnesWhole() async throws {
        try await feed.store.put([
            Self.post(1, "<p>The old Hut</p>"), Self.post(2, "<p>The hut, again …</p>", isCut: true),
            Self.post(3, "<p>A lake</p>"),
        ])
        var whole = FeedJournalTests.post(2)
        whole.content = "<p>The hut, again behind the glacier</p>"
        try await feed.store.put(whole)
        func found(_ text: String, after place: KeptPlace? = nil, limit: Int = 10) async throws -> FeedPage {
            let match = try #require(PostMatch.typed(text))
            return try await self.found(match, after: place, limit: limit)
        }
        #expect(try await found("HUT").posts.map(\.postId) == [2, 1])
        #expect(try await found("hut gla").posts.map(\.postId) == [2])
        #expect(try await found("ut").posts.isEmpty)
        #expect(PostMatch.typed("…") == nil)
        let first = try await found("the", limit: 1)
        #expect(first.posts.map(\.postId) == [2])
        let place = try #require(first.next.flatMap(KeptPlace.init))
        let second = try await found("the", after: place, limit: 1)
        #expect(second.posts.map(\.postId) == [1] && second.next == nil)
    }

    @Test func aPostIsFoundByTheWarningBeforeItAndKeepsItWhereOnlyItsBeginningIsKnown() async throws {
        var warned = Self.post(1, "<p>She leaves</p>", isCut: true)
        warned.contentWarning = "Tells the end"
        try await feed.store.put([warned, Self.post(2, "<p>The end</p>")])
        let found = try await found(.words(["tells", "leav"]))
        #expect(found.posts.map(\.contentWarning) == ["Tells the end"])
        let read = ReadPost(beginning: warned, unreached: ClientFailure(.offline, "There is no way."))
        #expect(read.isBeginning && read.post.contentWarning == "Tells the end")
    }

    @Test func anEditTakesTheWarningOutOfEveryListThatThePostIsIn() async throws {
        var warned = Self.post(2, "<p>a</p>")
        warned.contentWarning = "Steep"
        try await feed.store.put([warned])
        try await feed.store.put(edited: FeedJournalTests.post(2))
        #expect(try await feed.store.keptPreview(2)?.preview.contentWarning == nil)
    }

    @Test func oneTagIsFoundAndNoOtherThatBeginsSo() async throws {
        func tagged(_ tag: String) -> String {
            let reference = PostReference.hashtag(tag: tag)
            return "<p><a class=\"hashtag\" href=\"\(reference.address)\">#\(tag)</a></p>"
        }
        try await feed.store.put([Self.post(1, tagged("walk")), Self.post(2, tagged("walking"))])
        #expect(try await found(.tag("walk")).posts.map(\.postId) == [1])
    }

    @Test func onePersonsPostsAreHersAndWithoutWhatWasDeletedHere() async throws {
        try await feed.store.put([Self.post(1, "<p>a</p>"), Self.post(2, "<p>b</p>", by: 3), Self.post(4, "<p>c</p>")])
        _ = try await feed.store.record(.delete(post: 4), requestId: "d")
        #expect(try await feed.store.posts(of: 2, after: nil, limit: 10).posts.map(\.postId) == [1])
    }

    @Test func whatTheServerAnsweredLastIsReadWithoutIt() async throws {
        let offline = ClientFailure(.offline, "There is no way.")
        await #expect(throws: offline) {
            try await feed.store.known(.drafts) { () -> [String] in throw offline }
        }
        _ = try await feed.store.known(.drafts) { ["a"] }
        let kept = try await feed.store.known(.drafts) { () -> [String] in throw offline }
        #expect(kept == Known(["a"], unreached: offline))
        // What it refuses is told.
        await #expect(throws: ClientFailure.self) {
            try await feed.store.known(.drafts) { () -> [String] in throw ClientFailure(.refused, "No.") }
        }
    }

    @Test func whatWasWrittenAfterThePostedVersionStaysADraft() async throws {
        try await feed.store.keep(GetDraftsResponse(drafts: []), as: .drafts)
        func listed() async throws -> [Int64]? {
            let kept: GetDraftsResponse? = try await feed.store.kept(.drafts)
            return kept?.drafts.map(\.draftId)
        }
        for (id, version) in [(5, 2), (6, 3)] as [(Int64, Int64)] {
            try await feed.store.keep(
                Draft(draftId: id, version: version, content: "<p>a</p>", updatedAt: Timestamp(seconds: id)))
        }
        #expect(try await listed() == [6, 5], "the one that was changed last first")
        for id in [5, 6] as [Int64] {
            let post = NewPostRequest(requestId: "\(id)", content: "<p>a</p>", draftId: id, draftVersion: 2)
            _ = try await feed.store.record(.publish(post), requestId: "\(id)")
        }
        _ = try await feed.push()
        #expect(try await listed() == [6])
        let (posted, later): (Draft?, Draft?) = (
            try await feed.store.kept(.draft(5)), try await feed.store.kept(.draft(6))
        )
        #expect(posted == nil && later?.version == 3)
    }

    @Test func draftsThatAreGoneAreNotKept() async throws {
        for id in [5, 50, 51] as [Int64] { try await feed.store.keep("\(id)", as: .draft(id)) }
        try await feed.store.keep(drafts: [5])
        #expect(try await feed.store.kept(.draft(5)) == "5")
        #expect(try await feed.store.kept(.draft(50)) == String?.none)
    }

    @Test func aPostThatWasListedIsReadAsFarAsItIsKnown() async throws {
        let server = try await RealServer()
        let ann = try await server.device("ann", register: true)
        let long = "<p>\(String(repeating: "word ", count: 200))</p>"
        try await ann.posts.publish(NewPostRequest(requestId: nil, content: long))
        try await ann.posts.publish(NewPostRequest(requestId: nil, content: "<p>short</p>"))
        let ids = try await ann.posts.feed(after: nil, limit: 10).posts.map(\.postId)
        await server.stop()
        let (short, beginning) = (try await ann.posts.post(ids[0]), try await ann.posts.post(ids[1]))
        #expect(short.post.content == "<p>short</p>" && !short.isBeginning && short.unreached != nil)
        #expect(beginning.isBeginning && beginning.post.content.count < long.count)
        #expect(try await ann.postSearch.posts(having: "sho", after: nil, limit: 5).posts.map(\.postId) == [ids[0]])
        let you = try #require(try ann.account.signedIn()).user.id
        #expect(try await ann.posts.posts(of: you, after: nil, limit: 5).posts.map(\.postId) == ids)
        await #expect(throws: ClientFailure.self) { try await ann.posts.post(404) }
        try await ann.close()
    }

    @Test func whatIsFetchedAheadIsReadWholeWithoutAConnection() async throws {
        let server = try await RealServer()
        let (ann, ben) = (
            try await server.device("ann", register: true, email: "ann@example.org"),
            try await server.device("ben", register: true, email: "ben@example.org")
        )
        let long = "<p>\(String(repeating: "word ", count: 200))end</p>"
        try await ann.posts.publish(NewPostRequest(requestId: nil, content: long))
        try await ben.people.setFollowing(true, try #require(try ann.account.signedIn()).user.id)
        #expect(try await ben.fetchFeedAhead())
        await server.stop()
        let id = try #require(try await ben.posts.feed(after: nil, limit: 1).posts.first).postId
        let read = try await ben.posts.post(id)
        #expect(!read.isBeginning && read.post.content == long && read.unreached != nil)
        try await ann.close()
        try await ben.close()
    }
}
