import BothyContract
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat

extension Response {
    /// An answer in JSON, which no cache keeps: it is one account's, and it changes.
    package static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        json(written: try WireCoding.encode(value), status: status)
    }

    /// The same for what was written already.
    static func json(written: Data, status: HTTPResponse.Status = .ok) -> Response {
        var response = Response(status: status, body: .init(byteBuffer: ByteBuffer(data: written)))
        response.headers[.contentType] = "application/json"
        response.headers[.cacheControl] = "no-store"
        return response
    }

    /// The answer with the place of the mutation's change.
    ///
    /// - Parameter before: the place right before it, where the file in the answer is all that changed between the two.
    package func with(cursor: ChangeCursor, before: String? = nil) -> Response {
        var copy = self
        copy.headers[.bothyCursor] = cursor.text
        copy.headers[.bothyCursorBefore] = before
        return copy
    }

    /// The answer with its entity tag.
    package func with(tag: EntityTag) -> Response {
        var copy = self
        copy.headers[.eTag] = tag.text
        return copy
    }
}

extension HTTPField.Name {
    /// The names that `HeaderNames` spells.
    package static let bothyCursor = Self(HeaderNames.cursor)!
    package static let bothyCursorBefore = Self(HeaderNames.cursorBefore)!
    package static let idempotencyKey = Self(HeaderNames.idempotencyKey)!
}
