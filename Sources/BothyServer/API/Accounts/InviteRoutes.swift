import BothyContract
import Foundation
import Hummingbird
import NIOFoundationCompat

/// `POST /v1/invites`: members let others in.
package struct InviteRoutes: APIRoutes {
    private let accounts: Accounts

    package init(accounts: Accounts) { self.accounts = accounts }

    package func add(to group: RouterGroup<APIContext>) {
        group.post("v1/invites") { request, context -> Response in
            let caller = try context.requireCaller()
            try request.requireJSON()
            let bytes = try await request.collect(for: context, upTo: Self.largestBody)
            let body = try WireCoding.decode(InviteRequest.self, from: Data(buffer: bytes))
            return try Response.json(try await accounts.invite(note: body.note ?? "", by: caller), status: .created)
        }
    }

    /// Bytes of JSON.
    private static let largestBody = 16 << 10
}
