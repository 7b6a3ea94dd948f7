import BothyContract
@testable import BothyServer

/// Six people, of whom all others follow the first.
struct Town {
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

    static func with(
        batch: Int = 250, mostFollowers: Int = 10_000, entries: Int = 500, _ body: (Town) async throws -> Void
    ) async throws {
        var reach = FeedReach()
        (reach.batch, reach.mostFollowers, reach.entries) = (batch, mostFollowers, entries)
        try await AccountServer.with(reach: reach) { try await body(Town($0)) }
    }

    func post(by author: Int = 0, to audience: NewPostAudience? = nil) async throws -> Int64 {
        try await server.services.posts.create(
            NewPostRequest(requestId: nil, content: "<p>a</p>", audience: audience), identity: .none(for: "test"),
            for: people[author].caller
        ).answer.postId
    }

    /// The oldest first.
    func posts(_ count: Int, by author: Int) async throws -> [Int64] {
        var posts: [Int64] = []
        for _ in 0..<count { posts.append(try await post(by: author)) }
        return posts
    }

    func interact(_ interaction: PostInteraction, _ post: Int64, by person: Int) async throws {
        _ = try await server.services.posts.interact(
            interaction, on: post, identity: .none(for: "test"), for: people[person].caller)
    }

    func follow(_ author: Int, by follower: Int) async throws {
        try await server.services.people.setFollowing(true, people[author].user.id, for: people[follower].caller)
    }

    /// Stops reading for so long that her feed is written no more.
    func fallAsleep(_ reader: Int) async throws {
        let (id, reach) = (people[reader].user.id, server.services.posts.reading.reach)
        try await server.services.database.write { try FeedFilling($0, of: id, reach).fallAsleep() }
    }

    /// The posts of a feed as whoever scrolls down sees them, page after page.
    func scrolled(by reader: Int, after: String? = nil, limit: Int = 2) async throws -> [Int64] {
        var (seen, next) = ([Int64](), after)
        repeat {
            let page = try await page(of: reader, after: next, limit: limit)
            seen += page.feed.map(\.postId)
            next = page.paging.next
        } while next != nil
        return seen
    }

    /// The same for whoever scrolls up from an entry: the newest first, too.
    func climbed(by reader: Int, above entry: Int64, limit: Int = 2) async throws -> [Int64] {
        var (seen, next) = ([Int64](), Int64?(entry))
        while let above = next {
            let page = try await server.services.posts.page(
                of: .feed, after: nil, above: above, limit: limit, for: people[reader].caller)
            seen = page.feed.map(\.postId) + seen
            next = page.paging.next.flatMap { Int64($0) }
        }
        return seen
    }

    func email(of person: Int) -> String { people[person].user.email }

    /// All that is on its way arrives.
    func carry() async throws {
        while try await server.services.fanOut.step() == .more {}
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
