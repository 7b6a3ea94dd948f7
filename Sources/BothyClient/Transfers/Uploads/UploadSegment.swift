import BothyContent
import BothyContract

/// What one reading takes of a source: whole blocks of the upload's plan, side by side.
package struct UploadSegment: Equatable, Sendable {
    /// In the order of the file, from 0.
    package var index: Int
    package var start: Int64
    /// The place in the plan of the first of `blocks`.
    package var firstBlock: Int
    package var blocks: [BlockReference]
    /// With the last segment of a file: the SHA-256 of all of it.
    package var wholeHash: ContentHash?

    package init(
        index: Int, start: Int64, firstBlock: Int, blocks: [BlockReference], wholeHash: ContentHash? = nil
    ) {
        self.index = index
        self.start = start
        self.firstBlock = firstBlock
        self.blocks = blocks
        self.wholeHash = wholeHash
    }

    package var size: Int64 { blocks.reduce(0) { $0 + $1.size } }
    package var end: Int64 { start + size }

    /// What the server lacks of it, in bodies of neighbouring blocks.
    ///
    /// - Parameter longest: bytes that a body may have; a block that is longer goes alone.
    func pieces(without received: ChunkSet, longest: Int64) -> [UploadPiece] {
        var pieces = [UploadPiece]()
        var offset = start
        for (place, block) in zip(firstBlock..., blocks) {
            defer { offset += block.size }
            if received.contains(place) { continue }
            if let last = pieces.indices.last, pieces[last].blocks.upperBound == place,
                pieces[last].size + block.size <= longest
            {
                pieces[last].join(block)
            } else {
                pieces.append(UploadPiece(segment: index, firstBlock: place, start: offset, block: block))
            }
        }
        return pieces
    }
}

/// Neighbouring blocks that go in one body.
package struct UploadPiece: Hashable, Sendable {
    /// Whose bytes they are.
    package let segment: Int
    /// Their places in the plan.
    package private(set) var blocks: Range<Int>
    package let start: Int64
    /// Bytes.
    package private(set) var size: Int64
    /// Of the body, where it is one block; of several the plan names each.
    package private(set) var hash: ContentHash?

    init(segment: Int, firstBlock: Int, start: Int64, block: BlockReference) {
        self.segment = segment
        self.blocks = firstBlock..<(firstBlock + 1)
        self.start = start
        self.size = block.size
        self.hash = block.sha256
    }

    fileprivate mutating func join(_ block: BlockReference) {
        blocks = blocks.lowerBound..<(blocks.upperBound + 1)
        size += block.size
        hash = nil
    }

    package var run: ChunkRun { ChunkRun(first: blocks.lowerBound, last: blocks.upperBound - 1) }
}
