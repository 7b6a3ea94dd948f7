import CHashing

/// Cuts bytes into blocks by their content, so that an edit moves only the cuts near it: FastCDC (Xia et al., «FastCDC: a Fast and
/// Efficient Content-Defined Chunking Approach for Data Deduplication», USENIX ATC 2016, and IEEE TPDS 2020), a gear hash with
/// normalised chunking.
///
/// A value: bytes come in pieces of any size, and the cuts are the same.
public struct BlockSplitter: Sendable {
    private let sizes: BlockSizes
    /// Bytes of the block that is under way.
    public private(set) var count = 0
    private var hash: UInt64 = 0

    /// Bytes that a gear hash of 64 bits is of.
    private static let window = 64

    public init(sizes: BlockSizes) { self.sizes = sizes }

    /// Takes bytes up to the end of a block, or all of them. What is left when a file ends is its last block.
    ///
    /// - Returns: how many it took, and whether a block ends with them.
    public mutating func take(_ bytes: UnsafeRawBufferPointer) -> (count: Int, endsBlock: Bool) {
        var taken = skip(bytes)
        while taken < bytes.count {
            let bound = count < sizes.normal ? sizes.boundBeforeNormal : sizes.boundFromNormal
            let end = count < sizes.normal ? sizes.normal : sizes.maximum
            let part = bytes[taken...].prefix(end - count)
            let found = find(in: UnsafeRawBufferPointer(rebasing: part), below: bound)
            taken += found ?? part.count
            count += found ?? part.count
            if found != nil || count == sizes.maximum {
                (count, hash) = (0, 0)
                return (taken, true)
            }
        }
        return (taken, false)
    }

    /// No block ends before its minimum, so its first bytes are not looked at, except for those that the first hash is of.
    private mutating func skip(_ bytes: UnsafeRawBufferPointer) -> Int {
        let unseen = min(max(0, sizes.minimum - Self.window - count), bytes.count)
        let rolled = min(max(0, sizes.minimum - count - unseen), bytes.count - unseen)
        _ = find(in: UnsafeRawBufferPointer(rebasing: bytes[unseen...].prefix(rolled)), below: 0)
        count += unseen + rolled
        return unseen + rolled
    }

    /// - Returns: how many bytes there are up to and with the first after which the hash is below `bound`.
    private mutating func find(in bytes: UnsafeRawBufferPointer, below bound: UInt64) -> Int? {
        let found = bothy_gear_find(Gear.table, bytes.baseAddress, bytes.count, &hash, bound)
        return found == 0 ? nil : found
    }
}

/// The numbers that stand for bytes in a gear hash.
enum Gear {
    /// Each is the first eight bytes, the highest first, of the SHA-256 of «Bothy gear 1» and the byte: nobody's choice, and
    /// everybody can compute them.
    static let table: [UInt64] = (0...UInt8.max).map { byte in
        SHA256Hasher.hash(Array("Bothy gear 1".utf8) + [byte]).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
