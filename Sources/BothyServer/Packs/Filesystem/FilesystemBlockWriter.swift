import BothyContract
import NIOCore

/// Streams one block into its extent: bytes are gathered to large writes, and the next ones come in while those are
/// written. A block that fits one write takes one call in all.
actor FilesystemBlockWriter: PackBlockWriter {
    /// Bytes gathered before they are written. Two such gatherings are all the memory that a block takes.
    static let gatheredBytes = 512 << 10
    /// Pieces below are copied together, so that one write has few parts.
    private static let smallPiece = 16 << 10

    private let store: FilesystemPackStore
    private let length: Int
    /// Bytes that are announced; fewer than `length` where the block comes compressed.
    private let stored: Int
    private var checksums = PageChecksums()
    private var received = 0
    private var written = 0
    private var gathered = [ByteBuffer]()
    private var gatheredCount = 0
    private var extent: Extent?
    private var writing: Task<Void, any Error>?
    private var failure: PackError?
    private var isEnded = false

    init(store: FilesystemPackStore, length: Int, stored: Int) {
        self.store = store
        self.length = length
        self.stored = stored
    }

    func append(_ bytes: ByteBuffer) async throws {
        try checkOpen()
        guard received + bytes.readableBytes <= stored else {
            throw fail(.failed("more bytes came than the \(stored) that were announced"))
        }
        received += bytes.readableBytes
        checksums.update(bytes)
        gather(bytes)
        if gatheredCount >= Self.gatheredBytes { try await flush() }
    }

    func finish(hash: ContentHash) async throws -> BlockLocation {
        try checkOpen()
        guard received == stored else {
            throw fail(.failed("only \(received) bytes came of the \(stored) that were announced"))
        }
        do {
            try await lastWrite()
            let extent = try await reserved()
            let location = extent.location(length: length, stored: stored)
            let header = ByteBuffer(bytes: PackFormat.recordHeader(location, hash: hash))
            let table = ByteBuffer(bytes: PackFormat.table(checksums.finished(), at: location))
            let (parts, written) = (takeGathered(), written)
            try await store.write {
                if written == 0 {
                    try extent.file.write([header] + parts + [table], at: extent.place.start)
                } else {
                    try extent.file.write(parts + [table], at: location.offset + Int64(written))
                    try extent.file.write([header], at: extent.place.start)
                }
            }
            store.finished(extent)
            isEnded = true
            self.extent = nil
            return location
        } catch {
            throw fail(PackError(error))
        }
    }

    func abandon() async {
        isEnded = true
        _ = takeGathered()
        // Nothing may be written to the extent once it is given up.
        if let writing { _ = await writing.result }
        writing = nil
        extent = nil
    }

    private func checkOpen() throws(PackError) {
        if let failure { throw failure }
        if isEnded { throw .failed("the block was ended before") }
        try store.checkHealth()
    }

    private func fail(_ error: PackError) -> PackError {
        failure = error
        _ = takeGathered()
        return error
    }

    private func gather(_ bytes: ByteBuffer) {
        gatheredCount += bytes.readableBytes
        if bytes.readableBytes < Self.smallPiece, let last = gathered.last, last.readableBytes < 2 * Self.smallPiece {
            gathered[gathered.count - 1].writeImmutableBuffer(bytes)
        } else {
            gathered.append(bytes)
        }
    }

    private func takeGathered() -> [ByteBuffer] {
        defer {
            gathered = []
            gatheredCount = 0
        }
        return gathered
    }

    private func flush() async throws {
        do {
            try await lastWrite()
            let extent = try await reserved()
            let start = extent.location(length: length, stored: stored).offset + Int64(written)
            let parts = takeGathered()
            written = received
            writing = Task { [store] in
                try await store.write {
                    try extent.file.write(parts, at: start)
                    extent.file.startWriteback(offset: start, length: Int64(parts.reduce(0) { $0 + $1.readableBytes }))
                }
            }
        } catch {
            throw fail(PackError(error))
        }
    }

    private func lastWrite() async throws {
        guard let writing else { return }
        self.writing = nil
        try await writing.value
    }

    private func reserved() async throws -> Extent {
        if let extent { return extent }
        let extent = try await store.reserve(PackFormat.recordBytes(stored))
        self.extent = extent
        return extent
    }
}
