import BothyContract
import Logging
import NIOCore
import NIOPosix

/// Packs as append-only files in one folder.
///
/// Blocks stream side by side into extents of the newest pack. An acknowledged block is behind an fdatasync that
/// everyone who waited shared. After one that failed the store takes no more writes.
package final class FilesystemPackStore: PackStore {
    /// The largest block: `UploadLimits.blockSizes` and `chunkSizes` end there.
    package static let maximumBlockBytes = Int(UploadLimits.chunkSizes.upperBound)
    /// Threads for reads and writes; a disk does not gain from more at once on few cores.
    private static let threadCount = 4

    let packs: OpenPacks
    let appender: PackAppender
    let reclaiming = ReclaimTurn()
    let disk: any DiskOperations
    let folder: String
    private let minimumFreeBytes: Int64
    private let threads: NIOThreadPool
    let group: GroupSync

    /// Opens the folder, or makes it.
    ///
    /// - Parameters:
    ///   - newestKnown: the highest number of a pack that a block is said to lie in, whether or not its file is there; 0
    ///     where no block is known.
    ///   - minimumFreeBytes: room on the volume that no block takes.
    ///   - maximumPackBytes: where a new pack begins; tests make it small.
    /// - Throws: ``PackError``.
    package static func open(
        folder: String, newestKnown: Int64 = 0, minimumFreeBytes: Int64, logger: Logger,
        disk: any DiskOperations = LocalDisk(), maximumPackBytes: Int64 = PackAppender.maximumPackBytes
    ) async throws -> FilesystemPackStore {
        let threads = NIOThreadPool(numberOfThreads: threadCount)
        threads.start()
        do {
            return try await threads.runIfActive {
                try disk.makeDirectory(folder)
                let packs = OpenPacks(folder: folder, disk: disk)
                let appender = try PackAppender(
                    folder: folder, disk: disk, packs: packs, ledger: ExtentLedger(),
                    maximumPackBytes: maximumPackBytes, newestKnown: newestKnown)
                return FilesystemPackStore(
                    folder: folder, disk: disk, packs: packs, appender: appender,
                    minimumFreeBytes: minimumFreeBytes, threads: threads, logger: logger)
            }
        } catch {
            try await threads.shutdownGracefully()
            throw PackError(error)
        }
    }

    private init(
        folder: String, disk: any DiskOperations, packs: OpenPacks, appender: PackAppender, minimumFreeBytes: Int64,
        threads: NIOThreadPool, logger: Logger
    ) {
        self.folder = folder
        self.disk = disk
        self.packs = packs
        self.appender = appender
        self.minimumFreeBytes = minimumFreeBytes
        self.threads = threads
        group = GroupSync(
            sync: { for file in appender.takeDirty() { try file.sync() } },
            onPoison: { reason in
                logger.critical(
                    "The disk failed to store what was written. No uploads are accepted until the server is restarted.",
                    metadata: ["packs": "\(folder)", "reason": "\(reason)"])
            })
    }

    package func begin(length: Int, stored: Int) async throws -> any PackBlockWriter {
        guard stored > 0, stored <= length else { throw PackError.failed("\(stored) bytes are no block of \(length)") }
        try checkTakes([length])
        return FilesystemBlockWriter(store: self, length: length, stored: stored)
    }

    package func makeDurable() async throws { try await group.wait() }

    package func checkHealth() throws(PackError) {
        if let poison = group.poison { throw .poisoned(poison) }
    }

    package var isShortOfRoom: Bool {
        do {
            try checkRoom(for: PackFormat.recordBytes(Self.maximumBlockBytes))
            return false
        } catch PackError.diskFull {
            return true
        } catch {
            // A disk that cannot be asked is reported by the next write to it.
            return false
        }
    }

    package func usage() throws -> PackUsage {
        do {
            var usage = PackUsage(packs: 0, usedBytes: 0, freeBytes: try disk.freeBytes(folder))
            for pack in try disk.list(folder).compactMap(PackFormat.pack(ofFileName:)) {
                usage.packs += 1
                usage.usedBytes += try packs.file(pack).size().allocatedBytes
            }
            return usage
        } catch {
            throw PackError(error)
        }
    }

    package func close() async throws {
        if group.poison == nil { try await group.wait() }
        try await threads.shutdownGracefully()
    }

    // MARK: - For the writers

    /// Whether blocks of these lengths may come.
    func checkTakes(_ lengths: [Int]) throws(PackError) {
        if let length = lengths.first(where: { !(1...Self.maximumBlockBytes).contains($0) }) {
            throw .failed("a block has 1 to \(Self.maximumBlockBytes) bytes, not \(length)")
        }
        try checkHealth()
        try checkRoom(for: lengths.reduce(0) { $0 + PackFormat.recordBytes($1) })
    }

    private func checkRoom(for bytes: Int64) throws(PackError) {
        do {
            let free = try disk.freeBytes(folder) - appender.ledger.openBytes
            guard free - bytes >= minimumFreeBytes else { throw PackError.diskFull }
        } catch {
            throw PackError(error)
        }
    }

    func reserve(_ bytes: Int64) async throws -> Extent {
        try await write { [appender] in try appender.reserve(bytes) }
    }

    /// Runs a write on the store's threads, unless the store has stopped.
    func write<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try checkHealth()
        return try await blocking(body)
    }

    func finished(_ extent: Extent) { appender.markDirty(extent.file) }

    /// Runs what blocks on the store's threads.
    func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        do {
            return try await threads.runIfActive(body)
        } catch {
            throw PackError(error)
        }
    }
}

extension PackError {
    init(_ error: any Error) {
        switch error {
        case let error as PackError: self = error
        case let error as DiskFailure: self = error.isFull ? .diskFull : .failed("\(error)")
        default: self = .failed("\(error)")
        }
    }
}
