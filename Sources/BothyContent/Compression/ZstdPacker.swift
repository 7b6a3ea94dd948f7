import CZstd

/// Makes Zstandard frames (RFC 8878) out of bytes as they come. Each frame has its checksum.
public final class ZstdPacker {
    private let context: OpaquePointer
    private let output: UnsafeMutableRawBufferPointer

    /// Of the window, as a power of two: 1 MiB, with which a packer takes less than 3 MiB of memory.
    private static let windowLog: Int32 = 20

    /// - Parameter level: 1 (fast) to 19 (small).
    /// - Returns: nil where zstd has no memory for it; the caller then sends the bytes as they are.
    public init?(level: Int32) {
        guard let context = ZSTD_createCCtx() else { return nil }
        self.context = context
        output = .allocate(byteCount: ZSTD_CStreamOutSize(), alignment: 16)
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
        ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, Self.windowLog)
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
    }

    deinit {
        ZSTD_freeCCtx(context)
        output.deallocate()
    }

    /// What comes next, packed. With all that was returned so far, all that was given can be unpacked.
    ///
    /// - Parameter isLast: ends the frame; more bytes begin another one.
    /// - Returns: nil where zstd has no memory for it: the frame is worth nothing then.
    public func pack(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> [UInt8]? {
        var packed = [UInt8]()
        var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
        while true {
            var space = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
            let left = ZSTD_compressStream2(context, &space, &input, isLast ? ZSTD_e_end : ZSTD_e_flush)
            guard ZSTD_isError(left) == 0 else { return nil }
            packed += output[..<space.pos]
            if left == 0 { return packed }
        }
    }
}
