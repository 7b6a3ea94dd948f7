import BothyContract
import Foundation
import NIOCore
import NIOFoundationCompat

/// Many small files from one body. Each is stored as if it had come by itself, by ``SimpleUploads``; what they share is the
/// way here, and the waits for the disk.
package struct UploadBatches: Sendable {
    private let simple: SimpleUploads

    /// Bytes of content that are gathered before they are stored: all the memory that a batch takes.
    private static let groupBytes = 1 << 20

    package init(_ simple: SimpleUploads) { self.simple = simple }

    /// Stores the files of a body as it comes, and says of each what became of it.
    ///
    /// - Parameter length: of the body, where it is known.
    /// - Throws: `malformed_request`, `too_many_items`, `body_too_large`, `length_mismatch`, and what is wrong with the server. Some
    ///   items may be stored then: their request ids tell of it when they come again.
    package func receive<Body>(
        _ body: inout PacedIterator<Body>, length: Int?, for caller: Caller
    ) async throws -> UploadBatchResponse {
        var reader = BatchReader()
        var came = 0
        var group = [Entry]()
        var gathered = 0
        var outcomes = [UploadBatchOutcome]()
        while var part = try await body.next() {
            came += part.readableBytes
            guard came <= UploadLimits.batchBody else { throw Self.tooLarge }
            while let item = try reader.next(from: &part) {
                group.append(Entry(item))
                gathered += item.content?.readableBytes ?? 0
                guard gathered >= Self.groupBytes else { continue }
                outcomes += try await store(group, for: caller)
                (group, gathered) = ([], 0)
            }
        }
        if let length, came != length {
            throw Problem(.lengthMismatch, "\(came) of \(length) bytes came. Send what was not answered again.")
        }
        try reader.checkEnd()
        return UploadBatchResponse(items: outcomes + (try await store(group, for: caller)))
    }

    package static var tooLarge: Problem {
        Problem(.bodyTooLarge, "The batch is larger than \(UploadLimits.batchBody) bytes.")
            .with { $0.limit = Int64(UploadLimits.batchBody) }
    }

    /// One item, as far as it can be read.
    private struct Entry {
        var requestId: String?
        var upload: Result<SimpleUpload, Problem>

        init(_ item: BatchReader.Item) {
            do {
                let request = try WireCoding.decode(UploadRequest.self, from: Data(buffer: item.metadata))
                requestId = request.requestId
                upload = .success(try Self.upload(request, item.content))
            } catch {
                upload = .failure(Problem(describing: error))
            }
        }

        private static func upload(_ request: UploadRequest, _ content: ByteBuffer?) throws -> SimpleUpload {
            guard request.requestId != nil else {
                throw Problem(.invalidParameter, "“requestId” is missing: without one an item cannot be sent again.")
            }
            guard let content else {
                throw Problem(.bodyTooLarge, "An item of a batch has \(UploadLimits.batchContent) bytes at most.")
                    .with { $0.limit = Int64(UploadLimits.batchContent) }
            }
            return try SimpleUpload(request, content: content)
        }
    }

    private func store(_ entries: [Entry], for caller: Caller) async throws -> [UploadBatchOutcome] {
        let stored = try await simple.store(entries.compactMap { try? $0.upload.get() }, for: caller)
        var results = stored.makeIterator()
        return entries.map { entry in
            let result = entry.upload.flatMap { _ in
                guard let result = results.next() else { preconditionFailure("each upload has its outcome") }
                return result
            }
            switch result {
            case .success(let outcome):
                return UploadBatchOutcome(
                    requestId: entry.requestId, cursor: outcome.cursor, file: UploadedFile(outcome.file))
            case .failure(let problem): return UploadBatchOutcome(requestId: entry.requestId, problem: problem)
            }
        }
    }
}
