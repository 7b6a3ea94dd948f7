import BothyContract

/// On which terms a session becomes a file: what the start named, replaced by what the finalize names.
package struct FinalizeTerms: Equatable, Sendable {
    package var name: String
    package var parentId: String?
    package var fileId: String?
    package var baseRevisionId: String?
    package var conflict: ConflictPolicy
    package var size: Int64?
    package var fileHash: ContentHash?

    package init(_ request: UploadRequest, replacedBy finalize: FinalizeRequest) {
        name = finalize.name ?? request.name
        parentId = finalize.parentId ?? request.parentId
        fileId = request.fileId
        baseRevisionId = finalize.baseRevisionId ?? request.baseRevisionId
        conflict = finalize.conflict ?? request.conflict ?? .fail
        size = finalize.size ?? request.size
        fileHash = finalize.fileHashSha256 ?? request.fileHashSha256
    }

    /// - Throws: `invalid_parameter` for an open plan that nobody closed, `missing_chunks`, `size_mismatch`.
    package func check(_ session: UploadSession, missing: [ChunkRun]) throws(Problem) {
        try session.requireOpen()
        if session.plan.kind == .open, size == nil || fileHash == nil {
            throw Problem(
                .invalidParameter,
                "An open plan is closed by a finalize that gives the size and the SHA-256 of the file.")
        }
        // The size first: an open plan that stops short of it misses chunks that nobody has named.
        if let size, size != session.plan.plannedBytes {
            throw Problem(
                .sizeMismatch, "The file should have \(size) bytes; its chunks have \(session.plan.plannedBytes).")
        }
        guard missing.isEmpty, session.hasEveryChunk else {
            let count = session.plan.totalChunks - session.receivedChunks
            throw Problem(.missingChunks, "\(count) of \(session.plan.totalChunks) chunks are missing.")
                .with { $0.missing = missing }
        }
    }

    /// - Throws: `hash_mismatch` unless the content is what was said, or nothing was said.
    package func check(computed: ContentHash) throws(Problem) {
        guard let fileHash, fileHash != computed else { return }
        throw Problem(
            .hashMismatch,
            "What is stored has the SHA-256 \(computed.hex), and \(fileHash.hex) was said. "
                + "If the file changed while it was sent, start a new upload."
        ).with { $0.computedSha256 = computed }
    }
}
