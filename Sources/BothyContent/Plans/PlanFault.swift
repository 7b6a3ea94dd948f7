/// Why a chunk plan cannot be.
public enum PlanFault: Error, Equatable, Sendable {
    /// Not within 0 and `UploadLimits.maximumFileSize`.
    case fileSize(Int64)
    /// Not within `UploadLimits.chunkSizes`.
    case chunkSize(Int64)
    /// Not within `UploadLimits.blockSizes`.
    case blockSize(index: Int, size: Int64)
    /// More than `UploadLimits.maximumChunks`.
    case tooManyChunks
    /// The blocks do not add up to the size that was declared.
    case sumDiffers(sum: Int64, declared: Int64)
    /// Only an open plan grows.
    case notOpen
    /// Blocks between `count` and `from` were left out.
    case gap(from: Int, count: Int)
    /// Another size was named for this block before.
    case contradiction(index: Int)
}
