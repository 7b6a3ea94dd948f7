import BothyContent
import BothyContract
import Foundation
import NIOCore
import NIOHTTP1

/// One request to the server, before an address and a token are put to it.
package struct WireRequest: Sendable {
    package enum Body: Sendable {
        case none
        case bytes(ByteBuffer)
        /// One after the other: what is large need not be copied to stand between what goes around it.
        case pieces([ByteBuffer])
    }

    package var method: HTTPMethod
    /// Relative to the server's origin (`/v1/files?parentId=root`), or absolute for content elsewhere.
    package var target: String
    package var headers: HTTPHeaders
    package var body: Body
    /// Sent with the device's token. A token never leaves the server's own origin.
    package var signed: Bool
    package var priority: TrafficPriority
    /// Bytes of the answer's body that are taken.
    package var answerLimit: Int
    package var retries: RetryPolicy
    /// Told of bytes of the body as they are handed to the connection; of one that is sent again, again.
    package var handed: (@Sendable (Int) -> Void)?

    package static let jsonLimit = 32 << 20

    package init(
        _ method: HTTPMethod, _ target: String, headers: HTTPHeaders = [:], body: Body = .none, signed: Bool = true,
        priority: TrafficPriority = .interactive, answerLimit: Int = WireRequest.jsonLimit,
        retries: RetryPolicy = .interactive, handed: (@Sendable (Int) -> Void)? = nil
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.signed = signed
        self.priority = priority
        self.answerLimit = answerLimit
        self.retries = retries
        self.handed = handed
    }

    package static func json(
        _ method: HTTPMethod, _ target: String, _ value: some Encodable, signed: Bool = true,
        priority: TrafficPriority = .interactive, retries: RetryPolicy = .interactive
    ) throws -> WireRequest {
        WireRequest(
            method, target, headers: ["Content-Type": "application/json"],
            body: .bytes(ByteBuffer(bytes: try WireCoding.encodeStably(value))), signed: signed, priority: priority,
            retries: retries
        ).withDigest()
    }

    /// With the digest of its body, for the server to hold it against before it acts. It is meant for what is small: contents have hashes of
    /// their own.
    package func withDigest() -> WireRequest {
        guard case .bytes(let bytes) = body else { return self }
        var request = self
        let hash = bytes.withUnsafeReadableBytes { SHA256Hasher.hash($0) }
        request.headers.replaceOrAdd(name: HeaderNames.contentDigest, value: hash.digestField)
        return request
    }

    /// A path with its segments and query escaped.
    package static func path(_ segments: [String], _ query: KeyValuePairs<String, String?> = [:]) -> String {
        let path = segments.map { "/" + escape($0) }.joined()
        let pairs = query.compactMap { name, value in value.map { "\(name)=\(escape($0))" } }
        return pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
    }

    /// RFC 3986: everything but unreserved characters.
    private static func escape(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

/// An answer whose body is all here.
package struct WireResponse: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: ByteBuffer

    package func decoded<Value: Decodable>(as type: Value.Type) throws(ClientFailure) -> Value {
        do {
            return try WireCoding.decode(type, from: Data(body.readableBytesView))
        } catch {
            throw ClientFailure(.answerInvalid, "The server's answer (\(status)) cannot be read.")
                .with { $0.status = status }
        }
    }

    /// The failure that an answer with this status stands for.
    package var failure: ClientFailure {
        var failure: ClientFailure
        // A problem that cannot be read leaves the status, which says no as well.
        if headers.first(name: "Content-Type")?.hasPrefix(Problem.mediaType) == true,
            let problem = try? WireCoding.decode(Problem.self, from: Data(body.readableBytesView))
        {
            failure = ClientFailure(problem)
        } else {
            failure = ClientFailure(status: status)
        }
        failure.status = status
        if let seconds = headers.first(name: "Retry-After").flatMap(Double.init), seconds >= 0 {
            failure.retryAfter = seconds
        }
        return failure
    }
}
