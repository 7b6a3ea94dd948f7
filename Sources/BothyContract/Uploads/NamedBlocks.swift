/// How a plan's blocks are named at 36 bytes each: a block by its hash, or a run of them by its place in a revision that the drive has.
///
/// On the wire, an entry is 32 bytes and a size of 4 bytes, big-endian. With a size of 1 or more they are a block's SHA-256 and its bytes. With a
/// size of 0 they are the first place (4 bytes, big-endian), how many (4 bytes, big-endian), and zeros.
public enum NamedBlocks: Hashable, Sendable {
    case block(BlockReference)
    /// Blocks of the base revision.
    case base(ChunkRun)

    /// How many blocks it stands for.
    public var count: Int {
        switch self {
        case .block: 1
        case .base(let run): run.count
        }
    }

    /// - Returns: nil for what is no such list.
    public static func list(_ bytes: some Collection<UInt8>) -> [NamedBlocks]? {
        guard bytes.count.isMultiple(of: BlockReference.listedBytes) else { return nil }
        var named = [NamedBlocks]()
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let entry = NamedBlocks(Array(rest.prefix(BlockReference.listedBytes))) else { return nil }
            named.append(entry)
            rest = rest.dropFirst(BlockReference.listedBytes)
        }
        return named
    }

    /// The list as it goes over the wire.
    public static func bytes(of list: some Sequence<NamedBlocks>) -> [UInt8] { list.flatMap(\.entry) }

    private init?(_ entry: [UInt8]) {
        let name = entry.prefix(ContentHash.byteCount)
        let size = Self.number(entry.suffix(4))
        guard size == 0 else {
            guard UploadLimits.blockSizes.contains(Int64(size)), let hash = ContentHash(bytes: name) else { return nil }
            self = .block(BlockReference(sha256: hash, size: Int64(size)))
            return
        }
        let (first, count) = (Self.number(name.prefix(4)), Self.number(name.dropFirst(4).prefix(4)))
        guard count > 0, first + count <= UploadLimits.maximumChunks, name.dropFirst(8).allSatisfy({ $0 == 0 }) else {
            return nil
        }
        self = .base(ChunkRun(first: first, last: first + count - 1))
    }

    private var entry: [UInt8] {
        switch self {
        case .block(let block): block.sha256.bytes + Self.bytes(Int(block.size))
        case .base(let run):
            Self.bytes(run.first) + Self.bytes(run.count)
                + [UInt8](repeating: 0, count: BlockReference.listedBytes - 8)
        }
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
    private static func bytes(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
