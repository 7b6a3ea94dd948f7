import BothyContent
import BothyContract
import NIOCore

/// The one reading of a source: chunk by chunk, each hashed by itself and, in the ordered pass, as part of the whole.
///
/// Unchecked because only its own queue touches what varies.
final class UploadReader: @unchecked Sendable {
    struct Chunk: Sendable {
        /// Nil where only the hash was wanted.
        var bytes: ByteBuffer?
        var hash: ContentHash?
        /// With the last chunk of the ordered pass.
        var wholeHash: ContentHash?
    }

    private let path: String
    private let disk: any LocalDisk
    private let queue: DiskQueue
    private let smallReads: DiskQueue
    private var file: (any LocalFile)?
    /// Of the ordered pass; nil before it.
    private var pass: TwinHasher?
    private var passed = 0
    /// Buffers whose chunk was sent, to be filled again: asking the system for 4 MiB anew costs as much as reading them.
    private var spare = [ByteBuffer]()

    /// Bytes that are read, then hashed while they are still in the processor's cache.
    private static let piece = 256 << 10
    private static let mostSpare = 8
    /// Bytes that are read where others wait to be.
    private static let small: Int64 = 128 << 10

    init(path: String, disk: any LocalDisk, smallReads: DiskQueue) {
        self.path = path
        self.disk = disk
        self.smallReads = smallReads
        queue = DiskQueue("reader")
    }

    /// What the path names now.
    func look() async throws -> FileFacts {
        try await queue.run { [self] in
            guard let facts = try disk.facts(of: path) else {
                throw ClientFailure(.fileMissing, "“\(path)” is not there any more.")
            }
            return facts
        }
    }

    func rewind() async throws {
        try await queue.run { [self] in
            pass = nil
            passed = 0
        }
    }

    /// - Throws: `sourceChanged` when the file is shorter than it was.
    func read(_ index: Int, of grid: ChunkGrid, keeping: Bool, pin: SourcePin) async throws -> Chunk {
        try await queue.run { [self] in try readNow(index, grid, keeping: keeping, pin: pin) }
    }

    /// All of a small file, and its hash.
    func readWhole(pin: SourcePin) async throws -> (bytes: ByteBuffer, hash: ContentHash) {
        try await (pin.size <= Self.small ? smallReads : queue).run { [self] in
            let file = try disk.openForReading(path)
            guard SourcePin(try file.facts()) == pin else { throw changed }
            var buffer = ByteBuffer()
            buffer.reserveCapacity(Int(pin.size))
            var hasher = SHA256Hasher()
            try fill(&buffer, from: file, 0..<pin.size) { hasher.update($0) }
            guard SourcePin(try file.facts()) == pin else { throw changed }
            return (buffer, hasher.finish())
        }
    }

    /// Takes a buffer back whose bytes are sent.
    func recycle(_ buffer: ByteBuffer) async throws {
        try await queue.run { [self] in if spare.count < Self.mostSpare { spare.append(buffer) } }
    }

    // MARK: - On the queue

    private func readNow(_ index: Int, _ grid: ChunkGrid, keeping: Bool, pin: SourcePin) throws -> Chunk {
        let file = try opened(pin)
        let range = grid.range(of: index)
        let inPass = index == passed
        var buffer = spare.popLast() ?? ByteBuffer()
        buffer.clear(minimumCapacity: range.count)
        let (hash, wholeHash) =
            try inPass
            ? readInPass(&buffer, file, range, grid) : (readAgain(&buffer, file, range), nil)
        if !keeping { spare.append(buffer) }
        return Chunk(bytes: keeping ? buffer : nil, hash: keeping ? hash : nil, wholeHash: wholeHash)
    }

    private func readInPass(
        _ buffer: inout ByteBuffer, _ file: any LocalFile, _ range: Range<Int64>, _ grid: ChunkGrid
    ) throws -> (ContentHash, whole: ContentHash?) {
        var hasher = pass ?? TwinHasher(partSize: grid.chunkSize)
        try fill(&buffer, from: file, range) { hasher.update($0) }
        let hash = hasher.endPart()
        pass = hasher
        passed += 1
        return (hash, passed == grid.total ? hasher.finish() : nil)
    }

    private func readAgain(
        _ buffer: inout ByteBuffer, _ file: any LocalFile, _ range: Range<Int64>
    ) throws -> ContentHash {
        var hasher = SHA256Hasher()
        try fill(&buffer, from: file, range) { hasher.update($0) }
        return hasher.finish()
    }

    private func opened(_ pin: SourcePin) throws -> any LocalFile {
        if let file { return file }
        let opened = try disk.openForReading(path)
        guard SourcePin(try opened.facts()) == pin else { throw changed }
        file = opened
        return opened
    }

    private func fill(
        _ buffer: inout ByteBuffer, from file: any LocalFile, _ range: Range<Int64>,
        _ each: (UnsafeRawBufferPointer) -> Void
    ) throws {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let wanted = min(Self.piece, Int(range.upperBound - offset))
            let count = try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: wanted) { space in
                let target = UnsafeMutableRawBufferPointer(rebasing: space[..<wanted])
                let count = try file.read(into: target, at: offset)
                each(UnsafeRawBufferPointer(rebasing: target[..<count]))
                return count
            }
            guard count > 0 else { throw changed }
            offset += Int64(count)
        }
    }

    private var changed: ClientFailure {
        ClientFailure(.sourceChanged, "“\(path)” changed while it was being sent.")
    }
}
