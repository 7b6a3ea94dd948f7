import CZstd

/// The Zstandard format of RFC 8878.
public enum Zstd {
    /// One frame with all of `bytes`.
    ///
    /// - Parameters:
    ///   - level: 1 (fast) to 19 (small).
    ///   - isChecked: adds four bytes by which a bit that flips on the way is found; for what is held against no hash of its own.
    /// - Returns: nil where zstd has no memory for it; the caller then does without.
    public static func compress(
        _ bytes: UnsafeRawBufferPointer, level: Int32 = 3, isChecked: Bool = false
    ) -> [UInt8]? {
        guard let context = ZSTD_createCCtx() else { return nil }
        defer { ZSTD_freeCCtx(context) }
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, isChecked ? 1 : 0)
        var written = 0
        let frame = [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(bytes.count)) { output, count in
            written = ZSTD_compress2(context, output.baseAddress, output.count, bytes.baseAddress, bytes.count)
            count = ZSTD_isError(written) == 0 ? written : 0
        }
        return ZSTD_isError(written) == 0 ? frame : nil
    }

    /// What a frame holds, and not more than `most` bytes of it: whatever it claims, no more memory is asked for.
    ///
    /// - Returns: nil for what is no whole frame, is followed by anything, or holds more.
    public static func decompress(_ frame: UnsafeRawBufferPointer, upTo most: Int) -> [UInt8]? {
        guard ZSTD_findFrameCompressedSize(frame.baseAddress, frame.count) == frame.count else { return nil }
        let claimed = ZSTD_getFrameContentSize(frame.baseAddress, frame.count)
        // The two highest values stand for «unknown» and «no frame»; see zstd.h.
        let room = claimed <= UInt64(most) ? Int(claimed) : most
        guard claimed <= UInt64(most) || claimed == UInt64.max else { return nil }
        var written = 0
        let content = [UInt8](unsafeUninitializedCapacity: room) { output, count in
            written = ZSTD_decompress(output.baseAddress, room, frame.baseAddress, frame.count)
            count = ZSTD_isError(written) == 0 ? written : 0
        }
        return ZSTD_isError(written) == 0 ? content : nil
    }
}
