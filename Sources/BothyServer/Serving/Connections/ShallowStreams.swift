import HTTPTypes
import Hummingbird

/// Finds the answer to a request for an event stream in a task of its own, so that the open stream keeps little memory.
///
/// A connection's task keeps what its deepest call took for as long as the connection lives: Swift's task allocator gives nothing
/// back before its task ends. The way through middlewares, authentication and database is the deepest, and takes about as much
/// as all that an idle stream needs besides. An answer that comes soon is not worth a second task.
struct ShallowStreams<Base: HTTPResponder<APIContext>>: HTTPResponder {
    let base: Base

    func respond(to request: Request, context: APIContext) async throws -> Response {
        guard request.headers[.accept]?.contains("text/event-stream") == true else {
            return try await base.respond(to: request, context: context)
        }
        async let response = base.respond(to: request, context: context)
        return try await response
    }
}
