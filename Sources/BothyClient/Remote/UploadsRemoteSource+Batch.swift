import BothyContent
import BothyContract
import Foundation
import NIOCore

/// Many small files, or starts of sessions, in one request.
extension UploadsRemoteSource {
    /// What became of one item of a batch.
    package enum BatchAnswer: Sendable {
        case stored(Stored)
        case started(UploadResponse)
    }

    /// One item of a batch, as it is sent.
    package struct BatchPart: Sendable {
        package let content: ByteBuffer
        fileprivate let request: UploadRequest
        fileprivate let metadata: Data

        /// - Parameter request: has a request id.
        package init(_ request: UploadRequest, content: ByteBuffer) throws {
            var request = request
            // What a request of its own says in a header.
            request.mimeType = request.mimeType ?? File.defaultMimeType
            self.request = request
            metadata = try WireCoding.encodeStably(request)
            self.content = content
        }

        /// One that starts a session: what the request of its own would be.
        ///
        /// - Parameter request: has a request id and a plan.
        package init(starting request: UploadRequest) throws {
            self.request = request
            metadata = try WireCoding.encodeStably(request)
            content = ByteBuffer()
        }

        /// Bytes that it takes in a body.
        package var byteCount: Int { BatchHead.byteCount + metadata.count + content.readableBytes }
    }

    /// - Returns: what became of each, in their order.
    /// - Throws: `ClientFailure` when the batch was refused as such, or its answer cannot be read.
    package func sendBatch(
        _ parts: [BatchPart]
    ) async throws -> [Result<BatchAnswer, ClientFailure>] {
        var body = ByteBuffer()
        body.reserveCapacity(parts.reduce(0) { $0 + $1.byteCount })
        var checksums = HeadChecksums([])
        for part in parts {
            let head = BatchHead(
                metadataBytes: part.metadata.count, contentBytes: part.content.readableBytes)
            checksums.values.append(part.metadata.withUnsafeBytes { head.checksum(of: $0) })
            body.writeBytes(head.bytes)
            body.writeBytes(part.metadata)
            body.writeImmutableBuffer(part.content)
        }
        let response = try await compressed.send(
            WireRequest(
                .POST, "/v1/upload/batch",
                headers: ["Content-Type": File.defaultMimeType, HeaderNames.batchHeads: checksums.text],
                body: .bytes(body), priority: .transfer, retries: .none))
        let answer = try response.decoded(as: UploadBatchResponse.self)
        guard answer.items.map(\.requestId) == parts.map(\.request.requestId) else {
            throw ClientFailure(.answerInvalid, "The server's answer is about other files.")
        }
        let outcomes = zip(answer.items, parts).map(Self.outcome)
        for (item, outcome) in zip(answer.items, outcomes) { note(item, outcome) }
        return outcomes
    }

    private func note(_ item: UploadBatchOutcome, _ outcome: Result<BatchAnswer, ClientFailure>) {
        let file: File?
        switch outcome {
        case .success(.stored(let stored)): file = stored.whole
        case .success(.started(let upload)):
            guard let finished = upload.file else { return }
            file = finished
        case .failure: return
        }
        network.ownChanges.note(file, at: item.cursor, before: item.cursorBefore)
    }

    private static func outcome(
        _ item: UploadBatchOutcome, of part: BatchPart
    ) -> Result<BatchAnswer, ClientFailure> {
        if let file = item.file {
            let whole = file.whole(sentBy: part.request, size: Int64(part.content.readableBytes))
            return .success(.stored(Stored(status: item.status, file: file, whole: whole)))
        }
        if let upload = item.upload { return .success(.started(upload)) }
        if let problem = item.problem { return .failure(ClientFailure(problem)) }
        return .failure(ClientFailure(.answerInvalid, "The server's answer leaves out a file that was sent."))
    }
}
