import BothyContent
import NIOCore

/// Which blocks are kept compressed, and as what.
enum BlockCompression {
    /// Bytes of a block that is worth trying. More would have to be unpacked whole for every piece of it that is read.
    static let sizes = 256...(4 << 20)
    private static let level: Int32 = 6

    /// Whether a block is likely to shrink.
    static func isHopeful(_ samples: [ByteBuffer]) -> Bool {
        samples.flatMap(\.readableBytesView).withUnsafeBytes { ShrinkGuess.isHopeful(samples: $0) }
    }

    /// - Returns: the block as a Zstandard frame; nil where that is not enough smaller.
    static func frame(of block: ByteBuffer) -> [UInt8]? {
        guard sizes.contains(block.readableBytes) else { return nil }
        return block.withUnsafeReadableBytes { compressed($0, level: level) }
    }

    private static func compressed(_ bytes: UnsafeRawBufferPointer, level: Int32) -> [UInt8]? {
        guard let frame = Zstd.compress(bytes, level: level) else { return nil }
        return ShrinkGuess.isWorthIt(frame.count, of: bytes.count) ? frame : nil
    }
}
