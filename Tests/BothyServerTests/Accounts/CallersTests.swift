import BothyContract
import BothyServer
import Foundation
import HTTPTypes
import JWTKit
import Testing

/// Every route that the server has × every kind of caller. Routes come from the router, so a new one cannot be forgotten.
@Suite struct CallersTests {
    /// Routes that ask for no account; a new one has to be written here by someone who means it.
    private static let open: Set<String> = [
        "POST v1/auth/register", "POST v1/auth/login", "POST v1/auth/refresh", "GET healthz", "GET readyz",
        "GET openapi.yaml", "GET v1/content/{revisionId}",
    ]

    private static func name(_ route: APIRouter.Route) -> String {
        "\(route.method.rawValue) " + route.path.drop { $0 == "/" }
    }

    private static func closedRoutes(_ server: AccountServer) -> [APIRouter.Route] {
        server.assembly.router.routes.filter { !open.contains(name($0)) && $0.method != .head }
    }

    /// The route's address with ids that were never made.
    private static func path(_ route: APIRouter.Route) -> String {
        "/"
            + route.path.drop { $0 == "/" }.split(separator: "/").map { part in
                part.hasPrefix("{") || part.hasPrefix(":")
                    ? (part.contains("index") ? "0" : "01a1fc40-7411-7d42-bc95-533cb493b28c") : String(part)
            }.joined(separator: "/")
    }

    private func refusals(_ server: AccountServer, token: String?) async throws -> [String: ProblemCode?] {
        var codes: [String: ProblemCode?] = [:]
        for route in Self.closedRoutes(server) {
            let answer = try await server.send(route.method, Self.path(route), token: token)
            codes[Self.name(route)] = answer.status == 401 ? answer.code : nil
        }
        return codes
    }

    @Test func theOpenRoutesAreThoseAndNoOthers() async throws {
        try await AccountServer.with { server in
            let names = Set(server.assembly.router.routes.map(Self.name))
            #expect(Self.open.isSubset(of: names))
            #expect(Self.closedRoutes(server).count >= 25)
        }
    }

    @Test func nobodyIsAskedToSignIn() async throws {
        try await AccountServer.with { server in
            for (route, code) in try await refusals(server, token: nil) { #expect(code == .signInRequired, "\(route)") }
        }
    }

    @Test func aSignedOutDeviceIsToldSo() async throws {
        try await AccountServer.with { server in
            let session = try await server.register()
            try await server.services.accounts.logout(session.caller)
            for (route, code) in try await refusals(server, token: session.accessToken) {
                #expect(code == .deviceSignedOut, "\(route)")
            }
        }
    }

    @Test func anExpiredTokenIsToBeRefreshed() async throws {
        try await AccountServer.with { server in
            let session = try await server.register()
            server.clock.advance(seconds: AccountLimits.accessTokenLifetime)
            for (route, code) in try await refusals(server, token: session.accessToken) {
                #expect(code == .tokenExpired, "\(route)")
            }
        }
    }

    @Test func aTokenOfAnotherKeyAndOneOfNoKeyAreRefused() async throws {
        try await AccountServer.with { server in
            let session = try await server.register()
            let foreign = try await AccountServer.with { try await $0.register().accessToken }
            let parts = session.accessToken.split(separator: ".")
            let unsigned = Data(#"{"alg":"none","typ":"at+jwt"}"#.utf8).base64EncodedString() + ".\(parts[1])."
            for token in [foreign, unsigned, session.refreshToken] {
                for (route, code) in try await refusals(server, token: token) {
                    #expect(code == .tokenInvalid, "\(route)")
                }
            }
        }
    }

    @Test func theRightCallerPasses() async throws {
        try await AccountServer.with { server in
            let session = try await server.register()
            let last = ["POST v1/auth/logout", "GET v1/events", "GET v1/changes/wait"]
            for route in Self.closedRoutes(server) where !last.contains(Self.name(route)) {
                let answer = try await server.send(route.method, Self.path(route), token: session.accessToken)
                #expect(answer.status != 401 && answer.status != 403 && answer.status < 500, "\(Self.name(route))")
            }
        }
    }

    @Test func aTokenInTheAddressIsNoToken() async throws {
        try await AccountServer.with { server in
            let session = try await server.register()
            let answer = try await server.send(.get, "/v1/files?access_token=\(session.accessToken)")
            #expect(answer.code == .signInRequired)
        }
    }
}
