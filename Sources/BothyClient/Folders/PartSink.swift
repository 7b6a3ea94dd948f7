import BothyContract
import NIOCore
import NIOHTTP1
import Synchronization

/// Collects one part of a file, and believes nothing that the answer does not show.
final class PartSink: BodySink {
    private let range: Range<Int64>
    private let size: Int64
    private let bytes = Mutex(ByteBuffer())

    /// - Parameter size: bytes of the whole file.
    init(_ range: Range<Int64>, of size: Int64) {
        self.range = range
        self.size = size
    }

    func accepts(status: Int, headers: HTTPHeaders) throws -> Bool {
        guard status == 206 else {
            if status == 200 { throw Self.odd }
            return false
        }
        let expected = ContentRange(first: range.lowerBound, last: range.upperBound - 1, total: size)
        guard headers.first(name: "Content-Range").flatMap({ ContentRange(text: $0) }) == expected else {
            throw Self.odd
        }
        return true
    }

    func take(_ piece: ByteBuffer) throws -> Double {
        try bytes.withLock { bytes in
            guard bytes.readableBytes + piece.readableBytes <= range.count else { throw Self.odd }
            bytes.writeImmutableBuffer(piece)
        }
        return 0
    }

    /// - Throws: `offline` where the answer ended before the part did.
    func whole() throws -> ByteBuffer {
        let bytes = bytes.withLock { $0 }
        guard bytes.readableBytes == range.count else {
            throw ClientFailure(.offline, "The connection was closed during the download.")
        }
        return bytes
    }

    private static let odd = ClientFailure(
        .answerInvalid, "The server sent the wrong part of the file.")
}
