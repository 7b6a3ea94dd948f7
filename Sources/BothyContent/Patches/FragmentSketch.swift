import CHashing

/// What is remembered of bytes that may be gone later: two short numbers for each fragment of them, by which the same bytes are found
/// again anywhere in others. A guess, and no proof: its user checks the outcome by a hash.
///
/// On the wire half of each hash goes, as ``SketchFormat`` has it.
public struct FragmentSketch: Equatable, Sendable {
    /// Bytes of each fragment: they lie side by side from byte 0. What is left at the end is in none.
    public let fragmentSize: Int
    /// Of each fragment's first 64 bytes: the highest 32 bits of their gear hash, which can be rolled over other bytes.
    public private(set) var anchors: [UInt32]
    /// Of all of each fragment.
    public private(set) var hashes: [UInt64]
    /// The bits of a hash that are known.
    let hashMask: UInt64

    /// Bytes that an anchor is of.
    static let window = 64
    /// Fragments are no shorter.
    public static let shortest = window

    /// - Precondition: as many anchors as hashes, and fragments of ``shortest`` bytes or more.
    public init(fragmentSize: Int, anchors: [UInt32] = [], hashes: [UInt64] = []) {
        self.init(fragmentSize: fragmentSize, anchors: anchors, hashes: hashes, hashMask: .max)
    }

    init(fragmentSize: Int, anchors: [UInt32], hashes: [UInt64], hashMask: UInt64) {
        precondition(
            fragmentSize >= Self.shortest && anchors.count == hashes.count, "each fragment has both its numbers")
        self.fragmentSize = fragmentSize
        self.anchors = anchors
        self.hashes = hashes
        self.hashMask = hashMask
    }

    /// Of bytes that are in memory whole.
    public init(of bytes: UnsafeRawBufferPointer, fragmentSize: Int) {
        self.init(fragmentSize: fragmentSize)
        for start in stride(from: 0, through: bytes.count - fragmentSize, by: fragmentSize) {
            append(UnsafeRawBufferPointer(rebasing: bytes[start..<(start + fragmentSize)]))
        }
    }

    fileprivate mutating func append(_ fragment: UnsafeRawBufferPointer) {
        var hash: UInt64 = 0
        _ = bothy_gear_find(Gear.table, fragment.baseAddress, Self.window, &hash, 0)
        anchors.append(UInt32(hash >> 32))
        hashes.append(bothy_fragment_hash(fragment.baseAddress, fragment.count))
    }
}

/// Makes a sketch of bytes that come in pieces of any size.
public struct FragmentSketcher: Sendable {
    public private(set) var sketch: FragmentSketch
    /// The beginning of a fragment whose end has not come.
    private var begun = [UInt8]()

    public init(fragmentSize: Int) {
        sketch = FragmentSketch(fragmentSize: fragmentSize)
        begun.reserveCapacity(fragmentSize)
    }

    public mutating func take(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        if !begun.isEmpty {
            let count = min(sketch.fragmentSize - begun.count, rest.count)
            begun.append(contentsOf: UnsafeRawBufferPointer(rebasing: rest.prefix(count)))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            guard begun.count == sketch.fragmentSize else { return }
            begun.withUnsafeBytes { sketch.append($0) }
            begun.removeAll(keepingCapacity: true)
        }
        while rest.count >= sketch.fragmentSize {
            sketch.append(UnsafeRawBufferPointer(rebasing: rest.prefix(sketch.fragmentSize)))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(sketch.fragmentSize))
        }
        begun.append(contentsOf: rest)
    }
}
