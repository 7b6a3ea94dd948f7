import BothyContract
import HTTPTypes
import Hummingbird

/// `/v1/posts/{postId}/comments`.
package struct CommentRoutes: APIRoutes {
    private let comments: Comments

    package init(comments: Comments) { self.comments = comments }

    package func add(to group: RouterGroup<APIContext>) {
        group.get("v1/posts/{postId}/comments", use: list)
        group.post("v1/posts/{postId}/comments", use: create)
        group.delete("v1/posts/{postId}/comments/{commentId}", use: delete)
        group.post("v1/posts/{postId}/comments/{commentId}/interactions", use: interact)
    }

    @Sendable private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let limit = try request.number(QueryNames.limit, in: 1...FeedLimits.maximumPage) ?? FeedLimits.defaultPage
        return try .json(
            await comments.page(
                on: try context.snowflake("postId"), after: request.query(QueryNames.after), limit: limit,
                for: caller), to: request)
    }

    @Sendable private func create(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let postId = try context.snowflake("postId")
        let (body, identity) = try await request.command(NewCommentRequest.self, for: context, id: \.requestId)
        let outcome = try await comments.create(body, on: postId, identity: identity, for: caller)
        var response = try Response.json(outcome.answer, status: .created).with(cursor: outcome.cursor)
        response.headers[.location] = "/v1/posts/\(postId)/comments/\(outcome.answer.commentId)"
        return response
    }

    @Sendable private func delete(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let cursor = try await comments.delete(
            try context.snowflake("commentId"), on: try context.snowflake("postId"),
            identity: try RequestIdentity(request), for: caller)
        return Response(status: .noContent).with(cursor: cursor)
    }

    @Sendable private func interact(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let (postId, commentId) = (try context.snowflake("postId"), try context.snowflake("commentId"))
        let (body, identity) = try await request.command(PostInteractionRequest.self, for: context, id: \.requestId)
        let outcome = try await comments.interact(
            body.type, with: commentId, on: postId, identity: identity, for: caller)
        return try Response.json(outcome.answer, status: .created).with(cursor: outcome.cursor)
    }
}
