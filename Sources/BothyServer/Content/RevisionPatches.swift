import BothyContent
import BothyContract
import NIOCore
import NIOPosix

/// Makes blocks of a revision out of blocks that a device has, or all of a small one out of a file that it has: it then fetches what is
/// new in them, and not all of each.
///
/// Bounded by ``UploadLimits/maximumPatchTarget``, ``UploadLimits/maximumWholePatch`` and ``UploadLimits/maximumPatchSource``, which are
/// read into memory, and by what ``PatchMaker`` does for so many bytes at most. A few are made at once, for all callers together, on
/// threads of their own: a crowd of devices would take the memory and the cores from everyone else.
package struct RevisionPatches: Sendable {
    /// Bytes. Both sides are in memory here, so that small fragments cost little, and find what lies between large ones.
    private static let fragmentSize = 256

    private let database: any Database
    private let packs: any PackStore
    /// Shared by whatever else is dear.
    let turns = Turns(
        atOnce: 2, mostWaiting: 32,
        refusal: Problem(.busy, "Too many patches are being made. Fetch the bytes themselves."))

    package init(database: any Database, packs: any PackStore) {
        self.database = database
        self.packs = packs
    }

    /// - Returns: the patch as it goes over the wire.
    /// - Throws: `invalid_parameter` for what is not in the revision, or too much; `patch_invalid` with the places of those of the
    ///   device's blocks that the drive does not have, or where it does not have the base; ``PackError``.
    package func patch(of contentId: Int64, _ request: PatchRequest, drive: Int64) async throws -> ByteBuffer {
        try Self.check(request)
        return try await turns.run { try await make(request, of: contentId, drive: drive) }
    }

    private func make(_ request: PatchRequest, of contentId: Int64, drive: Int64) async throws -> ByteBuffer {
        let sides: Sides = try await database.read { db in
            if let base = request.base { return try Self.wholes(of: contentId, base, in: db, drive: drive) }
            return Sides(
                target: try Self.wanted(request.wanted, of: contentId, in: db, drive: drive),
                source: try Self.have(request.have, in: db, drive: drive))
        }
        let target = try await bytes(of: sides.target, in: drive)
        let source = try await bytes(of: sides.source, in: drive)
        let patch = try await NIOThreadPool.singleton.runIfActive {
            target.withUnsafeReadableBytes { target in
                source.withUnsafeReadableBytes { source in
                    PatchMaker(FragmentSketch(of: source, fragmentSize: Self.fragmentSize))
                        .patch(making: target, from: source)
                }
            }
        }
        guard let patch else { throw Problem(.busy, "There is no memory for a patch now. Fetch the bytes themselves.") }
        return ByteBuffer(bytes: patch.body)
    }

    private static func check(_ request: PatchRequest) throws(Problem) {
        if request.base != nil {
            guard request.wanted.isEmpty, request.have.isEmpty else {
                throw Problem(.invalidParameter, "With a “base” all is wanted: “wanted” and “have” should be empty.")
            }
            return
        }
        let ascending = zip(request.wanted, request.wanted.dropFirst()).allSatisfy { $0.last < $1.first }
        guard !request.wanted.isEmpty, ascending, request.wanted.allSatisfy({ $0.last < UploadLimits.maximumChunks })
        else {
            throw Problem(.invalidParameter, "“wanted” should be runs of block places, ascending.")
        }
        let count = request.wanted.reduce(0) { $0 + $1.count }
        guard max(count, request.have.count) <= UploadLimits.maximumPatchBlocks else {
            throw Problem(
                .invalidParameter,
                "One patch is of \(UploadLimits.maximumPatchBlocks) blocks at most, and against as many.")
        }
        guard request.have.allSatisfy({ UploadLimits.blockSizes.contains($0.size) }),
            request.have.reduce(0, { $0 + $1.size }) <= UploadLimits.maximumPatchSource
        else {
            throw Problem(
                .invalidParameter,
                "The blocks in “have” may have \(UploadLimits.maximumPatchSource) bytes together, and none is empty.")
        }
    }

    private struct Stored: Sendable {
        var hash: ContentHash
        var location: BlockLocation
    }

    private struct Sides: Sendable {
        var target: [Stored]
        var source: [Stored]
    }

    /// - Parameter base: a content of the same drive, whichever files have it.
    private static func wholes(
        of contentId: Int64, _ base: ContentHash, in db: any SQLConnection, drive: Int64
    ) throws -> Sides {
        guard let source = try ContentTable(db, drive: drive).find(checksum: base) else {
            throw Problem(.patchInvalid, "The drive does not have the file in “base”. Fetch the bytes themselves.")
        }
        return Sides(
            target: try whole(contentId, most: UploadLimits.maximumWholePatch, in: db, drive: drive),
            source: try whole(source.id, most: UploadLimits.maximumPatchSource, in: db, drive: drive))
    }

    private static func whole(
        _ contentId: Int64, most: Int64, in db: any SQLConnection, drive: Int64
    ) throws -> [Stored] {
        let size = try ContentTable(db, drive: drive).find(contentId)?.size ?? 0
        let found =
            size <= most
            ? try ContentBlocks(db, drive: drive).located(
                of: contentId, from: 0, limit: UploadLimits.maximumPatchBlocks) : []
        guard found.reduce(0, { $0 + Int64($1.location.length) }) == size else {
            throw Problem(
                .invalidParameter,
                "For all of a revision it may have \(UploadLimits.maximumWholePatch) bytes, and “base” \(UploadLimits.maximumPatchSource), in \(UploadLimits.maximumPatchBlocks) blocks each."
            ).with { $0.limit = most }
        }
        return found.map { Stored(hash: $0.hash, location: $0.location) }
    }

    private static func wanted(
        _ runs: [ChunkRun], of contentId: Int64, in db: any SQLConnection, drive: Int64
    ) throws -> [Stored] {
        let blocks = ContentBlocks(db, drive: drive)
        let found = try runs.flatMap { run in try blocks.located(of: contentId, from: run.first, limit: run.count) }
        guard found.count == runs.reduce(0, { $0 + $1.count }) else {
            throw Problem(.invalidParameter, "“wanted” names blocks that the revision does not have.")
        }
        guard found.reduce(0, { $0 + Int64($1.location.length) }) <= UploadLimits.maximumPatchTarget else {
            throw Problem(
                .invalidParameter, "The blocks in “wanted” may have \(UploadLimits.maximumPatchTarget) bytes together."
            ).with { $0.limit = UploadLimits.maximumPatchTarget }
        }
        return found.map { Stored(hash: $0.hash, location: $0.location) }
    }

    private static func have(_ blocks: [BlockReference], in db: any SQLConnection, drive: Int64) throws -> [Stored] {
        let table = BlockTable(db, drive: drive)
        let found = try blocks.map { block in
            try table.location(of: block.sha256).flatMap {
                $0.length == Int(block.size) ? Stored(hash: block.sha256, location: $0) : nil
            }
        }
        let missing = found.indices.filter { found[$0] == nil }
        guard missing.isEmpty else {
            throw Problem(
                .patchInvalid, "\(missing.count) of the blocks in “have” are not in this drive. Leave them out."
            )
            .with { $0.missing = missing.chunkRuns }
        }
        return found.compactMap(\.self)
    }

    private func bytes(of blocks: [Stored], in drive: Int64) async throws -> ByteBuffer {
        let reader = BlockReader(database: database, packs: packs, drive: drive)
        var bytes = ByteBuffer()
        bytes.reserveCapacity(blocks.reduce(0) { $0 + $1.location.length })
        for block in blocks {
            do {
                let read = try await reader.read(block.hash, at: block.location, range: 0..<block.location.length)
                bytes.writeImmutableBuffer(read)
            } catch let problem as Problem where problem.code == .notFound {
                throw Problem(.patchInvalid, "A block went while the patch was made. Fetch the bytes themselves.")
            }
        }
        return bytes
    }
}
