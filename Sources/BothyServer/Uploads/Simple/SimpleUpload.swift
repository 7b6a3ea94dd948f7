import BothyContract
import NIOCore

/// A small file that came whole.
package struct SimpleUpload: Sendable {
    /// Its plan and its finalize mode are not looked at.
    let request: UploadRequest
    let block: WholeBlock
    let identity: RequestIdentity

    package init(_ request: UploadRequest, content: ByteBuffer, identity: RequestIdentity) {
        self.request = request
        self.block = WholeBlock(content)
        self.identity = identity
    }

    /// One whose metadata came with it.
    ///
    /// - Throws: `invalid_parameter` for a request id that cannot be one.
    package init(_ request: UploadRequest, content: ByteBuffer) throws {
        self.request = request
        self.block = WholeBlock(content)
        self.identity = try RequestIdentity(of: request, contentHash: block.hash)
    }

    /// SHA-256 of the content.
    var hash: ContentHash { block.hash }

    /// Bytes of the content.
    var length: Int { block.bytes.readableBytes }

    var terms: FinalizeTerms { FinalizeTerms(request, replacedBy: FinalizeRequest()) }

    /// - Throws: `invalid_name`, `invalid_parameter`, `size_mismatch`, `hash_mismatch`.
    func check() throws {
        try UploadSessions.check(request)
        if let size = terms.size, size != length {
            throw Problem(.sizeMismatch, "The file should have \(size) bytes; \(length) were received.")
        }
        try terms.check(computed: hash)
    }
}
