import BothyContract

/// How the files of a drive are cut into blocks by their content. Its version is a drive's, so that all of its devices cut alike: only
/// then do they share blocks. A device that cuts otherwise sends more, and nothing goes wrong.
///
/// A version never changes. `docs/how-syncing-less-works.md` tells it in full, with vectors that another client can check.
public struct BlockParameters: Equatable, Sendable {
    /// From files of so many bytes on, blocks are of this normal size.
    package struct Step: Equatable, Sendable {
        var fileSize: Int64
        /// See ``BlockSizes/normal``.
        var normal: Int

        package init(from fileSize: Int64, normal: Int) {
            self.fileSize = fileSize
            self.normal = normal
        }
    }

    public let version: Int

    /// Ascending; the first is of the smallest files.
    private let steps: [Step]

    /// The newest that this release knows.
    public static let newest = BlockParameters(
        version: 1,
        steps: [
            Step(from: 0, normal: 64 << 10), Step(from: 512 << 20, normal: 256 << 10),
            Step(from: 2 << 30, normal: 1 << 20),
        ])

    /// All that this release knows.
    private static let known = [newest]

    /// - Parameter steps: ascending, the first from 0 on.
    package init(version: Int, steps: [Step]) {
        precondition(steps.first?.fileSize == 0, "a file of any size is cut")
        self.version = version
        self.steps = steps
    }

    /// - Returns: nil for a version that this release does not know.
    public init?(version: Int) {
        guard let known = Self.known.first(where: { $0.version == version }) else { return nil }
        self = known
    }

    /// What the blocks of a file are like. By version 1: 64 KiB each on average for most, larger for large files, so that none has more
    /// than about ten thousand.
    ///
    /// - Parameters:
    ///   - fileSize: bytes, 0 or more.
    ///   - longest: bytes that no block may exceed; at least ``UploadLimits/chunkSizes``' lower bound.
    public func sizes(forFileOf fileSize: Int64, longest: Int64 = UploadLimits.defaultChunkSize) -> BlockSizes {
        precondition(longest >= UploadLimits.chunkSizes.lowerBound, "a block has to fit")
        let step = steps.last { $0.fileSize <= fileSize } ?? steps[0]
        var sizes = BlockSizes(normal: step.normal)
        while sizes.maximum > longest { sizes = BlockSizes(normal: sizes.normal / 2) }
        return sizes
    }
}

/// The bounds of a block, all in bytes.
///
/// Measured on binaries, source code and media (`docs/how-syncing-less-works.md`): smaller minima and larger maxima change little;
/// cutting more sharply around `normal` makes sizes more even, and needs far longer to fall into step again after an insertion.
public struct BlockSizes: Equatable, Sendable {
    /// What a block has on average, more or less: a power of two.
    public let normal: Int

    /// - Parameter normal: a power of two, 256 or more.
    init(normal: Int) {
        precondition(normal >= 256 && normal & (normal - 1) == 0, "a bound of hashes is a power of two")
        self.normal = normal
    }

    /// No block but the last of a file is shorter.
    public var minimum: Int { normal / 4 }
    /// No block is longer.
    public var maximum: Int { normal * 4 }

    /// What is remembered of a block is remembered of parts of this size: an edit within it costs two of them, as a rule.
    public var fragment: Int { normal / 16 }

    /// Below `normal` bytes a cut is four times as rare as it would have to be, from there on four times as frequent (normalised
    /// chunking of level 2; Xia et al., 2016, §4.4).
    var boundBeforeNormal: UInt64 { (1 << 62) / UInt64(normal) }
    var boundFromNormal: UInt64 { (1 << 62) / UInt64(normal) * 16 }
}
