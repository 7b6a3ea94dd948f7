import BothyContract
import NIOCore
import NIOHTTP1

/// Writes one range of a download to its place, and believes nothing that the answer does not show.
///
/// Unchecked because only the request's own event loop touches what varies, and the code that awaits the request looks
/// after it has ended.
final class RangeSink: BodySink, @unchecked Sendable {
    private let file: any LocalFile
    private let range: Range<Int64>
    private let grid: ChunkGrid
    private let etag: String?
    private let limit: RateLimit
    private let arrived: @Sendable (Int, Int64?) -> Void
    private let moved: @Sendable (Int) -> Void
    /// Of an answer that comes compressed.
    private var packed: PackedAnswer?
    /// Where the next byte is written.
    private(set) var offset: Int64
    /// Up to here chunks were told of, and what came by then.
    private var told: (offset: Int64, packedCount: Int)

    /// - Parameters:
    ///   - range: from the beginning of a chunk to the end of one.
    ///   - arrived: told of each chunk once all of it is written, and how many bytes came for it where that is not what it has.
    init(
        file: any LocalFile, range: Range<Int64>, grid: ChunkGrid, etag: String?, limit: RateLimit,
        arrived: @escaping @Sendable (Int, Int64?) -> Void, moved: @escaping @Sendable (Int) -> Void
    ) {
        self.file = file
        self.range = range
        self.grid = grid
        self.etag = etag
        self.limit = limit
        self.arrived = arrived
        self.moved = moved
        offset = range.lowerBound
        told = (range.lowerBound, 0)
    }

    func accepts(status: Int, headers: HTTPHeaders) throws -> Bool {
        if status == 200 { throw Self.odd("The server sent the whole file instead of a part.") }
        guard status == 206 || status == 226 else { return false }
        if status == 226 {
            guard InstanceManipulations.isPackedRange(headers.first(name: HeaderNames.manipulations) ?? "") else {
                throw Self.odd("The server made of the part what was not asked for.")
            }
            packed = try PackedAnswer(upTo: range.count)
        }
        let expected = ContentRange(first: range.lowerBound, last: range.upperBound - 1, total: grid.size)
        guard let text = headers.first(name: "Content-Range"), ContentRange(text: text) == expected else {
            throw Self.odd("The server sent the wrong part of the file.")
        }
        if packed == nil, let length = headers.first(name: "Content-Length"), Int64(length) != Int64(range.count) {
            throw Self.odd("The server sent a part of the wrong length.")
        }
        if let etag, let told = headers.first(name: "ETag"), told != etag {
            throw Self.odd("The server sent a part of another revision.")
        }
        return true
    }

    func take(_ bytes: ByteBuffer) throws -> Double {
        if let packed {
            // Also where something behind it cannot be unpacked, what came whole is here.
            defer { tell(upTo: range.lowerBound + Int64(packed.checkedCount), packedCount: packed.packedCount) }
            try packed.take(bytes) { try write($0) }
        } else {
            try put(bytes)
        }
        return limit.take(bytes.readableBytes)
    }

    /// Writes what is next in the range, however it came.
    ///
    /// - Parameter carried: bytes that came for it, which is one chunk then; nil for as many as it has.
    func put(_ bytes: ByteBuffer, carried: Int64? = nil) throws {
        try bytes.withUnsafeReadableBytes { try write($0) }
        for index in chunks(upTo: offset) { arrived(index, carried) }
        told.offset = offset
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws {
        guard offset + Int64(bytes.count) <= range.upperBound else {
            throw Self.odd("The server sent too much data.")
        }
        try file.write(bytes, at: offset)
        offset += Int64(bytes.count)
        moved(bytes.count)
    }

    /// Of what comes compressed a chunk is here once its checksum has come: what was garbled on the way is never counted. What came since the
    /// last one was for all of them alike.
    private func tell(upTo end: Int64, packedCount: Int) {
        let chunks = chunks(upTo: end)
        guard !chunks.isEmpty else { return }
        let came = packedCount - told.packedCount
        for (place, index) in chunks.enumerated() {
            arrived(index, Int64(came * (place + 1) / chunks.count - came * place / chunks.count))
        }
        told = (end, packedCount)
    }

    /// The chunks that end behind what was told of, up to `end`.
    private func chunks(upTo end: Int64) -> Range<Int> {
        let before = Int(told.offset / grid.chunkSize)
        let after = end == grid.size ? grid.total : Int(end / grid.chunkSize)
        return before..<max(before, after)
    }

    /// - Throws: `offline` when the answer ended before the range did; `answerInvalid` where it came compressed, and did not end as it should.
    func checkComplete() throws {
        if let packed {
            try packed.checkEnd()
            guard offset == range.upperBound else { throw Self.odd("The server sent too little data.") }
        }
        guard offset == range.upperBound else {
            throw ClientFailure(.offline, "The connection was closed during the download.")
        }
    }

    private static func odd(_ words: String) -> ClientFailure { ClientFailure(.answerInvalid, words) }
}
