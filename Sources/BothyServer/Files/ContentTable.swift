import BothyContract

/// The tables `contents` and `content_blocks`: contents of files as lists of blocks, shared by revisions and copies.
///
/// `refs` counts the revisions that have the content, and what posts show of it. What has none is taken away, at once or by
/// ``freeUnused(mostBlocks:lived:in:)``, and its blocks lose a reference each; `blocks` keeps those for a day.
package struct ContentTable {
    package struct Content: Sendable {
        package var id: Int64
        package var checksum: ContentHash
        package var size: Int64
    }

    private let db: any SQLConnection
    private let drive: Int64

    package init(_ db: any SQLConnection, drive: Int64) {
        self.db = db
        self.drive = drive
    }

    package func find(_ id: Int64) throws -> Content? {
        try db.first(
            "SELECT content_id, checksum, size FROM contents WHERE drive_id = ? AND content_id = ?",
            [drive.sql, id.sql]
        ).map { Content(id: $0.int64(0), checksum: $0.hash(1), size: $0.int64(2)) }
    }

    /// Whether the content can be read, as far as is known: none of its blocks was found to be damaged.
    package func isWhole(_ id: Int64) throws -> Bool {
        // As a rule there is none, and the content's blocks, which may be a million, need not be looked at.
        guard try BlockTable(db, drive: drive).hasDamage() else { return true }
        return try db.first(
            """
            SELECT 1 FROM content_blocks WHERE drive_id = ? AND content_id = ? AND hash IN (
                SELECT hash FROM blocks WHERE drive_id = ? AND damaged = 1
            ) LIMIT 1
            """, [drive.sql, id.sql, drive.sql]) == nil
    }

    /// Content that the drive has already, by the SHA-256 of all of it; the newest, because one that was found to be
    /// damaged may have been put again in other blocks.
    package func find(checksum: ContentHash) throws -> Content? {
        try db.first(
            """
            SELECT content_id, checksum, size FROM contents WHERE drive_id = ? AND checksum = ?
            ORDER BY content_id DESC LIMIT 1
            """,
            [drive.sql, checksum.sql]
        ).map { Content(id: $0.int64(0), checksum: $0.hash(1), size: $0.int64(2)) }
    }

    /// Writes a new content, which nothing refers to yet: a revision must, in the same transaction. The caller counts
    /// the references to its blocks.
    ///
    /// - Parameter blocks: in order.
    /// - Returns: its id; ids are never used twice.
    package func insert(checksum: ContentHash, size: Int64, blocks: [BlockReference]) throws -> Int64 {
        let id = try insert(checksum: checksum, size: size, blockCount: blocks.count)
        var start: Int64 = 0
        for (position, block) in blocks.enumerated() {
            try db.execute(
                """
                INSERT INTO content_blocks (drive_id, content_id, position, start, hash) VALUES (?, ?, ?, ?, ?)
                """,
                [drive.sql, id.sql, position.sql, start.sql, block.sha256.sql])
            start += block.size
        }
        return id
    }

    /// Writes a new content whose blocks the caller lists, in the same transaction.
    package func insert(checksum: ContentHash, size: Int64, blockCount: Int) throws -> Int64 {
        let rows = try db.query(
            "UPDATE drives SET last_content_id = last_content_id + 1 WHERE drive_id = ? RETURNING last_content_id",
            [drive.sql])
        guard let id = rows.first?.int64(0) else { throw Problem(.notFound, "There is no such drive.") }
        try insert(Content(id: id, checksum: checksum, size: size), blockCount: blockCount, refs: 0)
        return id
    }

    /// Writes a new content under an id that the caller has taken.
    ///
    /// - Parameter refs: how many revisions have it, which the caller writes in the same transaction.
    func insert(_ content: Content, blockCount: Int, refs: Int) throws {
        try db.execute(
            """
            INSERT INTO contents (drive_id, content_id, checksum, size, block_count, refs) VALUES (?, ?, ?, ?, ?, ?)
            """,
            [drive.sql, content.id.sql, content.checksum.sql, content.size.sql, blockCount.sql, refs.sql])
    }

    /// One revision more has the content, or one post more shows it.
    package func retain(_ id: Int64) throws {
        try db.execute(
            "UPDATE contents SET refs = refs + 1 WHERE drive_id = ? AND content_id = ?", [drive.sql, id.sql])
    }

    /// One revision less has the content, or one post less shows it; the last one takes it with it.
    ///
    /// - Returns: how many blocks it was made of, where it went: what that costs.
    @discardableResult
    package func release(_ id: Int64, lived: Int64) throws -> Int {
        guard let blocks = try giveUp(id) else { return 0 }
        try free(id, lived: lived)
        return blocks
    }

    /// The same, but what nothing refers to any more stays until the server has time for it: its blocks may be very many.
    ///
    /// - Returns: how many blocks it is made of, where nothing refers to it.
    @discardableResult
    func giveUp(_ id: Int64) throws -> Int? {
        let rows = try db.query(
            "UPDATE contents SET refs = refs - 1 WHERE drive_id = ? AND content_id = ? RETURNING refs, block_count",
            [drive.sql, id.sql])
        return rows.first.flatMap { $0.int64(0) <= 0 ? $0.int(1) : nil }
    }

    private func free(_ id: Int64, lived: Int64) throws {
        try TextQueue(db, drive: drive).noteLoss(of: id)
        let freed = try BlockTable(db, drive: drive).release(for: id, lived: lived)
        try DriveQuota(db, drive: drive).refund(freed)
        try db.execute("DELETE FROM contents WHERE drive_id = ? AND content_id = ?", [drive.sql, id.sql])
    }

    /// Takes away contents that nothing refers to, of any drive.
    ///
    /// - Parameter mostBlocks: after which no other goes.
    /// - Returns: how many went.
    static func freeUnused(
        mostBlocks: Int = RevisionTable.mostBlocks, lived: Int64, in db: any SQLConnection
    ) throws -> Int {
        let rows = try db.query(
            "SELECT drive_id, content_id, block_count FROM contents WHERE refs <= 0 LIMIT ?", [(mostBlocks + 1).sql])
        var (gone, blocks) = (0, 0)
        for row in rows where blocks < mostBlocks {
            try ContentTable(db, drive: row.int64(0)).free(row.int64(1), lived: lived)
            (gone, blocks) = (gone + 1, blocks + row.int(2))
        }
        return gone
    }

    static func hasUnused(in db: any SQLConnection) throws -> Bool {
        try db.first("SELECT 1 FROM contents WHERE refs <= 0 LIMIT 1") != nil
    }

    /// The blocks of a content in order.
    package func blocks(of id: Int64) throws -> [BlockReference] {
        try blocks(of: id, ChunkRun(first: 0, last: UploadLimits.maximumChunks))
    }

    /// Some blocks of a content in order; those of the run that there are.
    package func blocks(of id: Int64, _ run: ChunkRun) throws -> [BlockReference] {
        let size = try find(id)?.size ?? 0
        // One more: a block ends where the next one begins.
        let rows = try db.query(
            """
            SELECT hash, start FROM content_blocks
            WHERE drive_id = ? AND content_id = ? AND position >= ? AND position <= ? ORDER BY position
            """, [drive.sql, id.sql, run.first.sql, (run.last + 1).sql])
        return rows.indices.prefix(run.count).map { index in
            let end = index + 1 < rows.count ? rows[index + 1].int64(1) : size
            return BlockReference(sha256: rows[index].hash(0), size: end - rows[index].int64(1))
        }
    }
}
