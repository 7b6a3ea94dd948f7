import BothyContent
import BothyContract
import NIOCore
import Synchronization

/// A download's partial file: opened, hashed as it fills up, and at last put in its place.
///
/// Unchecked because only its own queue touches what varies; what syncs need as well lies behind a lock.
final class PartialFile: @unchecked Sendable {
    private let transfer: DownloadTransfer
    private let disk: any LocalDisk
    private let queue: DiskQueue
    /// Syncs take long, and hashing goes on meanwhile.
    private let syncs: DiskQueues
    private let folders: FolderSyncs
    private let room: PromisedRoom
    private let written = Mutex(Written())
    /// Why a sync failed. One sync at a time, and none after that: the kernel tells of lost writes once, and the next would be told
    /// that all is well.
    private let lost = Mutex<ClientFailure?>(nil)
    private var hasher = SHA256Hasher()
    /// Of a large file: what is remembered of it, for the day that it is changed here.
    private var sketcher: FragmentSketcher?
    private var scratch: UnsafeMutableRawBufferPointer?

    private static let piece = 1 << 20

    private struct Written {
        var file: (any LocalFile)?
        /// Of what was moved, in bytes: so much is on the disk.
        var durable: Int64 = 0
        /// How often something was put there that was not moved, but lay here.
        var reused = 0

        /// Before what lay here is put there: until the next sync nothing counts as durable.
        mutating func noteReuse() {
            reused += 1
            durable = -1
        }
    }

    private var file: (any LocalFile)? { written.withLock { $0.file } }

    /// - Parameter disk: what it does on it.
    init(_ transfer: DownloadTransfer, on disk: TransferDisk, isSmall: Bool) {
        self.transfer = transfer
        self.disk = disk.disk
        queue = isSmall ? disk.smallFiles : DiskQueue("partial")
        syncs = disk.syncs
        folders = disk.folders
        room = disk.room
    }

    deinit {
        scratch?.deallocate()
        room.release(transfer.tempPath)
    }

    enum Prepared: Sendable {
        /// The file, and whether it was there with its size.
        case open(any LocalFile, kept: Bool)
        /// It was promoted, and the process ended before its record said so.
        case inPlace
    }

    /// Checks the destination and the room, and opens the file.
    ///
    /// - Parameters:
    ///   - size: bytes of the whole.
    ///   - missing: bytes still to come.
    ///   - begunFor: the whole's hash, where this continues a download that began before.
    func prepare(size: Int64, missing: Int64, keeping: Bool, begunFor hash: ContentHash?) async throws -> Prepared {
        let prepared = try await queue.run { [self] () -> Prepared in
            let there = try disk.facts(of: transfer.tempPath)
            // Where nothing may be replaced, the promotion is a link on some disks, and the removal of the partial file.
            if let hash, there == nil || !transfer.replacing, try isInPlace(size, hash) {
                try disk.remove(transfer.tempPath)
                return .inPlace
            }
            try checkDestination()
            let kept = keeping && there?.kind == .file && there?.size == size
            if !kept { try disk.remove(transfer.tempPath) }
            try takeRoom(kept ? missing : size, of: size)
            let opened = try disk.openForWriting(transfer.tempPath)
            if !kept { try opened.truncate(to: size) }
            room.opened(transfer.tempPath, opened)
            written.withLock { $0.file = opened }
            hasher = SHA256Hasher()
            let isChange = try size >= RevisionSketch.leastFile && basisFacts() != nil
            sketcher = FragmentSketcher(forFileOf: size, isChange: isChange)
            return .open(opened, kept: kept)
        }
        if case .inPlace = prepared, transfer.isDurable { try await makePlaceDurable() }
        return prepared
    }

    /// The process that put it there may have ended before it was on the disk.
    private func makePlaceDurable() async throws {
        let there = try await queue.run { [self] in try disk.openForReading(transfer.destinationPath) }
        try await syncs.run { try there.sync() }
        try await folders.sync(transfer.folder)
    }

    /// What arrived before the call is on the disk when this returns.
    ///
    /// - Parameter moved: bytes that arrived so far; nothing is synced twice for the same.
    /// - Throws: ``WritesLost``.
    func makeDurable(moved: Int64) async throws {
        let (file, reused) = written.withLock { (moved > $0.durable ? $0.file : nil, $0.reused) }
        guard let file else { return }
        try await syncs.run { [self] in try sync(file) }
        written.withLock { if $0.reused == reused { $0.durable = max($0.durable, moved) } }
    }

    private func sync(_ file: any LocalFile) throws(WritesLost) {
        try lost.withLock { lost throws(WritesLost) in
            do throws(ClientFailure) {
                if lost == nil { try file.sync() }
            } catch {
                lost = error
            }
            if let lost { throw WritesLost(failure: lost) }
        }
    }

    /// Hashes on to `end`, and tells the whole file's hash when that is its size.
    func hash(upTo end: Int64, of size: Int64) async throws -> ContentHash? {
        try await queue.run { [self] in
            guard let file else { return nil }
            while hasher.byteCount < end {
                let wanted = min(Self.piece, Int(end - hasher.byteCount))
                let space = UnsafeMutableRawBufferPointer(rebasing: space(for: size)[..<wanted])
                let count = try file.read(into: space, at: hasher.byteCount)
                guard count > 0 else {
                    throw ClientFailure(.diskFailed, "“\(transfer.tempPath)” is shorter than what was written to it.")
                }
                hasher.update(UnsafeRawBufferPointer(rebasing: space[..<count]))
                sketcher?.take(UnsafeRawBufferPointer(rebasing: space[..<count]))
            }
            return hasher.byteCount == size ? hasher.finish() : nil
        }
    }

    /// What to remember of the file, once it was hashed to its end; nil where that is not worth it. Its blocks are not in it: to hash each by itself
    /// would cost more than their names, the next time.
    func sketched(as revisionId: String) async throws -> RevisionSketch? {
        try await queue.run { [self] in
            sketcher.map { RevisionSketch(revisionId: revisionId, blocks: [], fragments: $0.sketch) }
        }
    }

    /// Makes it durable, unless that is others' to do, then visible, in one step.
    ///
    /// - Throws: ``WritesLost``; `destinationExists` and what else the disk refuses.
    func promote(executable: Bool, modifiedAt: Timestamp?) async throws {
        // In one go, since each change of threads costs more than any of these steps but the sync.
        try await finishing { [self] in
            guard let file else { return }
            try checkDestination()
            try place(file, executable: executable, modifiedAt: modifiedAt)
        }
    }

    /// All that the others here do one by one, for a small file whose bytes are at hand.
    ///
    /// - Returns: false, and nothing was touched, where they do not have this hash.
    /// - Throws: as ``promote(executable:modifiedAt:)``.
    func receive(
        _ bytes: ByteBuffer, as hash: ContentHash, executable: Bool, modifiedAt: Timestamp?
    ) async throws -> Bool {
        try await finishing { [self] in
            try receiveNow(bytes, as: hash, executable: executable, modifiedAt: modifiedAt)
        }
    }

    /// ``receive(_:as:executable:modifiedAt:)`` on the caller's thread, which may wait for the disk. Where it is to outlive a power cut, its
    /// folder is the caller's to sync.
    func receiveNow(
        _ bytes: ByteBuffer, as hash: ContentHash, executable: Bool, modifiedAt: Timestamp?
    ) throws -> Bool {
        guard bytes.withUnsafeReadableBytes({ SHA256Hasher.hash($0) }) == hash else { return false }
        try checkDestination()
        try takeRoom(Int64(bytes.readableBytes), of: Int64(bytes.readableBytes))
        let opened = try disk.openForWriting(transfer.tempPath)
        written.withLock { $0.file = opened }
        try opened.truncate(to: Int64(bytes.readableBytes))
        try bytes.withUnsafeReadableBytes { try opened.write($0, at: 0) }
        try place(opened, executable: executable, modifiedAt: modifiedAt)
        return true
    }

    private func finishing<Answer: Sendable>(_ work: @escaping @Sendable () throws -> Answer) async throws -> Answer {
        guard transfer.isDurable else { return try await queue.run(work) }
        let answer = try await syncs.run(work)
        try await folders.sync(transfer.folder)
        return answer
    }

    private func place(_ file: any LocalFile, executable: Bool, modifiedAt: Timestamp?) throws {
        try disk.setMode(transfer.tempPath, executable: executable)
        if let modifiedAt { try disk.setModified(transfer.tempPath, to: modifiedAt) }
        if transfer.isDurable { try sync(file) }
        try disk.rename(transfer.tempPath, to: transfer.destinationPath, replacing: transfer.replacing)
        written.withLock { $0.file = nil }
        room.release(transfer.tempPath)
    }

    func discard() async throws {
        try await queue.run { [self] in
            written.withLock { $0.file = nil }
            hasher = SHA256Hasher()
            try disk.remove(transfer.tempPath)
            room.release(transfer.tempPath)
        }
    }

    /// Whether there is a file to look for blocks in.
    func hasBasis() async throws -> Bool { try await queue.run { [self] in try basisFacts() != nil } }

    /// The request for all of the file as what changed against its basis; nil where there is none, or one of both is too large.
    ///
    /// - Parameter size: bytes of the file.
    func wholeWish(_ size: Int64) async throws -> PatchWish? {
        try await queue.run { [self] in
            guard size <= UploadLimits.maximumWholePatch, let path = transfer.basisPath,
                let basis = try basisFacts(), basis.size <= UploadLimits.maximumPatchSource
            else { return nil }
            // What is here may be an edit that the drive knows nothing of: its hash tells, and nothing else need be known of it.
            let hash = try LocalReading.hash(of: path, disk: disk)
            return PatchWish.whole(size, outOf: BlockReference(sha256: hash, size: basis.size))
        }
    }

    /// Puts those of `blocks` into their places that the download's basis has.
    ///
    /// - Parameters:
    ///   - blocks: of the whole file, in order.
    ///   - parameters: what they were cut by.
    /// - Returns: what was found, and what lies near the rest. The next ``makeDurable(moved:)`` syncs what was put there.
    func reuse(_ blocks: [BlockMark], cutBy parameters: BlockParameters) async throws -> BlockReuse {
        try await queue.run { [self] in
            var reuse = BlockReuse(blocks, cutBy: parameters)
            guard let file, let path = transfer.basisPath else { return reuse }
            written.withLock { $0.noteReuse() }
            try reuse.copy(from: disk.openForReading(path), into: file) { DiskWork.isCancelled }
            return reuse
        }
    }

    /// Puts what a patch makes into its places.
    ///
    /// - Throws: `answerInvalid` for what is no such patch; nothing was written then.
    func apply(_ body: ByteBuffer, to wish: PatchWish) async throws {
        try await queue.run { [self] in
            guard let file, let path = transfer.basisPath else { return }
            let source = try read(wish.have, of: disk.openForReading(path))
            let patch: Patch
            do throws(PatchFault) {
                patch = try body.withUnsafeReadableBytes { body throws(PatchFault) in
                    try Patch(body, targetSize: wish.targetSize, sourceSize: wish.sourceSize)
                }
            } catch {
                throw ClientFailure(
                    .answerInvalid, "The server's patch of “\(transfer.name)” cannot be used. \(error.words)")
            }
            let made = source.withUnsafeReadableBytes { patch.applied(to: $0) }
            written.withLock { $0.noteReuse() }
            try made.withUnsafeBytes { made in
                var place = 0
                for range in wish.ranges {
                    let part = UnsafeRawBufferPointer(rebasing: made[place..<(place + range.count)])
                    try file.write(part, at: range.lowerBound)
                    place += range.count
                }
            }
        }
    }

    // MARK: - On the queue

    private func basisFacts() throws -> FileFacts? {
        try transfer.basisPath.flatMap { try disk.facts(of: $0) }.flatMap { $0.kind == .file ? $0 : nil }
    }

    /// The bytes of these blocks, one after the other. Whether they still are what they were is told by the hash of the whole.
    private func read(_ blocks: [BlockReuse.Here], of basis: any LocalFile) throws -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(blocks.reduce(0) { $0 + Int($1.block.size) })
        for here in blocks {
            var offset = here.start
            while offset < here.end {
                let wanted = Int(here.end - offset)
                let count = try bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: wanted) { space in
                    try basis.read(into: UnsafeMutableRawBufferPointer(rebasing: space[..<wanted]), at: offset)
                }
                guard count > 0 else {
                    throw ClientFailure(.changedMeanwhile, "“\(transfer.basisPath ?? "")” is shorter than it was.")
                }
                offset += Int64(count)
            }
        }
        return bytes
    }

    /// Whether the destination is what this download should bring. A file that somebody has changed since it began is
    /// left alone: it may be what was promoted, with a person's work in it.
    private func isInPlace(_ size: Int64, _ hash: ContentHash) throws -> Bool {
        let path = transfer.destinationPath
        guard let there = try disk.facts(of: path), there.kind == .file else { return false }
        if there.size == size, try LocalReading.hash(of: path, disk: disk) == hash { return true }
        if transfer.replacing, transfer.replaces == nil, there.modifiedAt > transfer.createdAt {
            throw ClientFailure(
                .changedMeanwhile, "“\(path)” was changed after its download started, and was left unchanged.")
        }
        return false
    }

    /// No more than a file of `size` bytes has use for, of a small one: many of those are open at once.
    private func space(for size: Int64) -> UnsafeMutableRawBufferPointer {
        let wanted = Int(min(Int64(Self.piece), max(1, size)))
        if let scratch, scratch.count >= wanted { return scratch }
        scratch?.deallocate()
        let space = UnsafeMutableRawBufferPointer.allocate(byteCount: wanted, alignment: 64)
        scratch = space
        return space
    }

    private func checkDestination() throws {
        guard try disk.facts(of: transfer.folder)?.kind == .folder else {
            throw ClientFailure(.destinationFolderMissing, "The folder “\(transfer.folder)” does not exist.")
        }
        guard let there = try disk.facts(of: transfer.destinationPath) else { return }
        if there.kind == .folder {
            throw ClientFailure(.destinationIsAFolder, "“\(transfer.destinationPath)” is a folder.")
        }
        if !transfer.replacing {
            throw ClientFailure(.destinationExists, "“\(transfer.destinationPath)” already exists.")
        }
        let path = transfer.destinationPath
        if let seen = transfer.replaces, try !seen.isStill(there, hash: { try LocalReading.hash(of: path, disk: disk) })
        {
            throw ClientFailure(
                .changedMeanwhile,
                "“\(transfer.destinationPath)” was changed after you chose to replace it, and was left unchanged.",
                remedy: "Download it again to replace the changed file, or download it under another name.")
        }
    }

    private func takeRoom(_ needed: Int64, of size: Int64) throws {
        let device = try disk.facts(of: transfer.folder)?.device ?? 0
        let (disk, folder) = (disk, transfer.folder)
        let (free, others) = try room.promise(transfer.tempPath, missing: needed, of: size, on: device) {
            () throws(ClientFailure) in try disk.freeBytes(at: folder)
        }
        guard needed > free - others else { return }
        let (more, left) = (ByteScale.text(needed), ByteScale.text(free))
        let taken = others > 0 ? ", of which other downloads take \(ByteScale.text(others))" : ""
        throw ClientFailure(
            .diskFull,
            "“\(transfer.name)” needs \(more) more, and the disk of “\(transfer.folder)” has \(left)\(taken).")
    }
}

/// A sync failed: the disk may have dropped what was written before it, and a later sync would not say so.
struct WritesLost: Error {
    var failure: ClientFailure
}
