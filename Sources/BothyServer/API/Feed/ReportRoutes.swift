import BothyContract
import Foundation
import Hummingbird
import NIOFoundationCompat

/// `POST /v1/posts/{postId}/report`.
package struct ReportRoutes: APIRoutes {
    private let moderation: Moderation

    package init(moderation: Moderation) { self.moderation = moderation }

    package func add(to group: RouterGroup<APIContext>) {
        group.post("v1/posts/{postId}/report") { request, context -> Response in
            let (caller, postId) = (try context.requireCaller(), try context.snowflake("postId"))
            try request.requireJSON()
            let bytes = try await request.collect(for: context, upTo: Self.largestBody)
            let body = try WireCoding.decode(ReportRequest.self, from: Data(buffer: bytes))
            try await moderation.report(body, on: postId, for: caller)
            return Response(status: .noContent)
        }
    }

    /// Bytes of JSON.
    private static let largestBody = 16 << 10
}
