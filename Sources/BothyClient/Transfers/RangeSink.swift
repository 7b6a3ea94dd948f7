import BothyContract
import NIOCore
import NIOHTTP1

/// Writes one range of a download to its place, and believes nothing that the answer does not show.
///
/// Unchecked because only the request's own event loop touches what varies, and whoever awaits the request looks
/// after it has ended.
final class RangeSink: BodySink, @unchecked Sendable {
    private let file: any LocalFile
    private let range: Range<Int64>
    private let grid: ChunkGrid
    private let etag: String?
    private let limit: RateLimit
    private let arrived: @Sendable (Int, Int64?) -> Void
    private let moved: @Sendable (Int) -> Void
    private(set) var offset: Int64

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
    }

    func accepts(status: Int, headers: HTTPHeaders) throws -> Bool {
        if status == 200 { throw Self.odd("The server sent the whole file where a part was asked for.") }
        guard status == 206 else { return false }
        let expected = ContentRange(first: range.lowerBound, last: range.upperBound - 1, total: grid.size)
        guard let text = headers.first(name: "Content-Range"), ContentRange(text: text) == expected else {
            throw Self.odd("The server sent another part of the file than was asked for.")
        }
        if let length = headers.first(name: "Content-Length"), Int64(length) != Int64(range.count) {
            throw Self.odd("The server says that the part has another length than was asked for.")
        }
        if let etag, let told = headers.first(name: "ETag"), told != etag {
            throw Self.odd("The server sent a part of another revision.")
        }
        return true
    }

    func take(_ bytes: ByteBuffer) throws -> Double {
        try put(bytes)
        return limit.take(bytes.readableBytes)
    }

    /// Writes what is next in the range, however it came.
    ///
    /// - Parameter carried: bytes that came for it, which is one chunk then; nil for as many as it has.
    func put(_ bytes: ByteBuffer, carried: Int64? = nil) throws {
        let count = bytes.readableBytes
        guard offset + Int64(count) <= range.upperBound else {
            throw Self.odd("The server sent more than was asked for.")
        }
        try bytes.withUnsafeReadableBytes { try file.write($0, at: offset) }
        let before = Int(offset / grid.chunkSize)
        offset += Int64(count)
        moved(count)
        let after = offset == grid.size ? grid.total : Int(offset / grid.chunkSize)
        for index in before..<max(before, after) { arrived(index, carried) }
    }

    /// - Throws: `offline` when the answer ended before the range did.
    func checkComplete() throws {
        guard offset == range.upperBound else {
            throw ClientFailure(.offline, "The connection ended in the middle of the file.")
        }
    }

    private static func odd(_ words: String) -> ClientFailure { ClientFailure(.answerInvalid, words) }
}
