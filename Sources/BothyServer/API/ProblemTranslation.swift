import BothyContract
import Hummingbird
import NIOCore
import NIOHTTP1

extension Problem {
    /// What a client is told of an error: what it can act on, and nothing of the server's inside.
    package init(describing error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as DatabaseError: self = Problem(describing: error)
        case let error as PackError: self = Problem(describing: error)
        case let error as DecodingError: self = Problem(describing: error)
        case let error as HTTPError: self = Problem(describing: error)
        case is HTTPParserError: self = Problem(.malformedRequest, "The request is not valid HTTP.")
        case is MethodRefusal: self = Problem(.methodNotAllowed, "This address does not support this method.")
        case is NIOTooManyBytesError: self = Problem(.bodyTooLarge, "The body is too large for this address.")
        case is CancellationError:
            self = Problem(.shuttingDown, "The request was interrupted. Try again.")
        default: self = Problem(.internalError, "The server failed. Its log says why.")
        }
    }

    private init(describing error: DatabaseError) {
        switch error {
        case .diskFull:
            self = Problem(.diskFull, "The server's disk is full, and only allows deleting: nothing was changed.")
        case .busy: self = Problem(.busy, "Too many changes are waiting. Try again in a moment.")
        case .uniqueViolation:
            self = Problem(.busy, "This request conflicted with another one, and changed nothing. Try again.")
        case .corrupt, .newer, .failed:
            self = Problem(.storeFailed, "The server's database failed. Its log says why.")
        case .foreignKeyViolation: self = Problem(.notFound, "What this belongs to no longer exists.")
        }
    }

    private init(describing error: PackError) {
        switch error {
        case .diskFull: self = Problem(.diskFull, "The server's disk is full.")
        case .damaged: self = Problem(.contentCorrupt, "The stored bytes are damaged, so they are not served.")
        case .poisoned, .failed:
            self = Problem(.storeFailed, "The server's disk does not accept writes. Its log says why.")
        }
    }

    private init(describing error: DecodingError) {
        switch error {
        case .typeMismatch(_, let context):
            self = .malformed(at: context.codingPath, "has the wrong type")
        case .valueNotFound(_, let context):
            self = .malformed(at: context.codingPath, "is null, which it cannot be")
        case .keyNotFound(let key, let context):
            self = .malformed(at: context.codingPath + [key], "is missing")
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            // An enumeration's own words are a programmer's.
            let isUnknown = context.debugDescription.hasPrefix("Cannot initialize")
            self = .malformed(
                at: context.codingPath,
                isUnknown ? "is not a known value" : "is \(context.debugDescription)")
        case .dataCorrupted: self = Problem(.malformedRequest, "The body is not JSON.")
        @unknown default: self = Problem(.malformedRequest, "The body cannot be read.")
        }
    }

    private static func malformed(at path: [any CodingKey], _ what: String) -> Problem {
        let field = path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
        return Problem(.malformedRequest, field.isEmpty ? "The body \(what)." : "“\(field)” \(what).")
    }

    private init(describing error: HTTPError) {
        switch error.status.code {
        case 404: self = Problem(.notFound, "There is nothing at this address.")
        case 405: self = Problem(.methodNotAllowed, "This address does not support this method.")
        case 408: self = Problem(.requestTimeout, "The request took too long to arrive.")
        case 413: self = Problem(.bodyTooLarge, "The body is too large for this address.")
        case 415: self = Problem(.unsupportedMediaType, "This media type is not supported.")
        case 400..<500: self = Problem(.malformedRequest, error.body ?? "The request cannot be read.")
        case 503: self = Problem(.busy, "The server is busy. Try again.")
        default: self = Problem(.internalError, "The server failed. Its log says why.")
        }
    }
}
