import BothyContent
import BothyContract
import BothyHosting
import BothyServer
import BothyWeb
import Hummingbird

/// Puts the web app into the server's router: the same socket, the same log, its own rules of coming in.
struct WebMount: APIRoutes {
    private static let secretName = "web_key"
    /// Of what tells this server from others on its host.
    private static let nameDigits = 8

    private let app: WebApp

    init(_ services: ServerServices, _ config: ServerConfig) async throws {
        let secret = try await ServerSecret.load(Self.secretName, from: services.database)
        let name = SHA256Hasher.hash(Array("cookies".utf8) + secret).hex.prefix(Self.nameDigits)
        app = try WebApp(
            entrance: .account(try await HostedBrowsers(services)),
            settings: WebSettings(publicURL: config.publicURL, hasTLS: config.tls != nil, server: String(name)),
            secret: secret,
            now: { services.clock.now() })
    }

    var around: [any MiddlewareProtocol<Request, Response, APIContext>] { [MissingPages(app: app)] }

    func add(to group: RouterGroup<APIContext>) {
        for route in app.routes {
            group.on(RouterPath(route.path), method: route.method) { request, context -> Response in
                let caller = WebCaller(
                    network: context.client.origin.network, isLocal: context.client.isLocal,
                    id: try context.parameters.get("id") == nil ? nil : context.id("id"))
                return try await route.answer(request, caller)
            }
        }
    }
}

/// Says in a page, to browsers, that an address leads nowhere.
private struct MissingPages: RouterMiddleware {
    typealias Context = APIContext

    let app: WebApp

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let answer = try await next(request, context)
        guard answer.status == .notFound, WebApp.isPersons(request),
            answer.headers[.contentType] == Problem.mediaType, !request.uri.path.hasPrefix("/v1/")
        else { return answer }
        let caller = WebCaller(
            network: context.client.origin.network, isLocal: context.client.isLocal, id: nil)
        return try await app.missing(request, caller)
    }
}
