import BothyContract
import BothyServer

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
