import HTTPTypes
import Hummingbird
import Logging

/// One line in the log, and one count in the metrics, for each request: method, route, status, time, bytes and device.
///
/// The route is logged as the router spells it, so that neither a name nor a signature of an address gets into the log.
package struct RequestLog: RouterMiddleware {
    package typealias Context = APIContext

    private let metrics: ServerMetrics
    private let logger: Logger

    package init(metrics: ServerMetrics, logger: Logger) {
        self.metrics = metrics
        self.logger = logger
    }

    package func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        metrics.requestBegan()
        var response: Response
        do {
            response = try await next(request, context)
        } catch {
            metrics.requestEnded(route: "unknown", method: request.method.rawValue, status: 0, elapsed: .now - start)
            throw error
        }
        let (status, length) = (response.status.code, response.body.contentLength)
        guard Self.isStreamed(response) else {
            record(request, context, status, length, start)
            return response
        }
        let body = response.body
        response = Response(
            status: response.status, headers: response.headers,
            body: ResponseBody(contentLength: length) { writer in
                defer { record(request, context, status, length, start) }
                try await body.write(writer)
            })
        return response
    }

    private func record(
        _ request: Request, _ context: APIContext, _ status: Int, _ length: Int?, _ start: ContinuousClock.Instant
    ) {
        let elapsed = ContinuousClock.now - start
        let route = context.endpointPath ?? "unknown"
        metrics.requestEnded(route: route, method: request.method.rawValue, status: status, elapsed: elapsed)
        let isQuiet = route == "/healthz" || route == "/readyz"
        logger.log(
            level: isQuiet ? .debug : .info, "request",
            metadata: [
                "method": .string(request.method.rawValue), "route": .string(route),
                "status": .stringConvertible(status),
                "ms": .string(Self.milliseconds(elapsed)), "bytes": .string(length.map { String($0) } ?? "-"),
                "device": .string(context.notes.deviceId ?? "-"),
            ])
    }

    /// Small answers are whole already; a download is logged when it has gone out.
    private static func isStreamed(_ response: Response) -> Bool {
        guard let length = response.body.contentLength else { return true }
        return length > 1 << 16
    }

    private static func milliseconds(_ elapsed: Duration) -> String {
        let tenths = (elapsed.components.seconds * 10_000) + elapsed.components.attoseconds / 100_000_000_000_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
