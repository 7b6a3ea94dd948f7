import BothyContract
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat

/// `/v1/feed` and `/v1/posts`.
package struct PostRoutes: APIRoutes {
    private let posts: Posts

    package init(posts: Posts) { self.posts = posts }

    package func add(to group: RouterGroup<APIContext>) {
        group.get("v1/feed", use: feed)
        group.get("v1/feed/arrivals", use: arrivals)
        group.get("v1/feed/bookmarks", use: bookmarks)
        group.get("v1/users/{userId}/posts", use: postsOf)
        group.post("v1/posts", use: create)
        group.post("v1/posts/check", use: check)
        group.get("v1/posts/trash", use: trash)
        group.get("v1/posts/{postId}", use: get)
        group.patch("v1/posts/{postId}", use: edit)
        group.delete("v1/posts/{postId}", use: delete)
        group.post("v1/posts/{postId}/restore", use: restore)
        group.get("v1/posts/{postId}/history", use: history)
        group.delete("v1/posts/{postId}/history", use: cutHistory)
        group.post("v1/posts/{postId}/interactions", use: interact)
        group.post("v1/interactions", use: interactWithMany)
        group.get("v1/conversations", use: conversations)
        group.get("v1/conversations/{conversationId}/posts", use: postsOfConversation)
    }

    // MARK: - Reading

    @Sendable private func feed(_ request: Request, _ context: APIContext) async throws -> Response {
        try await page(
            of: .feed, since: request.query(QueryNames.since), above: Self.above(request), request,
            try context.requireCaller())
    }

    @Sendable private func arrivals(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        return try .json(await posts.arrivals(since: request.query(QueryNames.since), for: caller))
    }

    @Sendable private func bookmarks(_ request: Request, _ context: APIContext) async throws -> Response {
        try await page(of: .bookmarks, request, try context.requireCaller())
    }

    @Sendable private func postsOf(_ request: Request, _ context: APIContext) async throws -> Response {
        try await page(of: .author(try context.snowflake("userId")), request, try context.requireCaller())
    }

    private func page(
        of source: FeedListing.Source, since: String? = nil, above: Int64? = nil, _ request: Request, _ caller: Caller
    ) async throws -> Response {
        try .json(
            await posts.page(
                of: source, after: request.query(QueryNames.after), since: since, above: above,
                limit: Self.limit(request), for: caller), to: request)
    }

    /// - Throws: `invalid_parameter`.
    private static func above(_ request: Request) throws -> Int64? {
        try request.number(QueryNames.above, in: 0...Int(Int64.max)).map(Int64.init)
    }

    private static func limit(_ request: Request) throws -> Int {
        try request.number(QueryNames.limit, in: 1...FeedLimits.maximumPage) ?? FeedLimits.defaultPage
    }

    @Sendable private func trash(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        return try .json(
            await posts.trash(after: request.query(QueryNames.after), limit: Self.limit(request), for: caller))
    }

    @Sendable private func conversations(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        return try .json(
            await posts.conversations(after: request.query(QueryNames.after), limit: Self.limit(request), for: caller))
    }

    @Sendable private func postsOfConversation(_ request: Request, _ context: APIContext) async throws -> Response {
        try await page(
            of: .conversation(try context.snowflake("conversationId")), request, try context.requireCaller())
    }

    @Sendable private func history(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        return try .json(await posts.history(of: try context.snowflake("postId"), for: caller))
    }

    @Sendable private func get(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let post = try await posts.find(try context.snowflake("postId"), for: caller)
        return try .json(PostDetailApiResponse(post: post), to: request)
    }

    @Sendable private func check(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let body: PostCheckRequest = try await request.json(for: context)
        return try .json(await posts.check(body.posts, for: caller))
    }

    // MARK: - Acting

    @Sendable private func create(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let (body, identity) = try await request.command(NewPostRequest.self, for: context, id: \.requestId)
        let outcome = try await posts.create(body, identity: identity, for: caller)
        var response = Response(status: .created).with(cursor: outcome.cursor)
        response.headers[.location] = outcome.answer.path
        return response
    }

    @Sendable private func edit(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let postId = try context.snowflake("postId")
        let (body, identity) = try await request.command(EditPostRequest.self, for: context, id: \.requestId)
        return try .json(
            PostDetailApiResponse(post: await posts.edit(postId, body, identity: identity, for: caller)))
    }

    @Sendable private func delete(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let cursor = try await posts.delete(
            try context.snowflake("postId"), isForGood: try request.flag(QueryNames.permanent),
            identity: try RequestIdentity(request), for: caller)
        return Response(status: .noContent).with(cursor: cursor)
    }

    @Sendable private func restore(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        return try .json(
            PostDetailApiResponse(
                post: await posts.restore(
                    try context.snowflake("postId"), identity: try RequestIdentity(request), for: caller)))
    }

    @Sendable private func cutHistory(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let cursor = try await posts.cutHistory(
            of: try context.snowflake("postId"), identity: try RequestIdentity(request), for: caller)
        return Response(status: .noContent).with(cursor: cursor)
    }

    @Sendable private func interact(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let postId = try context.snowflake("postId")
        let (body, identity) = try await request.command(PostInteractionRequest.self, for: context, id: \.requestId)
        let outcome = try await posts.interact(body.type, on: postId, identity: identity, for: caller)
        return try Response.json(outcome.answer, status: .created).with(cursor: outcome.cursor)
    }

    @Sendable private func interactWithMany(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let (body, _) = try await request.command(InteractionsRequest.self, for: context, id: \.noRequestId)
        return try .json(await posts.interact(body.interactions, for: caller))
    }
}

extension InteractionsRequest {
    /// Each of them has its own.
    fileprivate var noRequestId: String? { nil }
}
