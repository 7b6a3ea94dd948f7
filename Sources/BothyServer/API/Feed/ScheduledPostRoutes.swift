import BothyContract
import HTTPTypes
import Hummingbird

/// `/v1/posts/scheduled`: posts that wait for their time.
package struct ScheduledPostRoutes: APIRoutes {
    private let posts: Posts

    package init(posts: Posts) { self.posts = posts }

    package func add(to group: RouterGroup<APIContext>) {
        group.get("v1/posts/scheduled", use: list)
        group.patch("v1/posts/scheduled/{scheduledId}", use: reschedule)
        group.delete("v1/posts/scheduled/{scheduledId}", use: delete)
    }

    @Sendable private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        try .json(await posts.scheduled(for: try context.requireCaller()))
    }

    @Sendable private func reschedule(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let id = try context.snowflake("scheduledId")
        let (body, _) = try await request.command(ReschedulePostRequest.self, for: context, id: \.noRequestId)
        guard let post = try await posts.reschedule(id, at: body.publishAt, for: caller) else {
            return Response(status: .noContent)
        }
        var response = Response(status: .created)
        response.headers[.location] = "/v1/posts/\(post)"
        return response
    }

    @Sendable private func delete(_ request: Request, _ context: APIContext) async throws -> Response {
        try await posts.deleteScheduled(try context.snowflake("scheduledId"), for: try context.requireCaller())
        return Response(status: .noContent)
    }
}

extension ReschedulePostRequest {
    /// It is the same however often it comes.
    fileprivate var noRequestId: String? { nil }
}
