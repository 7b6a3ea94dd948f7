public import BothyContract

/// Which bytes of a file each chunk of an upload covers. Chunks lie side by side from byte 0, without gaps.
public struct PlanLayout: Equatable, Sendable {
    private enum Shape: Equatable, Sendable {
        /// Chunks of one size; the last one may be shorter.
        case fixed(chunkSize: Int64)
        /// Where each block ends. 8 bytes a block: 10 MiB for the longest plan.
        case named(ends: [Int64], isOpen: Bool)
    }

    private var shape: Shape
    /// Bytes that the chunks cover; of an open plan, so far.
    public private(set) var size: Int64
    public private(set) var count: Int

    /// Chunks of `chunkSize`; a file of no bytes has no chunk.
    public static func fixed(size: Int64, chunkSize: Int64) throws(PlanFault) -> PlanLayout {
        guard (0...UploadLimits.maximumFileSize).contains(size) else { throw .fileSize(size) }
        guard UploadLimits.chunkSizes.contains(chunkSize) else { throw .chunkSize(chunkSize) }
        return PlanLayout(
            shape: .fixed(chunkSize: chunkSize), size: size, count: Int((size + chunkSize - 1) / chunkSize))
    }

    /// Blocks of the sizes named, all of them.
    ///
    /// - Parameter declared: the file's size where it is known; the blocks must add up to it.
    public static func blocks(sizes: some Collection<Int64>, declared: Int64?) throws(PlanFault) -> PlanLayout {
        var layout = PlanLayout(shape: .named(ends: [], isOpen: true), size: 0, count: 0)
        try layout.append(sizes)
        if let declared, declared != layout.size { throw .sumDiffers(sum: layout.size, declared: declared) }
        try layout.close()
        return layout
    }

    /// Blocks that are named as the file is read.
    public static func open(sizes: some Collection<Int64> = EmptyCollection()) throws(PlanFault) -> PlanLayout {
        var layout = PlanLayout(shape: .named(ends: [], isOpen: true), size: 0, count: 0)
        try layout.append(sizes)
        return layout
    }

    public var isOpen: Bool {
        if case .named(_, let isOpen) = shape { isOpen } else { false }
    }

    // MARK: - Growing

    /// Names blocks from index `from` on. Those that were named before must have the size they had; naming them again
    /// is fine.
    ///
    /// - Returns: the indexes that are new. On a fault nothing changed.
    @discardableResult
    public mutating func extend(from: Int, sizes: [Int64]) throws(PlanFault) -> Range<Int> {
        guard isOpen else { throw .notOpen }
        guard (0...count).contains(from) else { throw .gap(from: from, count: count) }
        let repeated = min(count - from, sizes.count)
        for offset in 0..<repeated {
            guard let known = range(ofChunk: from + offset), Int64(known.count) == sizes[offset] else {
                throw .contradiction(index: from + offset)
            }
        }
        let first = count
        try append(sizes[repeated...])
        return first..<count
    }

    /// No more blocks: finalize gave the whole size.
    public mutating func close() throws(PlanFault) {
        guard case .named(let ends, true) = shape else { throw .notOpen }
        shape = .named(ends: ends, isOpen: false)
    }

    /// All of them or, on a fault, none.
    private mutating func append(_ sizes: some Collection<Int64>) throws(PlanFault) {
        guard case .named(var ends, let isOpen) = shape else { throw .notOpen }
        guard sizes.count <= UploadLimits.maximumChunks - ends.count else { throw .tooManyChunks }
        var total = size
        for (offset, size) in sizes.enumerated() {
            guard UploadLimits.blockSizes.contains(size) else { throw .blockSize(index: count + offset, size: size) }
            total += size
            guard total <= UploadLimits.maximumFileSize else { throw .fileSize(total) }
        }
        // Let go of, so that the array grows where it lies instead of being copied.
        shape = .named(ends: [], isOpen: isOpen)
        for size in sizes {
            self.size += size
            ends.append(self.size)
        }
        count = ends.count
        shape = .named(ends: ends, isOpen: isOpen)
    }

    // MARK: - Asking

    /// - Returns: nil for an index off the plan.
    public func range(ofChunk index: Int) -> Range<Int64>? {
        guard (0..<count).contains(index) else { return nil }
        switch shape {
        case .fixed(let chunkSize):
            let start = Int64(index) * chunkSize
            return start..<min(start + chunkSize, size)
        case .named(let ends, _):
            return (index == 0 ? 0 : ends[index - 1])..<ends[index]
        }
    }

    /// - Returns: nil for an offset off the plan.
    public func chunk(at offset: Int64) -> Int? {
        guard (0..<size).contains(offset) else { return nil }
        switch shape {
        case .fixed(let chunkSize): return Int(offset / chunkSize)
        case .named(let ends, _): return Self.firstEnd(in: ends, after: offset)
        }
    }

    /// The chunks that lie exactly in `bytes`.
    ///
    /// - Returns: nil unless both ends of `bytes` are bounds of chunks on the plan and something lies between them.
    public func chunks(exactly bytes: Range<Int64>) -> Range<Int>? {
        guard !bytes.isEmpty, let first = chunk(at: bytes.lowerBound), let last = chunk(at: bytes.upperBound - 1),
            range(ofChunk: first)?.lowerBound == bytes.lowerBound,
            range(ofChunk: last)?.upperBound == bytes.upperBound
        else { return nil }
        return first..<(last + 1)
    }

    public func missing(from received: ChunkSet) -> [ChunkRun] { received.missing(below: count) }

    /// Binary search: the first block that ends past `offset`.
    private static func firstEnd(in ends: [Int64], after offset: Int64) -> Int {
        var low = 0
        var high = ends.count - 1
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] > offset { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
