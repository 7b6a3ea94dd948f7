import BothyContract

/// One request for a patch: gaps of a file, and blocks of another one that is here; or all of both.
struct PatchWish: Equatable, Sendable {
    /// Of the file, ascending, in bytes.
    private(set) var ranges = [Range<Int64>]()
    private(set) var wanted = [ChunkRun]()
    /// What the patch copies from, in the order of the other file.
    private(set) var have = [BlockReuse.Here]()
    /// What the other file is as a whole, where all of it is what the patch copies from.
    private var base: ContentHash?

    var request: PatchRequest {
        base.map { PatchRequest(base: $0) } ?? PatchRequest(wanted: wanted, have: have.map(\.block))
    }
    var targetSize: Int { ranges.reduce(0) { $0 + $1.count } }
    var sourceSize: Int64 { have.reduce(0) { $0 + $1.block.size } }

    /// Bytes that are fetched by patches of one file at the most: what changed all over is better fetched by ranges.
    private static let most: Int64 = 64 << 20

    /// One request for all of a file: no list of its blocks is needed, and the drive need not have cut either file where this device does.
    ///
    /// - Parameters:
    ///   - size: bytes of the file.
    ///   - basis: all of the other file, as if it were one block.
    /// - Returns: nil where one of them is too large.
    static func whole(_ size: Int64, outOf basis: BlockReference) -> PatchWish? {
        guard (1...UploadLimits.maximumWholePatch).contains(size),
            (1...UploadLimits.maximumPatchSource).contains(basis.size)
        else { return nil }
        var wish = PatchWish()
        wish.ranges = [0..<size]
        wish.have = [BlockReuse.Here(block: basis, start: 0, isUsed: false)]
        wish.base = basis.sha256
        return wish
    }

    /// The requests for what the walk over the other file left open; none for gaps that have nothing near.
    static func wishes(for reuse: BlockReuse) -> [PatchWish] {
        var wishes = [PatchWish]()
        var left = most
        var last = -1
        for gap in reuse.gaps(longest: UploadLimits.maximumPatchTarget) where !gap.near.isEmpty {
            left -= Int64(gap.range.count)
            guard left >= 0 else { break }
            if wishes.isEmpty || !wishes[wishes.count - 1].take(gap, of: reuse, after: last) {
                var wish = PatchWish()
                last = -1
                guard wish.take(gap, of: reuse, after: last) else { continue }
                wishes.append(wish)
            }
            last = max(last, gap.near.last ?? last)
        }
        return wishes
    }

    /// - Parameter place: blocks up to here are in the request already.
    /// - Returns: false where the request would become too large; it is then as it was.
    private mutating func take(_ gap: BlockReuse.Gap, of reuse: BlockReuse, after place: Int) -> Bool {
        let new = gap.near.filter { $0 > place }.map { reuse.here[$0] }
        let blocks = wanted.reduce(gap.blocks.count) { $0 + $1.count }
        guard Int64(targetSize + gap.range.count) <= UploadLimits.maximumPatchTarget,
            new.reduce(sourceSize, { $0 + $1.block.size }) <= UploadLimits.maximumPatchSource,
            max(blocks, have.count + new.count) <= UploadLimits.maximumPatchBlocks
        else { return false }
        wanted.append(gap.blocks)
        ranges.append(gap.range)
        have += new
        return true
    }

    /// The same without blocks that the drive does not have; nil where none is left.
    func without(_ missing: [ChunkRun]) -> PatchWish? {
        var rest = self
        rest.have = have.indices.filter { index in !missing.contains { ($0.first...$0.last).contains(index) } }
            .map { have[$0] }
        return rest.have.isEmpty || rest.have.count == have.count ? nil : rest
    }
}
