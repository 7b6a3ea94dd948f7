import BothyContent
import BothyContract
import NIOCore

/// The one reading of a source: segment by segment, its blocks each hashed by themselves and as part of the whole.
///
/// Unchecked because only its own queue touches what varies.
final class UploadReader: @unchecked Sendable {
    /// How a source is divided.
    enum Division: Sendable {
        /// Fixed chunks, each a segment of its own.
        case grid(ChunkGrid)
        /// Blocks by content, as many in a segment as make about so many bytes.
        case content(BlockSizes, segment: Int64)
    }

    private let path: String
    private let disk: any LocalDisk
    private let queue: DiskQueue
    private let smallReads: DiskQueue
    private var file: (any LocalFile)?
    /// Of the pass that is under way.
    private var hasher = TwinHasher()
    /// Of a source that is cut by its content: what is remembered of it once it is sent.
    private var sketcher: FragmentSketcher?
    private var cutBlocks = [BlockReference]()
    private var offset: Int64 = 0
    private var segments = 0
    private var blocks = 0
    /// Buffers whose bytes were sent, to be filled again: asking the system for 4 MiB anew costs as much as reading them.
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
        try await smallReads.run { [self] in
            guard let facts = try disk.facts(of: path) else {
                throw ClientFailure(.fileMissing, "“\(path)” is not there any more.")
            }
            return facts
        }
    }

    func rewind() async throws {
        try await queue.run { [self] in
            hasher = TwinHasher()
            sketcher = nil
            cutBlocks = []
            (offset, segments, blocks) = (0, 0, 0)
        }
    }

    /// The next segment. The bytes that it ends with are the file's last where it has the whole's hash.
    ///
    /// - Throws: `sourceChanged` when the file is shorter than it was; `sourceNotAFile` when it always was shorter than its size says.
    func readOn(_ division: Division, pin: SourcePin) async throws -> (bytes: ByteBuffer, segment: UploadSegment) {
        try await queue.run { [self] in try readNow(division, pin) }
    }

    /// The hash of all of it, before the pass begins. What there is to remember of it then is what a pass leaves.
    func hashAll(_ division: Division, pin: SourcePin) async throws -> ContentHash {
        try await rewind()
        while true {
            try Task.checkCancellation()
            let (bytes, segment) = try await readOn(division, pin: pin)
            try await recycle(bytes)
            guard let hash = segment.wholeHash else { continue }
            guard SourcePin(try await look()) == pin else { throw changed }
            return hash
        }
    }

    /// All of a small file, and its hash.
    ///
    /// - Parameters:
    ///   - known: the hash, where it is known.
    ///   - isChange: whether it is a new version: what changed once will change again, and is worth remembering.
    func readWhole(
        pin: SourcePin, known: ContentHash? = nil, isChange: Bool = false
    ) async throws -> (bytes: ByteBuffer, hash: ContentHash) {
        try await (pin.size <= Self.small ? smallReads : queue).run { [self] in
            let file = try disk.openForReading(path)
            guard SourcePin(try file.facts()) == pin else { throw changed }
            var buffer = ByteBuffer()
            buffer.reserveCapacity(Int(pin.size))
            var hasher = SHA256Hasher()
            sketcher = FragmentSketcher(forFileOf: pin.size, isChange: isChange)
            try fill(&buffer, from: file, 0..<pin.size, pin) {
                if known == nil { hasher.update($0) }
                sketcher?.take($0)
            }
            guard SourcePin(try file.facts()) == pin else { throw changed }
            offset = pin.size
            return (buffer, known ?? hasher.finish())
        }
    }

    /// Takes a buffer back whose bytes are sent.
    func recycle(_ buffer: ByteBuffer) async throws {
        try await queue.run { [self] in if spare.count < Self.mostSpare { spare.append(buffer) } }
    }

    /// What to remember of the source; nil unless it was read to its end, and is worth it.
    func sketched(as revisionId: String, size: Int64) async throws -> RevisionSketch? {
        try await queue.run { [self] in
            guard let sketcher, offset == size else { return nil }
            return RevisionSketch(revisionId: revisionId, blocks: cutBlocks, fragments: sketcher.sketch)
        }
    }

    // MARK: - On the queue

    private func readNow(_ division: Division, _ pin: SourcePin) throws -> (ByteBuffer, UploadSegment) {
        let file = try opened(pin)
        var buffer = spare.popLast() ?? ByteBuffer()
        var segment = UploadSegment(index: segments, start: offset, firstBlock: blocks, blocks: [])
        switch division {
        case .grid(let grid):
            let range = grid.range(of: segments)
            buffer.clear(minimumCapacity: range.count)
            try fill(&buffer, from: file, range, pin) { hasher.update($0) }
            segment.blocks = [BlockReference(sha256: hasher.endPart(), size: Int64(range.count))]
        case .content(let sizes, let length):
            buffer.clear(minimumCapacity: Int(min(length + Int64(sizes.maximum), pin.size - offset)))
            if sketcher == nil {
                sketcher = FragmentSketcher(
                    fragmentSize: RevisionSketch.fragmentSize(forFileOf: pin.size, sizes))
            }
            segment.blocks = try cut(&buffer, from: file, sizes, length, pin)
            cutBlocks += segment.blocks
        }
        offset = segment.end
        segments += 1
        blocks += segment.blocks.count
        if offset == pin.size { segment.wholeHash = hasher.finish() }
        return (buffer, segment)
    }

    /// Whole blocks, until one more could make the segment too long; of large ones, until it would be likely to. What was read past its last one is read again with
    /// the next segment.
    private func cut(
        _ buffer: inout ByteBuffer, from file: any LocalFile, _ sizes: BlockSizes, _ length: Int64, _ pin: SourcePin
    ) throws -> [BlockReference] {
        let end = pin.size
        var splitter = BlockSplitter(sizes: sizes)
        var blocks = [BlockReference]()
        var (cut, block): (Int64, Int64) = (0, 0)
        let full = length - min(Int64(sizes.maximum), length / 8)
        while offset + cut + block < end, block > 0 || cut <= full {
            let place = offset + cut + block
            let wanted = min(Self.piece, Int(end - place))
            try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: wanted) { space in
                let target = UnsafeMutableRawBufferPointer(rebasing: space[..<wanted])
                let count = try file.read(into: target, at: place)
                guard count > 0 else { throw ended(file, at: place, pin) }
                var taken = 0
                while taken < count {
                    let rest = UnsafeRawBufferPointer(rebasing: target[taken..<count])
                    let (length, endsBlock) = splitter.take(rest)
                    hasher.update(UnsafeRawBufferPointer(rebasing: rest[..<length]))
                    sketcher?.take(UnsafeRawBufferPointer(rebasing: rest[..<length]))
                    taken += length
                    block += Int64(length)
                    guard endsBlock || place + Int64(taken) == end else { continue }
                    blocks.append(BlockReference(sha256: hasher.endPart(), size: block))
                    (cut, block) = (cut + block, 0)
                    if cut > full { break }
                }
                return taken
            }
        }
        return blocks
    }

    private func opened(_ pin: SourcePin) throws -> any LocalFile {
        if let file { return file }
        let opened = try disk.openForReading(path)
        guard SourcePin(try opened.facts()) == pin else { throw changed }
        file = opened
        return opened
    }

    private func fill(
        _ buffer: inout ByteBuffer, from file: any LocalFile, _ range: Range<Int64>, _ pin: SourcePin,
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
            guard count > 0 else { throw ended(file, at: offset, pin) }
            offset += Int64(count)
        }
    }

    /// Why a file ends before its size: it has become shorter, or the system tells a size that it does not have (many files of `/sys`).
    private func ended(_ file: any LocalFile, at offset: Int64, _ pin: SourcePin) -> ClientFailure {
        do {
            guard SourcePin(try file.facts()) == pin else { return changed }
        } catch {
            return error
        }
        return ClientFailure(
            .sourceNotAFile,
            "“\(path)” ends after \(offset) bytes, and its size is said to be \(pin.size): this kind of file cannot be uploaded.",
            remedy: "Copy its content to a regular file (cat), and upload that.")
    }

    private var changed: ClientFailure {
        ClientFailure(.sourceChanged, "“\(path)” changed while it was being sent.")
    }
}
