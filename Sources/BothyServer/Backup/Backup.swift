import BothyContract
import Foundation

/// Takes a backup while the server runs: `bothy server backup DIR`.
///
/// The database is copied first, as of one moment, then the packs. Every block that the moment knows was on the disk
/// before the database knew it, so the packs that are copied after it have them all; nothing is reclaimed meanwhile.
/// The new database takes the old one's place last: a backup that is broken off leaves the one before it whole, as does
/// what it copied of the packs (``PackCopier``).
package struct Backup: Sendable {
    private let data: DataFolder
    private let database: any Database
    private let packs: any PackStore
    private let writes: BlockWrites
    private let clock: any ServerClock

    package struct Report: Codable, Equatable, Sendable {
        package var packs: Int
        /// Of the packs; what was there from the last time is not copied again.
        package var copiedBytes: Int64
    }

    package init(
        data: DataFolder, database: any Database, packs: any PackStore, writes: BlockWrites, clock: any ServerClock
    ) {
        self.data = data
        self.database = database
        self.packs = packs
        self.writes = writes
        self.clock = clock
    }

    /// - Throws: ``ServerFault`` in words; ``DatabaseError``, ``PackError``.
    package func run(to path: String) async throws -> Report {
        let folder = BackupFolder(path: path)
        let lock = try folder.lock(for: data)
        defer { withExtendedLifetime(lock) {} }
        let life = try await database.read { try ServerLife.read($0) }
        try folder.prepare(for: life)
        let time = clock.now().rfc3339
        let copy = try await packs.withoutReclaim {
            // Before the snapshot: what is committed after it lies behind the mark, and is copied by the next backup.
            let mark = writes.lowest(below: await packs.reclaimMark())
            let unsettled = try await packs.unsettled(in: folder.packs)
            let living = try await database.backup(to: folder.newDatabase) { db in
                let places = BlockPlaces(db)
                return Dictionary(uniqueKeysWithValues: try unsettled.map { ($0, try places.rooms(in: $0)) })
            }
            return try await packs.copy(to: folder.packs, settledBefore: mark, living: living)
        }
        try folder.switchDatabase(takenAt: time, of: life)
        for path in copy.obsolete { try FileManager.default.removeItem(atPath: path) }
        return Report(packs: copy.packs, copiedBytes: copy.copiedBytes)
    }
}
