import BothyContent
import BothyContract
import NIOCore

/// A block that is in memory, and what its bytes were when it was hashed.
///
/// Both its hash and the checksums that go into its pack are taken in one look at each page. So a reader of the record
/// and finds the checksums right has found the bytes that were hashed, and needs no second SHA-256, which costs ten times as much.
package struct WholeBlock: Sendable {
    package let bytes: ByteBuffer
    /// SHA-256 of `bytes`.
    package let hash: ContentHash
    /// CRC-32C of each of its pages.
    let checksums: [UInt32]

    package init(_ bytes: ByteBuffer) {
        var (hasher, checksums) = (SHA256Hasher(), PageChecksums())
        bytes.withUnsafeReadableBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: Self.pieceBytes) {
                let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + Self.pieceBytes, bytes.count)])
                hasher.update(piece)
                checksums.update(piece)
            }
        }
        self.bytes = bytes
        hash = hasher.finish()
        self.checksums = checksums.finished()
    }

    package var isEmpty: Bool { bytes.readableBytes == 0 }

    /// Looked at twice while the processor has them at hand.
    private static let pieceBytes = 16 << 10
}
