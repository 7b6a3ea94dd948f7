import CZlib

/// The gzip format of RFC 1952, for answers that are text.
public enum Gzip {
    /// Compresses `bytes` whole; for what is in memory already.
    ///
    /// - Parameter level: 1 (fast) to 9 (small).
    /// - Returns: nil where zlib has no memory for it; the caller then sends the bytes as they are.
    public static func compress(_ bytes: UnsafeRawBufferPointer, level: Int32 = 4) -> [UInt8]? {
        guard bytes.count <= Int(UInt32.max) else { return nil }
        var stream = z_stream()
        // 15 bits of window, and 16 more to ask zlib for gzip's header and trailer.
        let started = deflateInit2_(
            &stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)
        )
        guard started == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        var finished = false
        let compressed = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            stream.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
            stream.avail_in = UInt32(bytes.count)
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(bound)
            finished = deflate(&stream, Z_FINISH) == Z_STREAM_END
            count = bound - Int(stream.avail_out)
        }
        return finished ? compressed : nil
    }
}
