import BothyContract
import Foundation

/// Makes a data folder from a backup: `bothy server restore DIR`. No server runs on it yet.
///
/// The server that starts there begins a new epoch: cursors and ETags from the life that the backup does not know are
/// refused. The database is put in its place last, so that a restore that is broken off leaves no server to start.
package struct Restore: Sendable {
    private let clock: any ServerClock

    package struct Report: Codable, Equatable, Sendable {
        package var copiedBytes: Int64
        package var epoch: Int64
        /// File names of packs that the database knows and the backup has not, or only the beginning of.
        package var lacking: [String]
    }

    package init(clock: any ServerClock) { self.clock = clock }

    /// - Throws: ``ServerFault`` in words; ``DatabaseError``, ``PackError``.
    package func run(from path: String, to data: DataFolder) async throws -> Report {
        let backup = BackupFolder(path: path)
        let reading = try backupLock(path)
        defer { withExtendedLifetime(reading) {} }
        try backup.requireBackup()
        try data.prepare(mustExist: false)
        let lock = try FolderLock(data)
        defer { withExtendedLifetime(lock) {} }
        try requireEmpty(data)
        do {
            let copied = try FilesystemPackStore.copy(from: backup.packs, to: data.packs)
            let (epoch, least) = try await restoreDatabase(backup, data)
            return Report(copiedBytes: copied, epoch: epoch, lacking: lacking(least, in: data.packs))
        } catch {
            throw (error as? DiskFailure).map(PackError.init) ?? error
        }
    }

    /// What a backup writes meanwhile would be half of this one and half of that.
    private func backupLock(_ path: String) throws -> BackupLock? {
        do {
            guard let lock = try BackupLock(folder: path, isShared: true) else {
                throw ServerFault(
                    .locked, "A backup is being written to \(path). Restore it when “bothy server backup” has finished."
                )
            }
            return lock
        } catch is POSIXError {
            // That it cannot be opened is said in the words for that.
            return nil
        }
    }

    private func requireEmpty(_ data: DataFolder) throws {
        let files = FileManager.default
        let hasPacks =
            try files.fileExists(atPath: data.packs) && !files.contentsOfDirectory(atPath: data.packs).isEmpty
        guard !data.isInUse, !hasPacks else {
            throw ServerFault(
                .occupied,
                "\(data.path) already has data in it, and a restore replaces nothing. Name an empty folder with --data."
            )
        }
    }

    /// - Parameter least: bytes of each pack.
    private func lacking(_ least: [Int64: Int64], in packs: String) -> [String] {
        least.sorted { $0.key < $1.key }.compactMap { pack, least in
            let name = PackFormat.fileName(pack)
            let facts = try? FileManager.default.attributesOfItem(atPath: "\(packs)/\(name)")
            // One that is not there, or tells nothing of itself, is lacking too.
            let bytes = (facts?[.size] as? NSNumber)?.int64Value ?? 0
            return bytes < least ? name : nil
        }
    }

    /// - Returns: the epoch that begins, and how many bytes each pack has at least.
    private func restoreDatabase(
        _ backup: BackupFolder, _ data: DataFolder
    ) async throws -> (epoch: Int64, least: [Int64: Int64]) {
        let unfinished = data.database + ".restoring"
        try FileManager.default.copyItem(atPath: backup.database, toPath: unfinished)
        let database = try await SQLiteDatabase.open(path: unfinished)
        let now = clock.now()
        let epoch = try await database.write { try ServerEpoch.beginAnother(in: $0, now: now) }
        let least = try await database.read { try BlockPlaces($0).leastBytes() }
        try await database.close()
        for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: unfinished + suffix) {
            try FileManager.default.removeItem(atPath: unfinished + suffix)
        }
        try DurableFile.sync(unfinished)
        try DurableFile.move(unfinished, to: data.database)
        return (epoch, least)
    }
}

extension ServerEpoch {
    /// Seconds since 1970 make it another one than any restore before this began, from whichever backup.
    static func beginAnother(in db: any SQLConnection, now: Timestamp) throws -> Int64 {
        let epoch = max(try read(db) + 1, now.seconds)
        try ServerStateTable(db).set(key, String(epoch))
        return epoch
    }
}
