import BothyContract
import NIOCore

/// The content that a patch copies from.
///
/// Each block is read, and unpacked, once for all that is copied from it: a patch of thousands of copies would otherwise make the server unpack
/// the same block thousands of times.
struct PatchSource: Sendable {
    private let content: StoredContent
    private let database: any Database
    private let blocks: BlockReader
    /// Bytes of blocks that are read for one patch at the most.
    private let most: Int

    init(
        _ content: StoredContent, database: any Database, packs: any PackStore,
        most: Int = UploadLimits.maximumPatchReach
    ) {
        self.content = content
        self.database = database
        self.most = most
        blocks = BlockReader(database: database, packs: packs, drive: content.driveId)
    }

    /// What is copied, in the order of `ranges`.
    ///
    /// - Parameter ranges: inside the content; few bytes together, since all of them are held in memory.
    /// - Returns: nil where too many blocks would have to be read for it.
    /// - Throws: `not_found` where it is deleted meanwhile; ``PackError``, ``DatabaseError``.
    func read(_ ranges: [Range<Int64>]) async throws -> [ByteBuffer]? {
        var parts = [ByteBuffer](repeating: ByteBuffer(), count: ranges.count)
        var (read, held): (Int, Held?) = (0, nil)
        for index in ranges.indices.sorted(by: { ranges[$0].lowerBound < ranges[$1].lowerBound }) {
            var offset = ranges[index].lowerBound
            while offset < ranges[index].upperBound {
                if held?.range.contains(offset) != true {
                    let block = try await find(holding: offset)
                    read += block.location.length
                    guard read <= most else { return nil }
                    held = try await hold(block)
                }
                offset += held?.copy(offset..<ranges[index].upperBound, to: &parts[index]) ?? 0
            }
        }
        return parts
    }

    private func find(holding offset: Int64) async throws -> ContentBlocks.Located {
        let found = try await database.read { [content] db in
            guard try ContentTable(db, drive: content.driveId).find(content.contentId) != nil else {
                throw Problem(.notFound, "What was being read was deleted for good.")
            }
            let table = ContentBlocks(db, drive: content.driveId)
            let position = try table.position(holding: offset, of: content.contentId)
            return try table.located(of: content.contentId, from: position, limit: 1).first
        }
        guard let found, found.start <= offset, offset < found.start + Int64(found.location.length) else {
            throw DatabaseError.corrupt("content_blocks: a content has a hole")
        }
        return found
    }

    private func hold(_ block: ContentBlocks.Located) async throws -> Held {
        let bytes = try await blocks.read(block.hash, at: block.location, range: 0..<block.location.length)
        return Held(start: block.start, bytes: bytes)
    }

    /// A block in memory.
    private struct Held {
        let start: Int64
        let bytes: ByteBuffer

        var range: Range<Int64> { start..<(start + Int64(bytes.readableBytes)) }

        /// - Parameter wanted: begins in the block.
        /// - Returns: how many bytes of it the block has.
        func copy(_ wanted: Range<Int64>, to part: inout ByteBuffer) -> Int64 {
            let count = min(wanted.upperBound, range.upperBound) - wanted.lowerBound
            part.writeBytes(bytes.readableBytesView.dropFirst(Int(wanted.lowerBound - start)).prefix(Int(count)))
            return count
        }
    }
}
