import BothyContract
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOFoundationCompat

extension APIContext {
    /// Who asks.
    ///
    /// - Throws: `sign_in_required`, should a route forget to ask for an account.
    package func requireCaller() throws -> Caller {
        guard let caller else { throw Problem(.signInRequired, "Sign in first.") }
        return caller
    }

    /// An id in the address; what no server made is not there.
    package func id(_ parameter: String) throws -> String {
        guard let id = parameters.get(parameter), FileID.isPlausible(id) else {
            throw Problem(.notFound, "There is nothing with this id.")
        }
        return id
    }

    /// The id of a person or a post in the address; what no server made is not there.
    package func snowflake(_ parameter: String) throws -> Int64 {
        guard let id = parameters.get(parameter).flatMap(Int64.init), id > 0 else {
            throw Problem(.notFound, "There is nothing with this id.")
        }
        return id
    }
}

extension Request {
    /// Reads a JSON body, and what makes the request the same when it comes again: what was understood of the body, in
    /// whatever order its fields came.
    func command<Body: Codable>(
        _ type: Body.Type, for context: APIContext, id: KeyPath<Body, String?>
    ) async throws -> (Body, RequestIdentity) {
        try requireJSON()
        let bytes = try await collect(for: context)
        let body = try WireCoding.decode(type, from: Data(buffer: bytes))
        let understood = ByteBuffer(data: try WireCoding.encodeStably(body))
        return (body, try RequestIdentity(self, body: understood, bodyId: body[keyPath: id]))
    }
}

extension Request {
    /// A JSON body, of what may be done again without harm.
    func json<Body: Decodable>(for context: APIContext) async throws -> Body {
        try requireJSON()
        return try WireCoding.decode(Body.self, from: Data(buffer: try await collect(for: context)))
    }

    /// Bytes of JSON that a route collects.
    package static let maximumJSON = 8 << 20

    /// The whole body, at most `limit` bytes of it.
    ///
    /// - Throws: `body_too_large`, `busy` where the bodies of all take too much memory, `digest_mismatch`.
    package func collect(for context: APIContext, upTo limit: Int = maximumJSON) async throws -> ByteBuffer {
        let tooLarge = Problem(.bodyTooLarge, "The body is larger than \(limit) bytes.").with {
            $0.limit = Int64(limit)
        }
        if let length = headers[.contentLength].flatMap(Int.init), length > limit { throw tooLarge }
        do {
            let whole = try await ClaimedBody(body, for: context).collect(upTo: limit)
            try checkDigest(of: whole)
            return whole
        } catch is NIOTooManyBytesError {
            throw tooLarge
        }
    }

    /// - Throws: `unsupported_media_type` for a body that says to be something else than JSON.
    package func requireJSON() throws {
        guard let type = headers[.contentType] else { return }
        let essence = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        guard essence == "application/json" || essence.hasSuffix("+json") else {
            throw Problem(.unsupportedMediaType, "The body should be application/json.")
        }
    }

    /// A query parameter, percent-decoded; nil where it is not given.
    ///
    /// A plus is a space, as browsers and most HTTP libraries write one; who means a plus writes `%2B`.
    package func query(_ name: String) -> String? {
        guard let written = uri.query else { return nil }
        let plain = written.contains("+") ? URI("/?" + written.replacing("+", with: "%20")) : uri
        return plain.queryParameters[Substring(name)].map(String.init)
    }

    /// - Throws: `invalid_parameter` for what is neither `true` nor `false`.
    package func flag(_ name: String) throws -> Bool {
        switch query(name) {
        case nil, "false": return false
        case "true": return true
        default: throw Problem(.invalidParameter, "“\(name)” should be true or false.")
        }
    }

    /// - Throws: `invalid_parameter` for what is no number, or not in `bounds`.
    package func number(_ name: String, in bounds: ClosedRange<Int>) throws -> Int? {
        guard let text = query(name) else { return nil }
        guard let value = Int(text), bounds.contains(value) else {
            throw Problem(
                .invalidParameter, "“\(name)” should be a number from \(bounds.lowerBound) to \(bounds.upperBound).")
        }
        return value
    }

    /// How many entries a page should have.
    package func pageLimit() throws -> Int {
        try number(QueryNames.limit, in: 1...PaginationMetadata.maximumLimit) ?? PaginationMetadata.defaultLimit
    }
}
