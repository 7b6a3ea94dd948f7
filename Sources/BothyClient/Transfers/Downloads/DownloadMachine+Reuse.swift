import BothyContract

/// The part of a download that takes from this device what is here.
extension DownloadMachine {
    /// Bytes. Of a smaller file the questions cost little less than all of it, which comes along with others and compressed. One of this size that
    /// changed goes by itself, also where many did: two requests and a patch are some 2.5 KiB.
    static let leastWorthReusing: Int64 = 64 << 10
    /// Bytes. Of a smaller file that cannot be had as one patch the list of its blocks costs as much as it saves.
    static let leastWorthListing: Int64 = 1 << 20
    /// Bytes. What of a block is here ends anywhere, and a chunk is here whole or not at all: so chunks are small.
    static let smallestReusedChunk: Int64 = 32 << 10
    /// Of so many bytes of the file one has to be here, for the small chunks to be worth it.
    static let leastShare: Int64 = 16

    /// Only before anything was fetched; and where what arrived was not what it should be, nothing of this device is taken again.
    var isWorthReusing: Bool {
        transfer.basisPath != nil && transfer.downloadedChunks.isEmpty && run.restarts == 0
            && transfer.expectedHash != nil && transfer.expectedSize ?? 0 >= Self.leastWorthReusing
    }

    mutating func reused(_ ranges: [Range<Int64>], carried: Int64) -> [Action] {
        guard run.phase == .reusing, let size = transfer.expectedSize else { return [] }
        run.phase = .fetching
        transfer.fetchedBytes += carried
        if ranges.reduce(0, { $0 + Int64($1.count) }) * Self.leastShare >= size {
            transfer.chunkSize = Self.reusedChunk(of: size)
            transfer.downloadedChunks = Self.chunks(
                in: ranges, of: ChunkGrid(size: size, chunkSize: transfer.chunkSize))
            showReused()
        }
        return [.save, hashAction] + pump()
    }

    private mutating func showReused() {
        guard let grid = transfer.grid else { return }
        transfer.shownBytes = max(transfer.shownBytes, grid.bytes(in: transfer.downloadedChunks))
        transfer.lastByteOffset = grid.offset(of: transfer.downloadedChunks.prefix)
    }

    private static func reusedChunk(of size: Int64) -> Int64 {
        var chunk = smallestReusedChunk
        while (size + chunk - 1) / chunk > Int64(mostChunks) { chunk *= 2 }
        return chunk
    }

    /// Chunks that lie in one of the ranges whole.
    static func chunks(in ranges: [Range<Int64>], of grid: ChunkGrid) -> ChunkProgress {
        var chunks = ChunkProgress(total: grid.total)
        for range in ranges {
            let first = Int((range.lowerBound + grid.chunkSize - 1) / grid.chunkSize)
            let end = range.upperBound == grid.size ? grid.total : Int(range.upperBound / grid.chunkSize)
            for index in first..<max(first, end) { chunks.insert(index) }
        }
        return chunks
    }
}
