/// A file of `size` bytes in chunks of `chunkSize`, the last one shorter.
package struct ChunkGrid: Equatable, Sendable {
    /// Bytes, 0 or more.
    package let size: Int64
    /// Bytes, 1 or more.
    package let chunkSize: Int64

    package init(size: Int64, chunkSize: Int64) {
        precondition(size >= 0 && chunkSize > 0, "a grid has a size")
        self.size = size
        self.chunkSize = chunkSize
    }

    package var total: Int { Int((size + chunkSize - 1) / chunkSize) }

    package func offset(of index: Int) -> Int64 { min(size, Int64(index) * chunkSize) }

    package func range(of index: Int) -> Range<Int64> { offset(of: index)..<offset(of: index + 1) }

    package func bytes(in set: ChunkProgress) -> Int64 {
        guard set.total == total, total > 0 else { return 0 }
        let short = Int64(total) * chunkSize - size
        return Int64(set.count) * chunkSize - (set.contains(total - 1) ? short : 0)
    }
}
