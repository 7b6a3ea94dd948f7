import BothyContract

/// A sketch as a server gives it to a device: half of each hash, since no file that it is made of has so many fragments that those would meet.
extension FragmentSketch {
    /// See ``SketchFormat``.
    public var wire: [UInt8] {
        var bytes = [UInt8]()
        bytes.reserveCapacity(SketchFormat.bytesOfHead + hashes.count * SketchFormat.bytesOfFragment)
        bytes.append(bigEndian: UInt32(fragmentSize))
        for (anchor, hash) in zip(anchors, hashes) {
            bytes.append(bigEndian: anchor)
            bytes.append(bigEndian: UInt32(hash >> 32))
        }
        return bytes
    }

    /// - Returns: nil for what is no sketch.
    public init?(wire bytes: some Collection<UInt8>) {
        var words = [UInt32]()
        words.reserveCapacity(bytes.count / 4)
        var (word, count) = (UInt32(0), 0)
        for byte in bytes {
            word = word << 8 | UInt32(byte)
            count += 1
            if count.isMultiple(of: 4) { words.append(word) }
        }
        guard count.isMultiple(of: 4), words.count % 2 == 1, count <= SketchFormat.mostBytes, let size = words.first,
            SketchFormat.fragmentSizes.contains(Int(size))
        else { return nil }
        let places = stride(from: 1, to: words.count, by: 2)
        self.init(
            fragmentSize: Int(size), anchors: places.map { words[$0] },
            hashes: places.map { UInt64(words[$0 + 1]) << 32 },
            hashMask: Self.highestHalf)
    }

    private static let highestHalf: UInt64 = 0xffff_ffff << 32
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian word: UInt32) {
        for shift in stride(from: 24, through: 0, by: -8) { append(UInt8(truncatingIfNeeded: word >> UInt32(shift))) }
    }
}
