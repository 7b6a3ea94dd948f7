import BothyContract
import Hummingbird

/// The routes of people and their posts, which are refused where the server has no feed.
struct FeedGate: APIRoutes {
    let isOpen: Bool
    let routes: [any APIRoutes]

    func add(to group: RouterGroup<APIContext>) {
        let gated = isOpen ? group : group.group().add(middleware: Refusal())
        for routes in routes { routes.add(to: gated) }
    }

    private struct Refusal: RouterMiddleware {
        func handle(
            _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
        ) async throws -> Response {
            throw Problem(.feedOff, "The feed is turned off on this server.")
        }
    }
}
