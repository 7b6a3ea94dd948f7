import CZstd

/// Takes Zstandard frames (RFC 8878) apart as they come, wherever they are cut. Several frames, one after the other, are one stream.
///
/// Whatever they claim: no more comes out than was expected, no more is taken in than so much can be packed as, and no window is
/// larger than 8 MiB, which RFC 8878 §3.1.1.1.2 asks everyone to support, and which is what an unpacker may take of memory.
public final class ZstdUnpacker {
    /// What came is no such stream, is none to its end, or holds more than was expected.
    public struct Garbled: Error {
        public init() {}
    }

    private let context: OpaquePointer
    private let output: UnsafeMutableRawBufferPointer
    private let most: Int
    private let mostPacked: Int
    private var isBetweenFrames = true
    private var isGarbled = false

    /// Bytes that were taken in, for what came out and for little else.
    public private(set) var packedCount = 0
    /// Bytes that came out.
    public private(set) var count = 0
    /// Bytes that were handed on out of frames that have ended: with a checksum, as these of ours, they are what was packed.
    public private(set) var checkedCount = 0

    /// As a power of two.
    private static let mostWindowLog: Int32 = 23
    /// Every frame begins with it. Older formats, which zstd may still read and which no bound of ours holds for, begin with others.
    private static let firstByte: UInt8 = 0x28

    /// - Parameter most: bytes that may come out.
    /// - Returns: nil where zstd has no memory for it.
    public init?(upTo most: Int) {
        guard let context = ZSTD_createDCtx() else { return nil }
        self.context = context
        self.most = most
        mostPacked = most + most / 64 + 4 << 10
        output = .allocate(byteCount: ZSTD_DStreamOutSize(), alignment: 16)
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.mostWindowLog)
    }

    deinit {
        ZSTD_freeDCtx(context)
        output.deallocate()
    }

    /// Takes what comes next, and hands on what can be unpacked now, in order.
    ///
    /// - Throws: ``Garbled``, from then on each time; what `hand` throws.
    public func unpack(_ bytes: UnsafeRawBufferPointer, to hand: (UnsafeRawBufferPointer) throws -> Void) throws {
        let before = packedCount
        guard before + bytes.count <= mostPacked, !isGarbled else { throw garbled() }
        var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
        var isMoreInside = false
        while input.pos < input.size || isMoreInside {
            if isBetweenFrames, bytes[input.pos] != Self.firstByte { throw garbled() }
            var space = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
            let left = ZSTD_decompressStream(context, &space, &input)
            packedCount = before + input.pos
            count += space.pos
            guard ZSTD_isError(left) == 0, count <= most else { throw garbled() }
            isBetweenFrames = left == 0
            isMoreInside = left > 0 && space.pos == space.size
            if space.pos > 0 { try hand(UnsafeRawBufferPointer(rebasing: output[..<space.pos])) }
            if isBetweenFrames { checkedCount = count }
        }
    }

    /// - Throws: ``Garbled`` in the middle of a frame.
    public func checkEnd() throws(Garbled) {
        guard isBetweenFrames, !isGarbled else { throw garbled() }
    }

    private func garbled() -> Garbled {
        isGarbled = true
        return Garbled()
    }
}
