import BothyContract
@testable import BothyServer
import Testing

/// Somebody with followers posts: what is carried to whom, and when.
@Suite struct FanOutTests {
    @Test func oneTransactionCarriesOneBatchAndTheRestFollows() async throws {
        try await with(batch: 2) { town in
            let post = try await town.post()
            #expect(try await town.readers(of: post).count == 3, "the author, and the first two followers")
            while try await town.server.services.fanOut.step() == .more {}
            #expect(try await town.readers(of: post).count == 6)
        }
    }

    @Test func whatAServerThatStoppedLeftIsCarriedByTheNextOne() async throws {
        let folder = try TemporaryFolder()
        var reach = FeedReach()
        reach.batch = 2
        let post = try await AccountServer.with(folder: folder, reach: reach) { server in
            let town = try await Town(server)
            let post = try await town.post()
            _ = try await server.services.fanOut.step()
            return post
        }
        try await AccountServer.with(folder: folder, reach: reach) { server in
            while try await server.services.fanOut.step() == .more {}
            #expect(try await Town.readers(of: post, server).count == 6)
        }
    }

    @Test func aShareThatIsTakenBackOnItsWayIsCarriedNoFurther() async throws {
        try await with(batch: 2) { town in
            let post = try await town.post(by: 5)
            while try await town.server.services.fanOut.step() == .more {}
            let before = try await town.readers(of: post)
            try await town.interact(.shared, post, by: 0)
            #expect(try await town.readers(of: post).count > before.count)
            try await town.interact(.removedShare, post, by: 0)
            while try await town.server.services.fanOut.step() == .more {}
            #expect(try await town.readers(of: post) == before)
        }
    }

    @Test func whatSomebodyLoudPostsCostsNoFeedUntilItIsRead() async throws {
        try await with(batch: 2, mostFollowers: 4) { town in
            let arrival = try await town.page(of: 1).arrival
            let post = try await town.post()
            while try await town.server.services.fanOut.step() == .more {}
            #expect(try await town.readers(of: post) == [town.people[0].user.id])
            let news = try await town.page(of: 1, since: arrival)
            #expect(news.feed.map(\.postId) == [post] && news.reachesSince == true)
            #expect(try await town.page(of: 2).feed.map(\.postId) == [post])
            #expect(try await town.readers(of: post).count == 3)
        }
    }

    @Test func aShareOfSomebodyLoudThatIsTakenBackIsBroughtToNobody() async throws {
        try await with(batch: 2, mostFollowers: 4) { town in
            let post = try await town.post(by: 5)
            try await town.interact(.shared, post, by: 0)
            #expect(try await town.page(of: 1).feed.map(\.postId) == [post], "whoever comes in time has it")
            try await town.interact(.removedShare, post, by: 0)
            for reader in 1...2 { #expect(try await town.page(of: reader).feed.isEmpty) }
        }
    }

    @Test func whatIsPostedToPeopleByNameIsCarriedToNobodyElse() async throws {
        try await with(batch: 2, mostFollowers: 4) { town in
            let post = try await town.post(
                to: NewPostAudience(kind: .people, people: [town.people[3].user.id]))
            #expect(try await town.readers(of: post) == Set([0, 3].map { town.people[$0].user.id }))
            #expect(try await town.server.services.fanOut.step() == .done)
        }
    }

    @Test func aFeedThatNobodyReadsIsWrittenNoMoreAndIsWholeForWhoComesBack() async throws {
        var reach = FeedReach()
        reach.entries = 3
        try await with(reach) { town in
            var posts: [Int64] = []
            for _ in 0..<5 { posts.append(try await town.post()) }
            #expect(try await town.page(of: 1).feed.map(\.postId) == posts.reversed())
            try await town.wait(days: 31)
            _ = try await town.page(of: 2)
            while try await town.server.services.feedSleep.step() == .more {}
            for _ in 0..<2 { posts.append(try await town.post()) }
            #expect(try await town.entries(of: 1) == 3, "what is likely to be read is kept")
            #expect(try await town.entries(of: 2) == 7)
            let first = try await town.page(of: 1, limit: 4)
            let rest = try await town.page(of: 1, after: first.paging.next, limit: 4)
            #expect((first.feed + rest.feed).map(\.postId) == posts.reversed())
            #expect(rest.paging.next == nil)
        }
    }

    private func with(
        batch: Int, mostFollowers: Int = 10_000, _ body: (Town) async throws -> Void
    ) async throws {
        var reach = FeedReach()
        (reach.batch, reach.mostFollowers) = (batch, mostFollowers)
        try await with(reach, body)
    }

    private func with(_ reach: FeedReach, _ body: (Town) async throws -> Void) async throws {
        try await AccountServer.with(reach: reach) { try await body(Town($0)) }
    }
}

/// Six people, of whom all others follow the first.
private struct Town {
    let server: AccountServer
    let people: [SessionResponse]

    init(_ server: AccountServer) async throws {
        self.server = server
        var people: [SessionResponse] = []
        for name in ["ann", "ben", "cleo", "dan", "eve", "finn"] {
            people.append(try await server.register("\(name)@example.org"))
        }
        self.people = people
        for follower in people.dropFirst() {
            try await server.services.people.setFollowing(true, people[0].user.id, for: follower.caller)
        }
    }

    func post(by author: Int = 0, to audience: NewPostAudience? = nil) async throws -> Int64 {
        try await server.services.posts.create(
            NewPostRequest(requestId: nil, content: "<p>a</p>", audience: audience), identity: .none(for: "test"),
            for: people[author].caller
        ).answer.postId
    }

    func interact(_ interaction: PostInteraction, _ post: Int64, by person: Int) async throws {
        _ = try await server.services.posts.interact(
            interaction, on: post, identity: .none(for: "test"), for: people[person].caller)
    }

    func page(
        of reader: Int, since: String? = nil, after: String? = nil, limit: Int = 20
    ) async throws -> FeedApiResponse {
        try await server.services.posts.page(
            of: .feed, after: after, since: since, limit: limit, for: people[reader].caller)
    }

    /// The server runs on.
    func wait(days: Int64) async throws {
        server.clock.advance(seconds: days * 86_400)
        try await server.services.lived.keep()
    }

    func readers(of post: Int64) async throws -> Set<Int64> { try await Self.readers(of: post, server) }

    static func readers(of post: Int64, _ server: AccountServer) async throws -> Set<Int64> {
        try await server.services.database.read { db in
            Set(try db.query("SELECT reader_id FROM feed_entries WHERE post_id = ?", [post.sql]).map { $0.int64(0) })
        }
    }

    func entries(of reader: Int) async throws -> Int {
        let id = people[reader].user.id
        return try await server.services.database.read { db in
            try db.first("SELECT count(*) FROM feed_entries WHERE reader_id = ?", [id.sql])?.int(0) ?? 0
        }
    }
}
