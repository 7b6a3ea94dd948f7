import BothyContract
import Crypto
import Foundation
import HTTPTypes
import Hummingbird

extension Response {
    /// An answer in JSON that its reader may keep, and asks about each time: where it is the same still, this is 304 without a body.
    ///
    /// Its tag is of all that it says, signed addresses among it. These are other ones every five minutes (``URLSigner``), so that the
    /// addresses that a 304 leaves somebody with hold for as long as new ones, except for those five minutes. The tag is weak: on its way
    /// the answer may be compressed.
    static func json(_ value: some Encodable, to request: Request) throws -> Response {
        let written = try WireCoding.encodeStably(value)
        let tag = "\"\(URLSigner.base64url(Data(SHA256.hash(data: written).prefix(tagBytes))))\""
        let isHeld = ContentRoutes.names(request.headers[.ifNoneMatch], tag)
        var response = isHeld ? Response(status: .notModified) : json(written: written)
        response.headers[.eTag] = "W/\(tag)"
        response.headers[.cacheControl] = "private, no-cache"
        return response
    }

    /// Bytes of the hash: two answers to one person with the same are not to be expected.
    private static let tagBytes = 16
}
