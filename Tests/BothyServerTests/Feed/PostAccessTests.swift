import BothyContract
@testable import BothyServer
import Testing

/// Whatever people follow and whomever they write to: each way to a post shows it to those who may read it, and to nobody else.
@Suite struct PostAccessTests {
    @Test(arguments: 0..<12)
    func everyWayToAPostAsksTheOnePlace(seed: UInt64) async throws {
        try await AccountServer.with { server in
            var world = try await FeedWorld(server, seed: seed)
            for _ in 0..<70 { try await world.act() }
            for reader in world.people.indices {
                for post in world.posts { try await world.check(post, for: reader) }
                try await world.checkLists(for: reader)
                try await world.checkFound(by: reader)
                try await world.checkHeld(by: reader)
            }
            let counts = try await server.services.database.write { try PostCounts($0).look(after: 0, limit: 1_000) }
            #expect(counts.differences == 0, "what is counted on the way is what there is")
        }
    }

    @Test func aPostThatMayNotBeReadIsAnsweredAsNone() async throws {
        try await AccountServer.with { server in
            let (ann, ben) = (
                try await server.register("ann@example.org"), try await server.register("ben@example.org")
            )
            let made = try await server.services.posts.create(
                NewPostRequest(requestId: nil, content: "a", audience: NewPostAudience(kind: .followers)),
                identity: .none(for: "test"), for: ann.caller)
            let secret = made.answer.postId
            func answers(_ post: Int64) async throws -> [String] {
                try [
                    try await server.send(.get, "/v1/posts/\(post)", token: ben.accessToken),
                    try await server.send(.delete, "/v1/posts/\(post)", token: ben.accessToken),
                    try await server.send(.get, "/v1/posts/\(post)/comments", token: ben.accessToken),
                    try await server.send(
                        .post, "/v1/posts/\(post)/comments", token: ben.accessToken,
                        json: NewCommentRequest(requestId: nil, content: "a")),
                    try await server.send(
                        .post, "/v1/posts/\(post)/interactions", token: ben.accessToken,
                        json: PostInteractionRequest(requestId: nil, type: .shared)),
                ].map { "\($0.status) \(try $0.problem().detail)" }
            }
            #expect(try await answers(secret) == answers(1))
        }
    }
}
