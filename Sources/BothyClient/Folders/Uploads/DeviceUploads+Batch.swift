import BothyContent
import BothyContract
import Foundation
import NIOCore

/// Many small files in one body.
extension DeviceUploads {
    func receiveBatch<Body: AsyncSequence & Sendable>(
        length: Int?, from body: Body
    ) async throws -> [Result<ItemID, ClientFailure>] where Body.Element == ByteBuffer {
        var whole = ByteBuffer()
        for try await part in body {
            guard whole.readableBytes + part.readableBytes <= UploadLimits.batchBody else { throw Self.unreadable }
            whole.writeImmutableBuffer(part)
        }
        guard length ?? whole.readableBytes == whole.readableBytes else { throw Self.unreadable }
        var outcomes = [Result<ItemID, ClientFailure>]()
        while whole.readableBytes > 0 {
            let (metadata, content) = try Self.item(from: &whole)
            do {
                outcomes.append(.success(try await store(metadata, content).id))
            } catch let failure as ClientFailure {
                outcomes.append(.failure(failure))
            }
        }
        return outcomes
    }

    private static func item(from body: inout ByteBuffer) throws(ClientFailure) -> (ByteBuffer, ByteBuffer) {
        guard let bytes = body.readBytes(length: BatchHead.byteCount), let head = BatchHead(bytes: bytes),
            head.metadataBytes <= UploadLimits.batchMetadata, head.contentBytes <= UploadLimits.batchContent,
            let metadata = body.readSlice(length: head.metadataBytes),
            let content = body.readSlice(length: head.contentBytes)
        else { throw unreadable }
        return (metadata, content)
    }

    /// By the steps of any file: it has one chunk, or none.
    private func store(_ metadata: ByteBuffer, _ content: ByteBuffer) async throws -> FolderItem {
        guard let request = try? WireCoding.decode(UploadRequest.self, from: Data(metadata.readableBytesView)) else {
            throw Self.unreadable
        }
        let offer = UploadOffer(
            folder: ItemID(request.parentId ?? File.rootId), name: request.name, size: Int64(content.readableBytes),
            modifiedAt: request.modifiedAt ?? Timestamp(seconds: 0), mimeType: request.mimeType,
            conflict: request.conflict ?? .fail)
        let standing = try await begin(offer)
        guard content.readableBytes > 0 else { return try await finish(standing.id, conflict: offer.conflict) }
        let body = AsyncStream<ByteBuffer> {
            $0.yield(content)
            $0.finish()
        }
        guard
            let item = try await receive(
                chunk: 0, of: standing.id, sha256: request.fileHashSha256, length: offer.size, from: body)
        else { throw Self.unreadable }
        return item
    }

    private static let unreadable = ClientFailure(.answerInvalid, "The browser sent files that cannot be read.")
}
