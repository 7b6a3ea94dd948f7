import BothyContent
import BothyContract
import NIOCore

/// A small file that came whole.
package struct SimpleUpload: Sendable {
    /// Its plan and its finalize mode are not looked at.
    let request: UploadRequest
    let content: ByteBuffer
    /// SHA-256 of `content`.
    let hash: ContentHash
    let identity: RequestIdentity

    package init(_ request: UploadRequest, content: ByteBuffer, identity: RequestIdentity) {
        self.request = request
        self.content = content
        self.hash = Self.hash(of: content)
        self.identity = identity
    }

    /// One whose metadata came with it.
    ///
    /// - Throws: `invalid_parameter` for a request id that cannot be one.
    package init(_ request: UploadRequest, content: ByteBuffer) throws {
        self.request = request
        self.content = content
        self.hash = Self.hash(of: content)
        self.identity = try RequestIdentity(of: request, contentHash: hash)
    }

    private static func hash(of content: ByteBuffer) -> ContentHash {
        content.withUnsafeReadableBytes { SHA256Hasher.hash($0) }
    }

    var terms: FinalizeTerms { FinalizeTerms(request, replacedBy: FinalizeRequest()) }

    /// - Throws: `invalid_name`, `invalid_parameter`, `size_mismatch`, `hash_mismatch`.
    func check() throws {
        try UploadSessions.check(request)
        if let size = terms.size, size != content.readableBytes {
            throw Problem(.sizeMismatch, "The file should have \(size) bytes; \(content.readableBytes) came.")
        }
        try terms.check(computed: hash)
    }
}
