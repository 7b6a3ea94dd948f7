import BothyContract
import Foundation
import HTTPTypes
import Hummingbird
import NIOFoundationCompat

/// `/v1/drafts`.
package struct DraftRoutes: APIRoutes {
    private let drafts: Drafts

    package init(drafts: Drafts) { self.drafts = drafts }

    package func add(to group: RouterGroup<APIContext>) {
        group.get("v1/drafts", use: list)
        group.get("v1/drafts/{draftId}", use: get)
        group.put("v1/drafts/{draftId}", use: save)
        group.delete("v1/drafts/{draftId}", use: delete)
    }

    @Sendable private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        try .json(await drafts.all(for: try context.requireCaller()))
    }

    @Sendable private func get(_ request: Request, _ context: APIContext) async throws -> Response {
        try answer(await drafts.find(try context.snowflake("draftId"), for: try context.requireCaller()))
    }

    @Sendable private func save(_ request: Request, _ context: APIContext) async throws -> Response {
        let (caller, id) = (try context.requireCaller(), try context.snowflake("draftId"))
        guard id <= FeedLimits.maximumDraftId else {
            throw Problem(.invalidParameter, "A draft's id is a number from 1 to \(FeedLimits.maximumDraftId).")
        }
        let body: SaveDraftRequest = try await request.json(for: context)
        let saved = try await drafts.save(body, id, if: DraftPrecondition(request.headers), for: caller)
        var response = try answer(saved.draft, status: saved.isNew ? .created : .ok)
        if saved.isNew { response.headers[.location] = "/v1/drafts/\(saved.draft.draftId)" }
        return response
    }

    @Sendable private func delete(_ request: Request, _ context: APIContext) async throws -> Response {
        try await drafts.delete(
            try context.snowflake("draftId"), if: DraftPrecondition(request.headers), for: try context.requireCaller())
        return Response(status: .noContent)
    }

    private func answer(_ draft: Draft, status: HTTPResponse.Status = .ok) throws -> Response {
        var response = try Response.json(draft, status: status)
        response.headers[.eTag] = DraftPrecondition.tag(draft.version)
        return response
    }
}
