import BothyContent
import BothyContract

/// Finds the blocks of a file in another one, which is cut in the same way, and copies those. Nothing is taken on trust: blocks are found by
/// the hashes of the very bytes that are written, and the caller compares the hash of the whole.
struct BlockReuse {
    /// A block of the other file.
    struct Here: Equatable, Sendable {
        var block: BlockReference
        var start: Int64
        /// Whether it is a block of the file, too.
        var isUsed: Bool

        var end: Int64 { start + block.size }
    }

    /// Of the whole file, in order.
    private let blocks: [BlockMark]
    /// Where each block belongs that has yet to be found: its places.
    private var wanted = [BlockMark: [Int]]()
    private let starts: [Int64]
    private let sizes: BlockSizes
    /// The block of the other file that each of the file's was found in, by their places.
    private var sources: [Int?]
    private(set) var here = [Here]()

    /// Bytes.
    private static let piece = 256 << 10

    /// - Parameters:
    ///   - blocks: of the whole file, in order.
    ///   - parameters: what they were cut by.
    init(_ blocks: [BlockMark], cutBy parameters: BlockParameters) {
        self.blocks = blocks
        var offset: Int64 = 0
        var starts = [Int64]()
        for (place, block) in blocks.enumerated() {
            wanted[block, default: []].append(place)
            starts.append(offset)
            offset += block.size
        }
        self.starts = starts + [offset]
        sources = [Int?](repeating: nil, count: blocks.count)
        sizes = parameters.sizes(forFileOf: offset)
    }

    /// What was copied, ascending, neighbours as one.
    var ranges: [Range<Int64>] {
        sources.indices.filter { sources[$0] != nil }.chunkRuns.map { starts[$0.first]..<starts[$0.last + 1] }
    }

    /// - Parameter isGivenUp: asked now and then; it ends early where it is.
    mutating func copy(
        from source: any LocalFile, into file: any LocalFile, isGivenUp: () -> Bool = { false }
    ) throws {
        var splitter = BlockSplitter(sizes: sizes)
        let space = UnsafeMutableRawBufferPointer.allocate(byteCount: sizes.maximum + Self.piece, alignment: 64)
        defer { space.deallocate() }
        var (offset, held): (Int64, Int) = (0, 0)
        while !wanted.isEmpty, !isGivenUp() {
            let target = UnsafeMutableRawBufferPointer(rebasing: space[held..<(held + Self.piece)])
            let count = try source.read(into: target, at: offset)
            offset += Int64(count)
            var (block, end) = (0, held)
            held += count
            while end < held {
                let (length, endsBlock) = splitter.take(UnsafeRawBufferPointer(rebasing: space[end..<held]))
                end += length
                guard endsBlock else { continue }
                try put(UnsafeRawBufferPointer(rebasing: space[block..<end]), into: file)
                block = end
            }
            guard count > 0 else { return try put(UnsafeRawBufferPointer(rebasing: space[..<held]), into: file) }
            space.copyMemory(from: UnsafeRawBufferPointer(rebasing: space[block..<held]))
            held -= block
        }
    }

    private mutating func put(_ bytes: UnsafeRawBufferPointer, into file: any LocalFile) throws {
        guard !bytes.isEmpty else { return }
        let block = BlockReference(sha256: SHA256Hasher.hash(bytes), size: Int64(bytes.count))
        let places = wanted.removeValue(forKey: BlockMark(block)) ?? []
        for place in places {
            try file.write(bytes, at: starts[place])
            sources[place] = here.count
        }
        // One that was found before lies here once more.
        here.append(Here(block: block, start: here.last?.end ?? 0, isUsed: !places.isEmpty))
    }
}

// MARK: - What is missing

extension BlockReuse {
    /// Neighbouring blocks that were not found, and where the other file may have something like them.
    struct Gap: Equatable, Sendable {
        var blocks: ChunkRun
        /// Bytes of the file.
        var range: Range<Int64>
        /// Blocks of the other file, as places in ``here``: those that no part of the file was found in, and that lie where the gap
        /// would.
        var near: [Int]
    }

    /// The gaps, ascending, each of `longest` bytes at the most except for one of a single block.
    func gaps(longest: Int64) -> [Gap] {
        let missing = sources.indices.filter { sources[$0] == nil }.chunkRuns
        return missing.flatMap { run in parts(of: run, longest: longest).map { gap($0, in: run) } }
    }

    private func parts(of run: ChunkRun, longest: Int64) -> [ChunkRun] {
        var parts = [ChunkRun]()
        for place in run.first...run.last {
            if let last = parts.last, starts[place + 1] - starts[last.first] <= longest {
                parts[parts.count - 1].last = place
            } else {
                parts.append(ChunkRun(first: place, last: place))
            }
        }
        return parts
    }

    /// An edit leaves what lies before it and behind it in place: so the part is looked for at its distance from both.
    private func gap(_ part: ChunkRun, in run: ChunkRun) -> Gap {
        let range = starts[part.first]..<starts[part.last + 1]
        let before = run.first > 0 ? sources[run.first - 1].map { here[$0].end } : 0
        let behind = run.last + 1 < sources.count ? sources[run.last + 1].map { here[$0].start } : here.last?.end
        let slack = Int64(sizes.maximum)
        var windows = [Range<Int64>]()
        if let before {
            let start = before + range.lowerBound - starts[run.first]
            windows.append((start - slack)..<(start + Int64(range.count) + slack))
        }
        if let behind {
            let end = behind - (starts[run.last + 1] - range.upperBound)
            windows.append((end - Int64(range.count) - slack)..<(end + slack))
        }
        let near = here.indices.filter { place in
            !here[place].isUsed
                && windows.contains { here[place].start < $0.upperBound && $0.lowerBound < here[place].end }
        }
        return Gap(blocks: part, range: range, near: near)
    }
}
