import BothyContent
import BothyContract
import NIOCore
import NIOHTTP1
import Synchronization

/// Content read without keeping it.
extension TransfersRepository {
    /// A file's content from its beginning, piece by piece. It ends by throwing `integrityMismatch` when the whole was
    /// not what the server says it is: what reads it should not trust it before its end.
    ///
    /// - Parameter revisionId: nil for the head.
    public func read(
        _ fileId: String, revisionId: String? = nil
    ) -> AsyncThrowingStream<ByteBuffer, any Error> {
        let reading = ContentReading(fileId: fileId, revisionId: revisionId, services: services)
        return AsyncThrowingStream { try await reading.next() }
    }
}

/// One reading of one revision, a range at a time.
private actor ContentReading {
    private let fileId: String
    private var revisionId: String?
    private let services: TransferServices
    private var content: RemoteContent?
    private var offset: Int64 = 0
    private var hasher = SHA256Hasher()
    private var isChecked = false
    /// A part came compressed, and could not be: the rest is asked for as it is.
    private var isPlain = false

    private static let piece: Int64 = 1 << 20
    private static let patience = 6

    init(fileId: String, revisionId: String?, services: TransferServices) {
        self.fileId = fileId
        self.revisionId = revisionId
        self.services = services
    }

    func next() async throws -> ByteBuffer? {
        if content == nil { try await lookUp() }
        guard let content, offset < content.size else {
            try check()
            return nil
        }
        let bytes = try await fetch(content.size)
        offset += Int64(bytes.readableBytes)
        bytes.withUnsafeReadableBytes { hasher.update($0) }
        return bytes
    }

    private func lookUp() async throws {
        let found = try await services.content.lookUp(fileId, revisionId: revisionId)
        // The head may move on; this reading stays with the revision that it began.
        revisionId = revisionId ?? found.revisionId
        content = found
    }

    private func fetch(_ size: Int64) async throws -> ByteBuffer {
        let range = offset..<min(size, offset + Self.piece)
        var failures = 0
        while true {
            do {
                guard let url = content?.downloadUrl else {
                    throw ClientFailure(.answerInvalid, "The server names no address for this file.")
                }
                let collected = CollectedRange()
                let sink = RangeSink(
                    file: collected, range: range, grid: ChunkGrid(size: size, chunkSize: size),
                    etag: content?.checksum.map { "\"\($0.hex)\"" }, limit: services.receiving, arrived: { _, _ in },
                    moved: { _ in })
                try await services.content.fetch(
                    url, range: range, etag: content?.checksum.map { "\"\($0.hex)\"" }, isPlain: isPlain, into: sink)
                try sink.checkComplete()
                return collected.bytes
            } catch let failure as ClientFailure {
                failures += 1
                if failure.code == .answerInvalid { isPlain = true }
                let code = failure.problem?.code
                let isStale = code == .urlExpired || code == .urlInvalid
                guard failures < Self.patience, isStale || failure.isTransient || failure.code == .answerInvalid else {
                    throw failure
                }
                if isStale { try await lookUp() } else { try await services.backOff(failure, failures: failures) }
            }
        }
    }

    private func check() throws {
        guard !isChecked else { return }
        isChecked = true
        if let expected = content?.checksum, expected != hasher.finish() {
            throw ClientFailure(.integrityMismatch, "The downloaded content does not match the server's.")
        }
    }
}

/// A range in memory, in place of a file.
private final class CollectedRange: LocalFile {
    private let collected = Mutex(ByteBuffer())

    var path: String { "" }
    var bytes: ByteBuffer { collected.withLock { $0 } }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(ClientFailure) {
        collected.withLock { _ = $0.writeBytes(bytes) }
    }

    func facts() throws(ClientFailure) -> FileFacts { throw Self.none }
    func changedAt() throws(ClientFailure) -> Timestamp { throw Self.none }
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(ClientFailure) -> Int { 0 }
    func truncate(to size: Int64) throws(ClientFailure) {}
    func sync() throws(ClientFailure) {}

    private static let none = ClientFailure(.diskFailed, "There is no file.")
}
