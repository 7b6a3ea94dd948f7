import BothyContract
import HTTPTypes
import Hummingbird

/// Turns everything that a route throws into a problem document (RFC 9457), with the headers that go with it.
///
/// Outermost of the API's middlewares, so that unknown addresses and refused tokens are problems too.
package struct ProblemResponse: RouterMiddleware {
    package typealias Context = APIContext

    package init() {}

    package func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let problem = Problem(describing: error)
            // A quota that is used up is a 507 too, but no failure of the server.
            if problem.status >= 500, problem.code != .quotaExceeded {
                context.logger.error(
                    "The request failed.",
                    metadata: [
                        "bothy.code": .string(problem.code.rawValue), "error": .string(String(reflecting: error)),
                        "http.method": .string(request.method.rawValue),
                        "http.route": .string(context.endpointPath ?? "unknown"),
                    ])
            }
            return try Self.response(problem, allow: (error as? MethodRefusal)?.allowed)
        }
    }

    package static func response(_ problem: Problem, allow: [HTTPRequest.Method]? = nil) throws -> Response {
        var problem = problem
        if problem.retryAfter == nil { problem.retryAfter = problem.code.known?.defaultRetryAfter }
        var response = try Response.json(problem, status: .init(code: problem.status))
        response.headers[.contentType] = Problem.mediaType
        response.headers[.cacheControl] = "no-store"
        if let retryAfter = problem.retryAfter { response.headers[.retryAfter] = String(retryAfter) }
        if problem.status == 401 { response.headers[.wwwAuthenticate] = problem.code.known?.challenge }
        if let allow { response.headers[.allow] = allow.map(\.rawValue).sorted().joined(separator: ", ") }
        // What is left of a body that was refused unread is not read for its own sake: the connection ends with it.
        if problem.status == 413 || problem.status == 408 { response.headers[.connection] = "close" }
        return response
    }
}

/// The method is not one of the address's.
struct MethodRefusal: Error {
    var allowed: [HTTPRequest.Method]
}

extension ProblemCode {
    /// Seconds; for codes whose status asks for `Retry-After`, where nothing better is known.
    fileprivate var defaultRetryAfter: Int? {
        switch self {
        case .busy: 1
        case .shuttingDown: 5
        case .tooManyRequests, .tooManyUploads: 10
        case .storeFailed, .contentCorrupt: 60
        default: nil
        }
    }

    /// RFC 6750 §3.
    fileprivate var challenge: String {
        switch self {
        case .tokenExpired, .tokenInvalid, .deviceSignedOut: #"Bearer realm="bothy", error="invalid_token""#
        default: #"Bearer realm="bothy""#
        }
    }
}
