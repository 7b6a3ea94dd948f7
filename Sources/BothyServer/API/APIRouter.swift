import BothyContract
import HTTPTypes
import Hummingbird

/// The routes of one resource.
package protocol APIRoutes: Sendable {
    func add(to group: RouterGroup<APIContext>)

    /// What looks at every request and its answer, with these routes.
    var around: [any MiddlewareProtocol<Request, Response, APIContext>] { get }
}

extension APIRoutes {
    package var around: [any MiddlewareProtocol<Request, Response, APIContext>] { [] }
}

/// The whole HTTP surface, put together from the routes of each resource.
package struct APIRouter: Sendable {
    /// What the server answers: each route once, `GET` as `v1/files/{fileId}` spells it.
    package struct Route: Hashable, Sendable {
        package var method: HTTPRequest.Method
        package var path: String
    }

    package let responder: RouterResponder<APIContext>
    package let routes: [Route]
    /// What bodies take of the memory.
    let bodies = BodyRoom()

    /// - Parameters:
    ///   - open: routes for everyone.
    ///   - signedIn: routes behind `authentication`.
    ///   - outer: middlewares around everything, the outermost first: metrics, request logs.
    package init(
        open: [any APIRoutes], signedIn: [any APIRoutes],
        authentication: any MiddlewareProtocol<Request, Response, APIContext>,
        outer: [any MiddlewareProtocol<Request, Response, APIContext>] = []
    ) {
        let router = Router(context: APIContext.self, options: .autoGenerateHeadEndpoints)
        for middleware in outer { router.add(middleware: middleware) }
        router.add(middleware: BodyBounds(bodies))
        router.add(middleware: ResponseCompression())
        for middleware in open.flatMap(\.around) { router.add(middleware: middleware) }
        router.add(middleware: ProblemResponse())
        // Of routes alone: a method that an address does not take is 405, however its body is coded.
        let anybody = router.group().add(middleware: BodyCodings())
        for routes in open { routes.add(to: anybody) }
        let group = router.group().add(middleware: authentication).add(middleware: BodyCodings())
        for routes in signedIn { routes.add(to: group) }
        self.routes = router.routes.map { Route(method: $0.method, path: $0.path.description) }
        Self.refuseOtherMethods(router)
        self.responder = router.buildResponder()
    }

    /// A known address with a method that it does not take is 405, with the methods that it takes, and not 404.
    /// Where `GET` is taken, `HEAD` is too: the router makes it.
    private static func refuseOtherMethods(_ router: Router<APIContext>) {
        let query = HTTPRequest.Method("QUERY")
        let methods = [.get, .post, .put, .patch, .delete, .options, .trace] + (query.map { [$0] } ?? [])
        let byPath = Dictionary(grouping: router.routes, by: { $0.path.description })
        for routes in byPath.values {
            let own = routes.map(\.method)
            let allowed = own.contains(.get) ? own + [.head] : own
            for method in methods where !allowed.contains(method) {
                router.on(routes[0].path, method: method) { _, _ -> Response in throw MethodRefusal(allowed: allowed) }
            }
        }
    }
}
