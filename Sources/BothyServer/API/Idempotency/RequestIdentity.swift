import BothyContent
import BothyContract
import Crypto
import HTTPTypes
import Hummingbird
import NIOCore

/// What makes a mutation the same mutation when it comes again: its request id, and the hash of what it asks.
package struct RequestIdentity: Sendable {
    /// Nil for a request without one, which acts each time that it comes.
    package var requestId: String?
    /// `PATCH /v1/files/019a…`, with its query.
    package var route: String
    package var bodyHash: ContentHash

    /// - Parameter bodyId: the `requestId` of the body, which goes before the `Idempotency-Key` header.
    /// - Throws: `invalid_parameter` for an id that is empty, too long, or not printable ASCII.
    package init(_ request: Request, body: ByteBuffer = ByteBuffer(), bodyId: String? = nil) throws {
        requestId = try (bodyId ?? request.headers[.idempotencyKey]).map(Self.checked)
        route = "\(request.method.rawValue) \(request.uri.string)"
        var digest = SHA256()
        digest.update(data: body.readableBytesView)
        guard let hash = ContentHash(bytes: Array(digest.finalize())) else {
            preconditionFailure("a SHA-256 has 32 bytes")
        }
        bodyHash = hash
    }

    /// A whole file that comes with its metadata. The same file under the same id is the same request, whether it comes in a
    /// request of its own or in a batch: a client may try the one after the other.
    ///
    /// - Parameter contentHash: SHA-256 of the content.
    /// - Throws: `invalid_parameter` as above.
    package init(of upload: UploadRequest, contentHash: ContentHash) throws {
        requestId = try upload.requestId.map(Self.checked)
        route = "POST /v1/upload"
        bodyHash = SHA256Hasher.hash(try Array(WireCoding.encodeStably(upload)) + contentHash.bytes)
    }

    /// A session's start that comes in a batch, as one that comes by its own route: a client may try the one after the other.
    ///
    /// - Parameter metadata: as it came.
    /// - Throws: `invalid_parameter` as above.
    package init(ofStart start: UploadRequest, metadata: ByteBuffer) throws {
        requestId = try start.requestId.map(Self.checked)
        route = "POST /v1/upload?uploadType=resumable"
        bodyHash = metadata.withUnsafeReadableBytes { SHA256Hasher.hash($0) }
    }

    /// A restore that a page of the server's own asks for, as one that comes by its route.
    package init(of restore: RestoreRequest) throws {
        requestId = try restore.requestId.map(Self.checked)
        route = "POST /v1/restore"
        bodyHash = SHA256Hasher.hash(Array(try WireCoding.encodeStably(restore)))
    }

    /// A post that a page of the server's own asks for, as one that comes by its route.
    package init(of post: NewPostRequest) throws {
        requestId = try post.requestId.map(Self.checked)
        route = "POST /v1/posts"
        bodyHash = SHA256Hasher.hash(Array(try WireCoding.encodeStably(post)))
    }

    /// An edit that a page of the server's own asks for, as one that comes by its route.
    package init(of edit: EditPostRequest, on postId: Int64) throws {
        requestId = try edit.requestId.map(Self.checked)
        route = "PATCH /v1/posts/\(postId)"
        bodyHash = SHA256Hasher.hash(Array(try WireCoding.encodeStably(edit)))
    }

    /// An interaction that comes with others, as one that comes by its route: a client may try the one after the other.
    package init(of interaction: PostInteractionRequest, on postId: Int64) throws {
        requestId = try interaction.requestId.map(Self.checked)
        route = "POST /v1/posts/\(postId)/interactions"
        bodyHash = SHA256Hasher.hash(Array(try WireCoding.encodeStably(interaction)))
    }

    /// A comment that a page of the server's own asks for, as one that comes by its route.
    package init(of comment: NewCommentRequest, on postId: Int64) throws {
        requestId = try comment.requestId.map(Self.checked)
        route = "POST /v1/posts/\(postId)/comments"
        bodyHash = SHA256Hasher.hash(Array(try WireCoding.encodeStably(comment)))
    }

    /// What the server does by itself, and does each time.
    package static func none(for route: String) -> RequestIdentity {
        RequestIdentity(requestId: nil, route: route, bodyHash: SHA256Hasher.hash([UInt8]()))
    }

    private init(requestId: String?, route: String, bodyHash: ContentHash) {
        self.requestId = requestId
        self.route = route
        self.bodyHash = bodyHash
    }

    package static func checked(_ id: String) throws -> String {
        let lengths = FileLimits.requestIdLength
        guard lengths.contains(id.utf8.count), id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Problem(
                .invalidParameter,
                "A request id is \(lengths.upperBound) printable ASCII characters at most; a UUID is fine.")
        }
        return id
    }
}
