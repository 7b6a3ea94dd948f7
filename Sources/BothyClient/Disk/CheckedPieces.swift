import BothyContent
import BothyContract
import NIOCore

/// The pieces of a whole on their way out: the last that came stays behind until the whole is known to be right.
struct CheckedPieces: Sendable {
    private var hasher = SHA256Hasher()
    /// What came last.
    private(set) var last: ByteBuffer?

    /// Bytes that came.
    var byteCount: Int64 { hasher.byteCount }
    /// Of everything that came.
    var checksum: ContentHash { hasher.finish() }

    /// - Returns: the piece before this one, which may go; nil for the first.
    mutating func take(_ piece: ByteBuffer) -> ByteBuffer? {
        piece.withUnsafeReadableBytes { hasher.update($0) }
        defer { last = piece }
        return last
    }
}
