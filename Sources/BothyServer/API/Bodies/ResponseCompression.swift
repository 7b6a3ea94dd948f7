import BothyContent
import BothyContract
import HTTPTypes
import Hummingbird
import NIOCore

/// Compresses JSON and text of more than half a KiB for clients that accept gzip.
///
/// Stored content passes untouched: it is served byte for byte, by ranges, under its own checksum.
struct ResponseCompression: RouterMiddleware {
    typealias Context = APIContext

    /// Bytes; what is said of one file, some 700, becomes 500. Below it there is little to save.
    static let threshold = 512

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        guard isCompressible(response) else { return response }
        response.headers.append(HTTPField(name: .vary, value: "Accept-Encoding"))
        guard request.method != .head, Self.acceptsGzip(request.headers[.acceptEncoding]),
            let length = response.body.contentLength, length > Self.threshold
        else { return response }
        let plain = try await collect(response.body, length: length)
        guard let compressed = plain.withUnsafeReadableBytes({ Gzip.compress($0) }), compressed.count < length else {
            response.body = ResponseBody(byteBuffer: plain)
            return response
        }
        response.headers[.contentEncoding] = "gzip"
        response.headers[.contentLength] = nil
        response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: compressed))
        return response
    }

    /// What the API says, and what the web app is made of; stored content passes by its other headers.
    private static let compressible = [
        "application/json", Problem.mediaType, "application/yaml", "text/plain; version", "text/html", "text/css",
        "text/javascript", "image/svg+xml",
    ]

    /// Whether the answer is text that a client may want smaller; event streams flow as they come.
    private func isCompressible(_ response: Response) -> Bool {
        guard response.headers[.contentEncoding] == nil, response.headers[.contentRange] == nil,
            response.headers[.eTag] == nil || response.headers[.contentDisposition] == nil,
            let type = response.headers[.contentType]?.lowercased()
        else { return false }
        return Self.compressible.contains { type.hasPrefix($0) }
    }

    /// RFC 9110 §12.5.3: `gzip` or `*`, unless its weight is 0.
    static func acceptsGzip(_ header: String?) -> Bool {
        let codings = WeightedNames(header)
        return codings.weight(of: "gzip") ?? codings.weight(of: "x-gzip") ?? codings.weight(of: "*") ?? 0 > 0
    }

    private func collect(_ body: ResponseBody, length: Int) async throws -> ByteBuffer {
        let sink = BodySink(length: length)
        try await body.write(sink)
        return sink.buffer
    }
}

/// Takes a body that is in memory already.
private final class BodySink: ResponseBodyWriter {
    private(set) var buffer: ByteBuffer

    init(length: Int) {
        buffer = ByteBuffer()
        buffer.reserveCapacity(length)
    }

    func write(_ part: ByteBuffer) async throws { buffer.writeImmutableBuffer(part) }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
