import BothyContract
import Hummingbird

/// `/v1/feed/marker`.
package struct FeedMarkerRoutes: APIRoutes {
    private let markers: FeedMarkers

    package init(markers: FeedMarkers) { self.markers = markers }

    package func add(to group: RouterGroup<APIContext>) {
        group.get("v1/feed/marker", use: get)
        group.put("v1/feed/marker", use: update)
    }

    @Sendable private func get(_ request: Request, _ context: APIContext) async throws -> Response {
        try .json(await markers.marker(for: try context.requireCaller()))
    }

    @Sendable private func update(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let body: UpdateFeedMarkerRequest = try await request.json(for: context)
        return try .json(await markers.update(body, for: caller))
    }
}
