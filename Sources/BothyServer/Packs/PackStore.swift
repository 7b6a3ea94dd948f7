import BothyContent
import BothyContract
import NIOCore

/// Where block bytes lie. Blocks are found through the database; a pack is the unit of durable write.
///
/// Each driver passes `PackStoreConformanceTests`.
package protocol PackStore: Sendable {
    /// Begins a block of exactly `length` bytes. Several may be written side by side.
    ///
    /// - Parameter stored: bytes that will be appended; where they are fewer than `length`, they are a Zstandard frame that
    ///   holds the block.
    /// - Throws: ``PackError``.
    func begin(length: Int, stored: Int) async throws -> any PackBlockWriter

    /// Writes whole blocks, and returns when they are on disk and what lies there has been read back and is what was hashed:
    /// what `begin`, `append`, `finish` and `makeDurable` do, in one step for blocks that are in memory already.
    ///
    /// - Returns: where each lies, in their order.
    /// - Throws: ``PackError``; nothing is kept then.
    func keep(_ blocks: [WholeBlock]) async throws -> [BlockLocation]

    /// Returns when every finished block is on disk. Everyone who waits shares one fdatasync.
    ///
    /// After one that failed the store takes no more writes: what the disk holds is not known any more.
    func makeDurable() async throws

    /// Reads `range` of the block `hash`, and checks what it reads.
    ///
    /// - Throws: ``PackError/damaged(_:)`` for a rotten bit, a torn tail, or a record of another block; it is never served.
    func read(_ location: BlockLocation, of hash: ContentHash, range: Range<Int>) async throws -> ByteBuffer

    /// Gives back the room of everything that is not in `live`, up to the moment `asOf` was taken with
    /// ``reclaimMark()``; what was written later stays.
    ///
    /// - Parameter pack: the only one that is looked at; nil for all.
    /// - Returns: bytes given back.
    func reclaim(
        _ pack: Int64?, keeping live: @Sendable (Int64) async throws -> [BlockLocation], asOf mark: ReclaimMark
    ) async throws -> Int64

    /// A place before which every block was finished or abandoned. A finished one may not be in the database yet: see
    /// ``BlockWrites/lowest(below:)``.
    func reclaimMark() async -> ReclaimMark

    /// Everything written so far lies before.
    var end: ReclaimMark { get }

    /// The packs that take no more blocks, and what each takes on the disk.
    func fullPacks() async throws -> [PackExtent]

    /// Whether the disk would refuse a body of the largest size that may come.
    var isShortOfRoom: Bool { get }

    /// Runs `body` while nothing is reclaimed: for a backup, which copies what an older snapshot refers to.
    func withoutReclaim<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value

    /// The packs of which a folder has bytes that may have changed since they were copied there.
    func unsettled(in folder: String) async throws -> [Int64]

    /// Copies every pack into a folder, and of each only what the folder does not have yet. What was durable before the
    /// call is in the copy. Nothing may be reclaimed meanwhile: see ``withoutReclaim(_:)``.
    ///
    /// - Parameters:
    ///   - mark: taken before what is living was asked for: what lies before it is settled from now on.
    ///   - living: the rooms of the packs that ``unsettled(in:)`` named which are copied though the folder has bytes
    ///     there. What else it has stays as it is.
    func copy(
        to folder: String, settledBefore mark: ReclaimMark, living: [Int64: [Range<Int64>]]
    ) async throws -> PackCopy

    /// Writes a little, and takes it away again.
    ///
    /// - Throws: ``PackError`` where the disk does not take it; the store works as before.
    func probe() async throws

    /// Throws the failure that stopped the store; nothing when it takes writes.
    func checkHealth() throws

    /// Bytes on the disk: used by packs, and free in the volume.
    func usage() throws -> PackUsage

    func close() async throws
}

extension PackStore {
    /// Begins a block that is kept as it comes.
    package func begin(length: Int) async throws -> any PackBlockWriter {
        try await begin(length: length, stored: length)
    }

    /// All packs.
    package func reclaim(
        keeping live: @Sendable (Int64) async throws -> [BlockLocation], asOf mark: ReclaimMark
    ) async throws -> Int64 {
        try await reclaim(nil, keeping: live, asOf: mark)
    }

    /// Reads a block back and hashes it: what is acknowledged is what is stored, and not what came.
    func checkStored(_ location: BlockLocation, of hash: ContentHash) async throws {
        guard try await self.hash(of: location, named: hash) == hash else {
            throw PackError.failed("a block is not stored as it came")
        }
    }

    /// The SHA-256 of what lies there.
    ///
    /// - Throws: ``PackError/damaged(_:)``.
    func hash(of location: BlockLocation, named hash: ContentHash) async throws -> ContentHash {
        var hasher = SHA256Hasher()
        // One that is compressed is unpacked once.
        let step = location.isCompressed ? location.length : readBackBytes
        for start in stride(from: 0, to: location.length, by: step) {
            hasher.update(try await read(location, of: hash, range: start..<min(start + step, location.length)))
        }
        return hasher.finish()
    }
}

/// Bytes read at once.
private let readBackBytes = 1 << 20

/// Takes one block's bytes in order. Either `finish` or `abandon` ends it.
package protocol PackBlockWriter: Sendable {
    func append(_ bytes: ByteBuffer) async throws
    /// The block is whole. It counts once ``PackStore/makeDurable()`` has returned and the database knows it.
    func finish(hash: ContentHash) async throws -> BlockLocation
    /// The bytes do not count; their room is given back by and by.
    func abandon() async
}

/// Where a block's bytes begin, and how many there are.
package struct BlockLocation: Hashable, Sendable {
    package var pack: Int64
    package var offset: Int64
    /// Bytes of the block.
    package var length: Int
    /// Bytes that lie in the pack: fewer than `length` for a block that is compressed.
    package var stored: Int

    package var isCompressed: Bool { stored < length }

    /// - Parameter stored: as many as the block has where nil.
    package init(pack: Int64, offset: Int64, length: Int, stored: Int? = nil) {
        self.pack = pack
        self.offset = offset
        self.length = length
        self.stored = stored ?? length
    }
}

/// A place in the order of writes, before which everything was finished or abandoned.
package struct ReclaimMark: Hashable, Sendable {
    package var pack: Int64
    package var offset: Int64

    package init(pack: Int64, offset: Int64) {
        self.pack = pack
        self.offset = offset
    }
}

/// How far a pack reaches, and what of it the disk has given room to.
package struct PackExtent: Equatable, Sendable {
    package var pack: Int64
    package var bytes: Int64
    package var allocatedBytes: Int64

    package init(pack: Int64, bytes: Int64, allocatedBytes: Int64) {
        self.pack = pack
        self.bytes = bytes
        self.allocatedBytes = allocatedBytes
    }
}

package struct PackUsage: Sendable {
    package var packs: Int
    package var usedBytes: Int64
    package var freeBytes: Int64

    package init(packs: Int, usedBytes: Int64, freeBytes: Int64) {
        self.packs = packs
        self.usedBytes = usedBytes
        self.freeBytes = freeBytes
    }
}

/// What a copy of the packs came to.
package struct PackCopy: Sendable {
    package var packs: Int
    package var copiedBytes: Int64
    /// Files in the folder that the store no longer has.
    package var obsolete: [String]

    package init(packs: Int, copiedBytes: Int64, obsolete: [String]) {
        self.packs = packs
        self.copiedBytes = copiedBytes
        self.obsolete = obsolete
    }
}

package enum PackError: Error {
    /// Less than `minFree` is left on the volume, or the disk said ENOSPC.
    case diskFull
    /// An fsync failed before: no more writes until the server is started again.
    case poisoned(String)
    /// The block is there, but not as it was written.
    case damaged(BlockLocation)
    case failed(String)
}
