import BothyContract
import NIOCore

/// Small blocks that are in memory already.
extension FilesystemPackStore {
    /// Bytes up to which a block is written by the thread that syncs it; the others wait there for no more than that.
    static let smallBlockBytes = 128 << 10

    package func keep(_ block: ByteBuffer, hash: ContentHash) async throws -> BlockLocation {
        guard block.readableBytes <= Self.smallBlockBytes else { return try await keepInPieces(block, hash: hash) }
        try checkTakes(block.readableBytes)
        var checksums = PageChecksums()
        checksums.update(block)
        let pages = checksums.finished()
        do {
            return try await group.write { [appender] in
                let extent = try appender.reserve(PackFormat.recordBytes(block.readableBytes))
                let location = extent.location(length: block.readableBytes)
                let header = ByteBuffer(bytes: PackFormat.recordHeader(location, hash: hash))
                let table = ByteBuffer(bytes: PackFormat.table(pages, at: location))
                try extent.file.write([header, block, table], at: extent.place.start)
                appender.markDirty(extent.file)
                return location
            }
        } catch {
            throw PackError(error)
        }
    }
}

extension Extent {
    /// Where the payload lies of the block that has this room.
    func location(length: Int) -> BlockLocation {
        BlockLocation(pack: place.pack, offset: place.start + Int64(PackFormat.headerBytes), length: length)
    }
}
