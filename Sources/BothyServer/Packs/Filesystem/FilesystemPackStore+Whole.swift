import BothyContract
import NIOCore

/// Blocks that are in memory already.
extension FilesystemPackStore {
    /// Bytes up to which a block is written by the thread that syncs it; the others wait there for no more than that.
    fileprivate static let smallBlockBytes = 128 << 10

    package func keep(_ blocks: [WholeBlock]) async throws -> [BlockLocation] {
        guard !blocks.isEmpty else { return [] }
        try checkTakes(blocks.map(\.bytes.readableBytes))
        let records = WholeRecords(blocks)
        do {
            if blocks.allSatisfy({ $0.bytes.readableBytes <= Self.smallBlockBytes }) {
                return try await group.write { [appender] in try records.keep(in: appender) }
            }
            let locations = try await write { [appender] in try records.keep(in: appender) }
            try await group.wait()
            return locations
        } catch {
            throw PackError(error)
        }
    }
}

/// Records of blocks that are written behind one another in one go. Blocks.
private struct WholeRecords: Sendable {
    /// Bytes read back at once, which a processor's own memory holds.
    private static let readBackBytes = 512 << 10

    private let blocks: [WholeBlock]

    init(_ blocks: [WholeBlock]) { self.blocks = blocks }

    /// Writes them and reads them back, from the disk's cache: what is acknowledged is what is stored, and not what came.
    ///
    /// - Throws: ``PackError``, ``DiskFailure``.
    func keep(in appender: PackAppender) throws -> [BlockLocation] {
        let extent = try appender.reserve(blocks.reduce(0) { $0 + PackFormat.recordBytes($1.bytes.readableBytes) })
        let (parts, locations) = laid(at: extent.place)
        try extent.file.write(parts, at: extent.place.start)
        appender.markDirty(extent.file)
        for (location, block) in zip(locations, blocks) {
            try Self.checkStored(location, of: block.hash, in: extent.file)
        }
        return locations
    }

    /// The records as they lie at `place`, in parts, and where the payload of each begins.
    private func laid(at place: Extent.Place) -> (parts: [ByteBuffer], locations: [BlockLocation]) {
        var (parts, locations) = ([ByteBuffer](), [BlockLocation]())
        var (copied, start) = (ByteBuffer(), place.start)
        for block in blocks {
            let length = block.bytes.readableBytes
            let location = BlockLocation(
                pack: place.pack, offset: start + Int64(PackFormat.headerBytes), length: length)
            copied.writeBytes(PackFormat.recordHeader(location, hash: block.hash))
            // Small ones are copied together, so that one write has few parts.
            if length <= FilesystemPackStore.smallBlockBytes {
                copied.writeImmutableBuffer(block.bytes)
            } else {
                parts += [copied, block.bytes]
                copied = ByteBuffer()
            }
            copied.writeBytes(PackFormat.table(block.checksums, at: location))
            locations.append(location)
            start += PackFormat.recordBytes(length)
        }
        return (parts + [copied], locations)
    }

    /// The checksums of what lies there are those of what was hashed (``WholeBlock``).
    private static func checkStored(_ location: BlockLocation, of hash: ContentHash, in file: PackFile) throws {
        do {
            for start in stride(from: 0, to: location.length, by: readBackBytes) {
                let range = start..<min(start + readBackBytes, location.length)
                _ = try CheckedPages(location: location, hash: hash, range: range).read(from: file)
            }
        } catch PackError.damaged {
            throw PackError.failed("a block is not stored as it came")
        }
    }
}

extension Extent {
    /// Where the payload lies of the block that has this room.
    func location(length: Int, stored: Int) -> BlockLocation {
        BlockLocation(
            pack: place.pack, offset: place.start + Int64(PackFormat.headerBytes), length: length, stored: stored)
    }
}
