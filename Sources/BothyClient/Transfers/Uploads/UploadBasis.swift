import BothyContent
import BothyContract
import NIOCore

/// What the drive has already of a file that is sent anew, as far as this device remembers. A guess: where it is wrong, the server says so,
/// and bytes are sent that need not have been.
package struct UploadBasis: Sendable {
    package let revisionId: String
    private let blocks: [BlockReference]
    private let places: [BlockReference: Int]
    private let maker: PatchMaker
    private let hasFragments: Bool

    package init(_ sketch: RevisionSketch) {
        revisionId = sketch.revisionId
        blocks = sketch.blocks
        places = Dictionary(zip(sketch.blocks, sketch.blocks.indices), uniquingKeysWith: { first, _ in first })
        maker = PatchMaker(sketch.fragments)
        hasFragments = !sketch.fragments.hashes.isEmpty
    }

    /// The blocks as they are named at least cost: those that lie side by side in the basis as one run.
    package func names(_ named: [BlockReference]) -> [NamedBlocks] {
        var names = [NamedBlocks]()
        for block in named {
            if case .base(var run)? = names.last, run.last + 1 < blocks.count, blocks[run.last + 1] == block {
                run.last += 1
                names[names.count - 1] = .base(run)
            } else if let place = places[block] {
                names.append(.base(ChunkRun(first: place, last: place)))
            } else {
                names.append(.block(block))
            }
        }
        return names
    }

    /// Whether it has one of these blocks at least.
    package func has(oneOf blocks: [BlockReference]) -> Bool { blocks.contains { places[$0] != nil } }

    /// What makes these bytes out of the basis.
    ///
    /// Of bytes that the basis has nothing of it is these, compressed.
    ///
    /// - Returns: nil where it would be hardly shorter than they are.
    package func patch(making bytes: ByteBuffer) -> ByteBuffer? {
        guard hasFragments, bytes.readableBytes <= UploadLimits.maximumPatchTarget else { return nil }
        let patch = bytes.withUnsafeReadableBytes { maker.patch(making: $0) }
        guard let patch, patch.body.count + bytes.readableBytes / Self.share <= bytes.readableBytes else { return nil }
        return ByteBuffer(bytes: patch.body)
    }

    /// One part in so many has to be saved.
    private static let share = 64
}
