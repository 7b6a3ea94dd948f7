import BothyContent
import BothyContract
import NIOCore

/// A whole file from this process, by the steps that a browser takes.
extension BrowserUploads {
    public func upload(
        _ file: UploadFile, to folder: ItemID, conflict: ConflictPolicy
    ) -> AsyncThrowingStream<UploadStanding, any Error> {
        // Only how far it is now counts: a slow reader misses nothing.
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let sending = Task {
                do {
                    try await send(file, to: folder, conflict) { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in sending.cancel() }
        }
    }

    private func send(
        _ file: UploadFile, to folder: ItemID, _ conflict: ConflictPolicy, tell: (UploadStanding) -> Void
    ) async throws {
        var standing = try await begin(
            UploadOffer(
                folder: folder, name: file.name, size: file.size, modifiedAt: file.modifiedAt, mimeType: file.mimeType,
                conflict: conflict))
        tell(standing)
        for index in standing.missing {
            try Task.checkCancellation()
            let start = Int64(index) * standing.chunkSize
            let bytes = try await file.read(start..<min(start + standing.chunkSize, file.size))
            let body = AsyncStream<ByteBuffer> {
                $0.yield(ByteBuffer(bytes: bytes))
                $0.finish()
            }
            standing.item = try await receive(
                chunk: index, of: standing.id, sha256: SHA256Hasher.hash(bytes), length: Int64(bytes.count), from: body)
            standing.received = standing.received.adding(index)
            tell(standing)
        }
        if standing.item == nil {
            standing.item = try await finish(standing.id, conflict: conflict)
            tell(standing)
        }
    }
}

extension [ChunkRun] {
    package func adding(_ index: Int) -> [ChunkRun] {
        let there = flatMap { (run: ChunkRun) -> [Int] in [Int](run.first...run.last) }
        return Set(there + [index]).sorted().chunkRuns
    }
}
