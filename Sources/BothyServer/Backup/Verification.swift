import BothyContent
import BothyContract

/// Has the database checked, then reads every block that it knows, and holds it against its name: `bothy server verify`.
///
/// Damage is written down: a block that is known to be damaged counts as missing, so that an upload of its file
/// repairs it.
package struct Verification: Sendable {
    /// Blocks asked of the database at once.
    private static let batch = 500

    private let database: any Database
    private let packs: any PackStore
    private let damage: DamageNotes

    package struct Report: Codable, Equatable, Sendable {
        package var blocks: Int
        package var bytes: Int64
        package var damaged: [Damage]
        /// What the database's engine says is wrong with it.
        package var databaseFaults: [String]
    }

    package struct Damage: Codable, Equatable, Sendable {
        package var driveId: Int64
        package var hash: ContentHash
        package var size: Int64
        package var files: [AffectedFile]
        /// Ids of posts that show it, those that wait for their time among them.
        package var posts: [Int64]
    }

    package struct AffectedFile: Codable, Equatable, Sendable {
        package var fileId: String
        package var revisionId: String
        package var path: String
        /// Whether it is what the file is now, and not an earlier revision.
        package var isHead: Bool
    }

    struct StoredBlock: Sendable {
        var driveId: Int64
        var hash: ContentHash
        var location: BlockLocation
        /// It was known to be.
        var isDamaged: Bool
    }

    package init(database: any Database, packs: any PackStore) {
        self.database = database
        self.packs = packs
        self.damage = DamageNotes(database)
    }

    /// - Parameter progress: called after each batch, with how far it is; damage is named some thousand blocks later.
    /// - Throws: ``DatabaseError``, and ``PackError`` but ``PackError/damaged(_:)``, which is what the report is for.
    package func run(progress: (Report) async throws -> Void = { _ in }) async throws -> Report {
        var report = Report(blocks: 0, bytes: 0, damaged: [], databaseFaults: try await database.faults())
        let affected = AffectedFiles(database)
        var damagedBlocks = [StoredBlock]()
        var place = ReclaimMark(pack: 0, offset: 0)
        while true {
            let batch = try await blocks(after: place)
            if batch.isEmpty || damagedBlocks.count >= AffectedFiles.mostBlocks {
                report.damaged += try await affected.damage(of: damagedBlocks)
                damagedBlocks = []
            }
            guard let last = batch.last else { return report }
            for block in batch {
                try Task.checkCancellation()
                guard let isWhole = try await isWhole(block) else { continue }
                report.blocks += 1
                report.bytes += Int64(block.location.length)
                if isWhole == block.isDamaged { try await damage.note(block.location, isDamaged: !isWhole) }
                if !isWhole { damagedBlocks.append(block) }
            }
            place = ReclaimMark(pack: last.location.pack, offset: last.location.offset)
            try await progress(report)
        }
    }

    /// In the order of the disk.
    private func blocks(after place: ReclaimMark) async throws -> [StoredBlock] {
        try await database.read { db in
            try db.query(
                """
                SELECT drive_id, hash, damaged, \(BlockLocation.columns()) FROM blocks WHERE (pack, pack_offset) > (?, ?)
                ORDER BY pack, pack_offset LIMIT ?
                """, [place.pack.sql, place.offset.sql, Self.batch.sql]
            ).map {
                StoredBlock(
                    driveId: $0.int64(0), hash: $0.hash(1), location: BlockLocation($0, from: 3), isDamaged: $0.bool(2))
            }
        }
    }

    /// - Returns: nil for one that was freed since the batch was read, which is nobody's loss, or moved, and comes up again
    ///   where it lies now: behind everything that was there.
    private func isWhole(_ block: StoredBlock) async throws -> Bool? {
        do {
            return try await packs.hash(of: block.location, named: block.hash) == block.hash
        } catch PackError.damaged {
            return try await database.read { db in
                try BlockTable(db, drive: block.driveId).location(of: block.hash) == block.location ? false : nil
            }
        }
    }
}
