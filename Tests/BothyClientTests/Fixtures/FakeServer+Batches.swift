import BothyContract
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat

/// Small files that come together.
extension FakeServer {
    static func uploadBatch(_ request: Request, _ drive: FakeDrive) async throws -> Response {
        guard await drive.knowsUploadBatches else { throw Problem(.methodNotAllowed, "an older server") }
        guard request.headers[.contentEncoding] == nil else { throw Problem(.unsupportedMediaType, "no compression") }
        var body = try await request.body.collect(upTo: 8 << 20)
        return try await answer("batch", drive, body.readableBytes) {
            var outcomes = [UploadBatchOutcome]()
            while let bytes = body.readBytes(length: BatchHead.byteCount), let head = BatchHead(bytes: bytes) {
                guard let metadata = body.readBytes(length: head.metadataBytes),
                    let content = body.readBytes(length: head.contentBytes)
                else { throw Problem(.malformedRequest, "an item is cut off") }
                outcomes.append(try await outcome(Data(metadata), content, drive))
            }
            return try json(UploadBatchResponse(items: outcomes))
        }
    }

    private static func outcome(
        _ metadata: Data, _ content: [UInt8], _ drive: FakeDrive
    ) async throws -> UploadBatchOutcome {
        let request = try WireCoding.decode(UploadRequest.self, from: metadata)
        do {
            let file = try await drive.whole(request, content)
            return UploadBatchOutcome(requestId: request.requestId, cursor: "c1.1.1.1", file: UploadedFile(file))
        } catch let problem as Problem {
            return UploadBatchOutcome(requestId: request.requestId, problem: problem)
        }
    }
}
