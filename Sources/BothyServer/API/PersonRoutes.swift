import BothyContract
import HTTPTypes
import Hummingbird

/// `/v1/users`: the people of this server.
package struct PersonRoutes: APIRoutes {
    private let people: People

    package init(people: People) { self.people = people }

    package func add(to group: RouterGroup<APIContext>) {
        group.get("v1/users", use: list)
        group.get("v1/users/{userId}", use: get)
        group.put("v1/users/{userId}/follow") { request, context in try await setFollowing(true, context) }
        group.delete("v1/users/{userId}/follow") { request, context in try await setFollowing(false, context) }
    }

    @Sendable private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        try .json(
            await people.page(
                after: request.query(QueryNames.page), limit: try request.pageLimit(),
                for: try context.requireCaller()))
    }

    @Sendable private func get(_ request: Request, _ context: APIContext) async throws -> Response {
        try .json(await people.find(try context.snowflake("userId"), for: try context.requireCaller()))
    }

    private func setFollowing(_ isFollowing: Bool, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        try await people.setFollowing(isFollowing, try context.snowflake("userId"), for: caller)
        return Response(status: .noContent)
    }
}
