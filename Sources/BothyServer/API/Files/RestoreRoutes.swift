import BothyContract
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat

/// `/v1/restore`: the drive, or a part of it, as it stood at a moment.
package struct RestoreRoutes: APIRoutes {
    private let restores: DriveRestores

    package init(restores: DriveRestores) { self.restores = restores }

    package func add(to group: RouterGroup<APIContext>) {
        group.post("v1/restore", use: submit)
        group.get("v1/restore/{restoreId}", use: get)
        group.get("v1/restore/{restoreId}/changes", use: changes)
    }

    /// 200 when it has come to its end, 202 when there is more to do: the same request again continues it.
    @Sendable private func submit(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let (decoded, identity) = try await request.command(RestoreRequest.self, for: context, id: \.requestId)
        let restore = try await restores.submit(decoded, identity: identity, for: caller)
        let isDone = restore.state == .planned || restore.state == .finished
        let response = try Response.json(restore, status: isDone ? .ok : .accepted)
        guard let after = restore.after.flatMap({ ChangeCursor(text: $0) }) else { return response }
        return response.with(cursor: after)
    }

    @Sendable private func get(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        return try .json(await restores.find(try context.id("restoreId"), for: caller))
    }

    @Sendable private func changes(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        return try .json(
            await restores.changes(
                of: try context.id("restoreId"), page: request.query(QueryNames.page), limit: try request.pageLimit(),
                for: caller))
    }
}
