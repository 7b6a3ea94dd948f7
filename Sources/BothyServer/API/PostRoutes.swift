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
        group.get("v1/feed/bookmarks", use: bookmarks)
        group.get("v1/users/{userId}/posts", use: postsOf)
        group.post("v1/posts", use: create)
        group.get("v1/posts/{postId}", use: get)
        group.delete("v1/posts/{postId}", use: delete)
        group.post("v1/posts/{postId}/interactions", use: interact)
    }

    // MARK: - Reading

    @Sendable private func feed(_ request: Request, _ context: APIContext) async throws -> Response {
        try await page(of: .feed, since: request.query(QueryNames.since), request, try context.requireCaller())
    }

    @Sendable private func bookmarks(_ request: Request, _ context: APIContext) async throws -> Response {
        try await page(of: .bookmarks, request, try context.requireCaller())
    }

    @Sendable private func postsOf(_ request: Request, _ context: APIContext) async throws -> Response {
        try await page(of: .author(try context.snowflake("userId")), request, try context.requireCaller())
    }

    private func page(
        of source: FeedListing.Source, since: String? = nil, _ request: Request, _ caller: Caller
    ) async throws -> Response {
        let limit = try request.number(QueryNames.limit, in: 1...FeedLimits.maximumPage) ?? FeedLimits.defaultPage
        return try .json(
            await posts.page(
                of: source, after: request.query(QueryNames.after), since: since, limit: limit, for: caller))
    }

    @Sendable private func get(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        return try .json(PostDetailApiResponse(post: await posts.find(try context.snowflake("postId"), for: caller)))
    }

    // MARK: - Acting

    @Sendable private func create(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let (body, identity) = try await request.command(NewPostRequest.self, for: context, id: \.requestId)
        let outcome = try await posts.create(body, identity: identity, for: caller)
        var response = Response(status: .created).with(cursor: outcome.cursor)
        response.headers[.location] = "/v1/posts/\(outcome.answer.postId)"
        return response
    }

    @Sendable private func delete(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let cursor = try await posts.delete(
            try context.snowflake("postId"), identity: try RequestIdentity(request), for: caller)
        return Response(status: .noContent).with(cursor: cursor)
    }

    @Sendable private func interact(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let postId = try context.snowflake("postId")
        let (body, identity) = try await request.command(PostInteractionRequest.self, for: context, id: \.requestId)
        let cursor = try await posts.interact(body.type, on: postId, identity: identity, for: caller)
        return Response(status: .created).with(cursor: cursor)
    }
}
