import BothyContract
import HTTPTypes
import Hummingbird

/// Refuses a body that was compressed for the way where nothing unpacks it: it would be kept, or read, as it came.
struct BodyCodings: RouterMiddleware {
    typealias Context = APIContext

    /// What unpacks its body itself, see ``Request/unpacked(_:for:upTo:)``.
    private static func unpacks(_ request: Request) -> Bool {
        switch request.uri.path {
        case "/v1/upload/batch": true
        case "/v1/upload": request.query(QueryNames.uploadType) == "multipart"
        default: false
        }
    }

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let hasBody = request.method == .post || request.method == .put || request.method == .patch
        if hasBody, request.isCompressed, !Self.unpacks(request) {
            throw Problem(
                .unsupportedMediaType,
                "This body should come as it is, without “Content-Encoding”. “\(ContentCodings.zstd)” is taken where "
                    + "“uploadType” is “multipart”, and for a batch of uploads.")
        }
        return try await next(request, context)
    }
}
