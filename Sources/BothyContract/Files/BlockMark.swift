/// A block by the beginning of its name: enough to find it again in a file that is cut alike, and no proof. A reader that puts a file
/// together by marks compares the hash of the whole.
public struct BlockMark: Hashable, Sendable {
    /// The first eight bytes of the block's SHA-256, the highest first.
    public var start: UInt64
    /// Bytes of the block.
    public var size: Int64

    public init(_ block: BlockReference) {
        start = block.sha256.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        size = block.size
    }

    private init(start: UInt64, size: Int64) {
        self.start = start
        self.size = size
    }

    /// The type of a list of marks at 12 bytes each: eight of the hash, then the size as a big-endian 32-bit number.
    public static let listMediaType = "application/vnd.bothy.block-marks"
    /// Bytes of a mark in such a list.
    public static let listedBytes = 12

    /// - Returns: nil for what is no such list.
    public static func list(_ bytes: some Collection<UInt8>) -> [BlockMark]? {
        guard bytes.count.isMultiple(of: listedBytes) else { return nil }
        var marks = [BlockMark]()
        var rest = bytes[...]
        while !rest.isEmpty {
            let start = rest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let size = rest.dropFirst(8).prefix(4).reduce(Int64(0)) { $0 << 8 | Int64($1) }
            guard UploadLimits.blockSizes.contains(size) else { return nil }
            marks.append(BlockMark(start: start, size: size))
            rest = rest.dropFirst(listedBytes)
        }
        return marks
    }
}
