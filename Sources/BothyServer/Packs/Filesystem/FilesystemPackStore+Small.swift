import BothyContent
import BothyContract
import NIOCore

/// Small blocks that are in memory already.
extension FilesystemPackStore {
    /// Bytes up to which a block is written by the thread that syncs it; the others wait there for no more than that.
    static let smallBlockBytes = 128 << 10

    package func keep(_ blocks: [WholeBlock]) async throws -> [BlockLocation] {
        guard blocks.allSatisfy({ $0.bytes.readableBytes <= Self.smallBlockBytes }) else {
            return try await keepInPieces(blocks)
        }
        guard !blocks.isEmpty else { return [] }
        let records = SmallRecords(blocks)
        try checkTakes(blocks.reduce(0) { $0 + $1.bytes.readableBytes })
        do {
            return try await group.write { [appender] in
                let extent = try appender.reserve(records.byteCount)
                let (bytes, locations) = records.laid(at: extent.place)
                try extent.file.write([bytes], at: extent.place.start)
                appender.markDirty(extent.file)
                for (location, block) in zip(locations, blocks) {
                    try Self.checkStored(location, of: block.hash, in: extent.file)
                }
                return locations
            }
        } catch {
            throw PackError(error)
        }
    }

    /// Reads a block back, from the disk's cache, and hashes it: what is acknowledged is what is stored, and not what came.
    private static func checkStored(_ location: BlockLocation, of hash: ContentHash, in file: PackFile) throws {
        let stored = try CheckedPages(location: location, hash: hash, range: 0..<location.length).read(from: file)
        guard stored.withUnsafeReadableBytes({ SHA256Hasher.hash($0) }) == hash else {
            throw PackError.failed("a block is not stored as it came")
        }
    }
}

/// Blocks that are written behind one another in one go.
private struct SmallRecords: Sendable {
    private let blocks: [WholeBlock]
    private let checksums: [[UInt32]]
    /// Bytes that all of them take in a pack.
    let byteCount: Int64

    init(_ blocks: [WholeBlock]) {
        self.blocks = blocks
        checksums = blocks.map { block in
            var checksums = PageChecksums()
            checksums.update(block.bytes)
            return checksums.finished()
        }
        byteCount = blocks.reduce(0) { $0 + PackFormat.recordBytes($1.bytes.readableBytes) }
    }

    /// The records as they lie at `place`, and where the payload of each begins.
    func laid(at place: Extent.Place) -> (ByteBuffer, [BlockLocation]) {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(Int(byteCount))
        var locations = [BlockLocation]()
        locations.reserveCapacity(blocks.count)
        for (block, pages) in zip(blocks, checksums) {
            let payload = place.start + Int64(bytes.readableBytes + PackFormat.headerBytes)
            let location = BlockLocation(pack: place.pack, offset: payload, length: block.bytes.readableBytes)
            bytes.writeBytes(PackFormat.recordHeader(location, hash: block.hash))
            bytes.writeImmutableBuffer(block.bytes)
            bytes.writeBytes(PackFormat.table(pages, at: location))
            locations.append(location)
        }
        return (bytes, locations)
    }
}

extension Extent {
    /// Where the payload lies of the block that has this room.
    func location(length: Int, stored: Int) -> BlockLocation {
        BlockLocation(
            pack: place.pack, offset: place.start + Int64(PackFormat.headerBytes), length: length, stored: stored)
    }
}
