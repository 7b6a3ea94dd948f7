import Hummingbird

/// Gives each request its claim on the memory that bodies may take, and takes it back when the request is answered.
struct BodyBounds: RouterMiddleware {
    typealias Context = APIContext

    private let room: BodyRoom

    init(_ room: BodyRoom) { self.room = room }

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let claim = BodyClaim(room)
        defer { claim.end() }
        var context = context
        context.claim = claim
        return try await next(request, context)
    }
}
