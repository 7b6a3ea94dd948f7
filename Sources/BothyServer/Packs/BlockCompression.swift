import BothyContent
import NIOCore

/// Which blocks are kept compressed, and as what.
enum BlockCompression {
    /// Bytes of a block that is worth trying. More would have to be unpacked whole for every piece of it that is read.
    static let sizes = 256...(4 << 20)
    /// Bytes of one sample. A block of up to three of them is tried whole.
    static let sampleBytes = 16 << 10
    /// A block has to lose at least one part in so many, or it is kept as it came.
    private static let leastSaved = 12
    private static let sampleLevel: Int32 = 1
    private static let level: Int32 = 6

    /// The places of a block that tell whether it will shrink: its beginning, its middle and its end.
    static func samples(of length: Int) -> [Range<Int>] {
        guard length > 3 * sampleBytes else { return [0..<length] }
        return [0, (length - sampleBytes) / 2, length - sampleBytes].map { $0..<($0 + sampleBytes) }
    }

    /// Whether a block is likely to shrink: what was compressed before it came is not tried any further.
    static func isHopeful(_ samples: [ByteBuffer]) -> Bool {
        let sample = samples.flatMap(\.readableBytesView)
        return sample.withUnsafeBytes { compressed($0, level: sampleLevel) } != nil
    }

    /// - Returns: the block as a Zstandard frame; nil where that is not enough smaller.
    static func frame(of block: ByteBuffer) -> [UInt8]? {
        guard sizes.contains(block.readableBytes) else { return nil }
        return block.withUnsafeReadableBytes { compressed($0, level: level) }
    }

    private static func compressed(_ bytes: UnsafeRawBufferPointer, level: Int32) -> [UInt8]? {
        guard let frame = Zstd.compress(bytes, level: level) else { return nil }
        return frame.count <= bytes.count - bytes.count / leastSaved ? frame : nil
    }
}
