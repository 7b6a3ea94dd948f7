import BothyContent
import BothyContract
import NIOCore
import NIOPosix

/// Makes sketches of revisions, for devices that have another version and never sent or fetched this one in parts.
///
/// All of the file is read for one, block by block; so it waits for the same turns as the patches do, and a file may have
/// ``SketchFormat/fileSizes`` bytes.
struct RevisionSketches: Sendable {
    /// Blocks that a file may have: far more than the blocks of version 1 are, and few enough to be read in a fraction of a second.
    private static let mostBlocks = 4_096
    /// Blocks that are looked up at once.
    private static let page = 256

    private let database: any Database
    private let packs: any PackStore
    private let turns: Turns

    /// - Parameter turns: those of ``RevisionPatches``.
    init(database: any Database, packs: any PackStore, turns: Turns) {
        self.database = database
        self.packs = packs
        self.turns = turns
    }

    /// - Parameter size: bytes of the content.
    /// - Returns: the sketch as it goes over the wire.
    /// - Throws: `invalid_parameter` for what is too large, or of too many blocks; `not_found` where it is deleted meanwhile; ``PackError``.
    func sketch(of contentId: Int64, size: Int64, drive: Int64) async throws -> ByteBuffer {
        guard SketchFormat.fileSizes.contains(size) else { throw Self.none }
        return try await turns.run { try await make(of: contentId, size, drive) }
    }

    private func make(of contentId: Int64, _ size: Int64, _ drive: Int64) async throws -> ByteBuffer {
        let reader = BlockReader(database: database, packs: packs, drive: drive)
        var sketcher = FragmentSketcher(fragmentSize: SketchFormat.fragmentSize(forFileOf: size))
        var (position, read): (Int, Int64) = (0, 0)
        while read < size {
            let blocks = try await database.read { [position] in
                try ContentBlocks($0, drive: drive).located(of: contentId, from: position, limit: Self.page)
            }
            guard !blocks.isEmpty else { throw Problem(.notFound, "What was being read was deleted for good.") }
            position += blocks.count
            guard position <= Self.mostBlocks else { throw Self.none }
            for block in blocks {
                let bytes = try await reader.read(block.hash, at: block.location, range: 0..<block.location.length)
                sketcher = try await NIOThreadPool.singleton.runIfActive { [sketcher] in
                    var more = sketcher
                    bytes.withUnsafeReadableBytes { more.take($0) }
                    return more
                }
                read += Int64(bytes.readableBytes)
            }
        }
        return ByteBuffer(bytes: sketcher.sketch.wire)
    }

    private static var none: Problem {
        Problem(
            .invalidParameter,
            "There are sketches of files of 1 to \(SketchFormat.fileSizes.upperBound) bytes, in \(mostBlocks) blocks at the most."
        ).with { $0.limit = SketchFormat.fileSizes.upperBound }
    }
}
