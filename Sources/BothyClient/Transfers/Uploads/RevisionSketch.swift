import BothyContent
import BothyContract
import NIOCore

/// What a device keeps of content that it sent or fetched, to send the next version as what changed: the old bytes are gone by then.
package struct RevisionSketch: Equatable, Sendable {
    /// The revision that has this content.
    package var revisionId: String
    /// In order; none where they are not known.
    package var blocks: [BlockReference]
    package var fragments: FragmentSketch

    package init(revisionId: String, blocks: [BlockReference], fragments: FragmentSketch) {
        self.revisionId = revisionId
        self.blocks = blocks
        self.fragments = fragments
    }

    /// As it lies in the database. Of 256 MiB these are 0.9 MiB.
    var bytes: ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(
            16 + blocks.count * BlockReference.listedBytes + fragments.hashes.count * Self.bytesOfFragment)
        bytes.writeInteger(Self.format)
        bytes.writeInteger(UInt32(fragments.fragmentSize))
        bytes.writeInteger(UInt32(blocks.count))
        for block in blocks {
            bytes.writeBytes(block.sha256.bytes)
            bytes.writeInteger(UInt32(block.size))
        }
        for (anchor, hash) in zip(fragments.anchors, fragments.hashes) {
            bytes.writeInteger(anchor)
            bytes.writeInteger(hash)
        }
        return bytes
    }

    /// - Returns: nil for what is no sketch, or one of another release; without one more is sent.
    init?(revisionId: String, _ bytes: ByteBuffer) {
        var bytes = bytes
        guard bytes.readInteger(as: UInt32.self) == Self.format, let size = bytes.readInteger(as: UInt32.self),
            size >= FragmentSketch.shortest, let count = bytes.readInteger(as: UInt32.self),
            let names = bytes.readBytes(length: Int(count) * BlockReference.listedBytes),
            let blocks = BlockReference.list(names), bytes.readableBytes.isMultiple(of: Self.bytesOfFragment)
        else { return nil }
        var (anchors, hashes) = ([UInt32](), [UInt64]())
        while let anchor = bytes.readInteger(as: UInt32.self), let hash = bytes.readInteger(as: UInt64.self) {
            anchors.append(anchor)
            hashes.append(hash)
        }
        self.init(
            revisionId: revisionId, blocks: blocks,
            fragments: FragmentSketch(fragmentSize: Int(size), anchors: anchors, hashes: hashes))
    }

    private static let format: UInt32 = 1
    private static let bytesOfFragment = 12
}

extension RevisionSketch {
    /// Bytes. All of a smaller file, which goes along with others and compressed, costs little more than the questions: a session, and the
    /// sketch where it has to be asked for, are some 7 KiB.
    static let leastFile: Int64 = 64 << 10

    /// Whether a file of this size is worth remembering.
    ///
    /// - Parameter isChange: whether it was there in another version: photos by the thousand never change, and go by without a commit each.
    static func isWorthIt(_ size: Int64, isChange: Bool) -> Bool {
        size > UploadLimits.simpleUploadLimit || isChange && size >= leastFile
    }

    /// Bytes of a fragment: of a small file few, so that little goes around an edit, and little has to be kept.
    ///
    /// - Parameter sizes: of the blocks that the file is cut into.
    static func fragmentSize(forFileOf size: Int64, _ sizes: BlockSizes) -> Int {
        min(sizes.fragment, SketchFormat.fragmentSize(forFileOf: size))
    }
}

extension FragmentSketcher {
    /// - Returns: nil for a file that is not worth it.
    init?(forFileOf size: Int64, isChange: Bool) {
        guard RevisionSketch.isWorthIt(size, isChange: isChange) else { return nil }
        self.init(
            fragmentSize: RevisionSketch.fragmentSize(forFileOf: size, BlockParameters.newest.sizes(forFileOf: size)))
    }
}
