import BothyContract
import Foundation
import HTTPTypes
import Hummingbird
import NIOFoundationCompat

/// `POST /v1/auth/register`, `login` and `refresh`: for those who have no access token.
package struct SignInRoutes: APIRoutes {
    private let accounts: Accounts

    package init(accounts: Accounts) { self.accounts = accounts }

    package func add(to group: RouterGroup<APIContext>) {
        group.post("v1/auth/register") { request, context -> Response in
            let body = try await request.account(RegisterRequest.self, context)
            return try Response.json(try await accounts.register(body, from: context.client.origin), status: .created)
        }
        group.post("v1/auth/login") { request, context -> Response in
            let body = try await request.account(LoginRequest.self, context)
            return try Response.json(try await accounts.login(body, from: context.client.origin))
        }
        group.post("v1/auth/refresh") { request, context -> Response in
            try Response.json(try await accounts.refresh(try await request.account(RefreshRequest.self, context)))
        }
    }
}

/// `POST /v1/auth/logout` and `password`, `GET /v1/auth/devices`, `DELETE /v1/auth/devices/{deviceId}`.
package struct DeviceRoutes: APIRoutes {
    private let accounts: Accounts

    package init(accounts: Accounts) { self.accounts = accounts }

    package func add(to group: RouterGroup<APIContext>) {
        group.post("v1/auth/logout") { _, context -> Response in
            try await accounts.logout(try context.requireCaller())
            return Response(status: .noContent)
        }
        group.post("v1/auth/password") { request, context -> Response in
            let body = try await request.account(ChangePasswordRequest.self, context)
            try await accounts.changePassword(body, of: try context.requireCaller(), from: context.client.origin)
            return Response(status: .noContent)
        }
        group.get("v1/auth/devices") { request, context -> Response in
            let page = try request.query(QueryNames.page).map(DevicePage.init(text:))
            return try Response.json(
                try await accounts.devices(
                    of: try context.requireCaller(), after: page, limit: try request.pageLimit()))
        }
        group.delete("v1/auth/devices/{deviceId}") { _, context -> Response in
            try await accounts.signOut(deviceId: try context.id("deviceId"), of: try context.requireCaller())
            return Response(status: .noContent)
        }
    }
}

extension Request {
    /// Bytes: an account's requests are small, and most of them come from strangers.
    private static var largestAccountBody: Int { 16 << 10 }

    fileprivate func account<Body: Decodable>(_ type: Body.Type, _ context: APIContext) async throws -> Body {
        try requireJSON()
        let bytes = try await collect(for: context, upTo: Self.largestAccountBody)
        return try WireCoding.decode(type, from: Data(buffer: bytes))
    }
}
