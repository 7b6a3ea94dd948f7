import BothyContent
import BothyContract
import HTTPTypes
import Hummingbird
import NIOCore

/// Holds a body against the digest that came with it: a bit that turned over on the way must not become another name, or another request id.
enum BodyDigest {
    /// - Parameter field: a `Content-Digest`; without one there is nothing to hold it against.
    /// - Throws: `digest_mismatch`; `invalid_parameter` for a field that cannot be read.
    static func check(_ body: ByteBuffer, against field: String?) throws(Problem) {
        guard let field, let digest = try ChunkDigest.read(chunkHash: nil, contentDigest: field) else { return }
        guard body.withUnsafeReadableBytes({ SHA256Hasher.hash($0) }) == digest else { throw changed }
    }

    static var changed: Problem {
        Problem(.digestMismatch, "Something on the way changed the body, so nothing was done with it. Send it again.")
    }
}

extension Request {
    /// - Parameter body: all of it, as it came.
    /// - Throws: as ``BodyDigest/check(_:against:)``.
    func checkDigest(of body: ByteBuffer) throws(Problem) {
        try BodyDigest.check(body, against: headers[.contentDigest])
    }
}

extension HTTPField.Name {
    /// The names that `HeaderNames` spells.
    static let contentDigest = Self(HeaderNames.contentDigest)!
    static let batchHeads = Self(HeaderNames.batchHeads)!
}
