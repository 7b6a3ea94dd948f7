import BothyContract
import HTTPTypes
import Hummingbird

/// Lets a request pass when its access token is good and its device is signed in, and says whose it is.
package struct Authentication: RouterMiddleware {
    private let tokens: AccessTokens
    private let sessions: DeviceSessions

    package init(tokens: AccessTokens, sessions: DeviceSessions) {
        self.tokens = tokens
        self.sessions = sessions
    }

    package func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let claims = try await tokens.verify(try Self.token(request))
        try await sessions.check(claims)
        var context = context
        context.caller = Caller(
            userId: claims.userId, driveId: claims.userId, deviceId: claims.deviceId, session: claims.session)
        context.notes.caller(claims.deviceId)
        return try await next(request, context)
    }

    /// The token of `Authorization: Bearer …`; never one from the address, which is logged and shared.
    private static func token(_ request: Request) throws -> String {
        guard let header = request.headers[.authorization] else {
            throw Problem(.signInRequired, "This needs an access token: “Authorization: Bearer …”.")
        }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw Problem(.signInRequired, "The “Authorization” header is not “Bearer” and an access token.")
        }
        return String(parts[1])
    }
}
