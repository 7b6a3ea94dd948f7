import BothyContent
import BothyContract
import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
    /// Whether the body is not as it is meant, but compressed for the way.
    var isCompressed: Bool {
        guard let coding = headers[.contentEncoding]?.lowercased() else { return false }
        return coding != "identity"
    }

    /// The body as it was before it was compressed for the way; it takes its room beside what came.
    ///
    /// - Parameters:
    ///   - body: all of it, as it came.
    ///   - limit: bytes that it may be; no memory is taken for more, whatever it claims.
    /// - Throws: `unsupported_media_type` for a coding other than `zstd`; `malformed_request` for what is no frame of
    ///   so many bytes; `busy` where the bodies of all take too much memory.
    func unpacked(_ body: ByteBuffer, for context: APIContext, upTo limit: Int) throws(Problem) -> ByteBuffer {
        guard isCompressed else { return body }
        guard headers[.contentEncoding]?.lowercased() == ContentCodings.zstd else {
            throw Problem(
                .unsupportedMediaType, "A body may be compressed as “\(ContentCodings.zstd)”, and as nothing else.")
        }
        guard let plain = body.withUnsafeReadableBytes({ Zstd.decompress($0, upTo: limit) }) else {
            throw Problem(.malformedRequest, "The body is not a Zstandard frame of at most \(limit) bytes.")
        }
        try context.claim?.take(plain.count, of: BodyRoom.Taker(context))
        return ByteBuffer(bytes: plain)
    }
}
