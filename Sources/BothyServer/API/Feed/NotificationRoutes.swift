import BothyContract
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat

/// `/v1/notifications`.
package struct NotificationRoutes: APIRoutes {
    private let notifications: FeedNotifications

    package init(notifications: FeedNotifications) { self.notifications = notifications }

    package func add(to group: RouterGroup<APIContext>) {
        group.get("v1/notifications", use: list)
        group.put("v1/notifications/read", use: read)
    }

    @Sendable private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let limit = try request.number(QueryNames.limit, in: 1...FeedLimits.maximumPage) ?? FeedLimits.defaultPage
        return try .json(
            await notifications.page(after: request.query(QueryNames.after), limit: limit, for: caller))
    }

    /// Bytes of JSON.
    private static let largestRequest = 1 << 10

    @Sendable private func read(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        try request.requireJSON()
        let bytes = try await request.collect(for: context, upTo: Self.largestRequest)
        let body = try WireCoding.decode(NotificationsReadRequest.self, from: Data(buffer: bytes))
        return try .json(await notifications.read(body, for: caller))
    }
}
