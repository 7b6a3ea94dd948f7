import BothyContract

/// What a session answers: how far it is, and, once it is finished, what it led to.
package struct UploadReply: Sendable {
    package var response: UploadResponse
    /// Bytes from the file's start that have come without a gap.
    package var prefixBytes: Int64
    package var outcome: UploadOutcome?

    package init(response: UploadResponse, prefixBytes: Int64, outcome: UploadOutcome?) {
        self.response = response
        self.prefixBytes = prefixBytes
        self.outcome = outcome
    }
}

extension UploadSessions {
    /// - Parameter runs: of a finished session, whose chunks are no longer listed, all of them are told.
    func reply(_ session: UploadSession, runs: [ChunkRun], for caller: Caller) -> UploadReply {
        let outcome = session.outcome?.addressed(by: signer, for: caller, now: stamps.now)
        let total = session.plan.totalChunks
        let isFinished = session.phase == .finished
        let all = total > 0 ? [ChunkRun(first: 0, last: total - 1)] : []
        let response = UploadResponse(
            uploadId: session.uploadId, totalChunks: total,
            chunksProcessed: isFinished ? total : session.receivedChunks, chunkSize: session.plan.chunkSize,
            uploadUrl: "/v1/upload/\(session.uploadId)", uploadExpiresAt: session.expiresAt,
            receivedChunks: isFinished ? all : runs, file: outcome?.file)
        return UploadReply(response: response, prefixBytes: session.prefixBytes, outcome: outcome)
    }
}
