import BothyContract

/// The blocks of one drive: where each lies, how many places refer to it, and whether it counts to the quota.
package struct BlockTable {
    private let db: any SQLConnection
    private let drive: Int64

    package init(_ db: any SQLConnection, drive: Int64) {
        self.db = db
        self.drive = drive
    }

    /// Whether any block is known to be damaged: a look at an index that is empty, as a rule.
    package func hasDamage() throws -> Bool {
        try db.first("SELECT 1 FROM blocks WHERE drive_id = ? AND damaged = 1 LIMIT 1", [drive.sql]) != nil
    }

    /// A block came. Nothing refers to it yet.
    ///
    /// - Returns: bytes that count to the quota from now on: none where the drive had the block already.
    package func add(_ hash: ContentHash, at location: BlockLocation, lived: Int64) throws -> Int64 {
        if try insert(hash, at: location, refs: 0, unreferenced: lived) { return Int64(location.length) }
        let counted = try db.execute(
            "UPDATE blocks SET counted = 1 WHERE drive_id = ? AND hash = ? AND counted = 0", [drive.sql, hash.sql])
        try repair(hash, with: location)
        return counted == 1 ? Int64(location.length) : 0
    }

    /// A block came that a content refers to, which the caller lists.
    ///
    /// - Returns: as of ``add(_:at:lived:)``.
    func addRetained(_ hash: ContentHash, at location: BlockLocation, lived: Int64) throws -> Int64 {
        if try insert(hash, at: location, refs: 1, unreferenced: nil) { return Int64(location.length) }
        let counted = try add(hash, at: location, lived: lived)
        try retain(hash)
        return counted
    }

    /// One content more refers to the block.
    func retain(_ hash: ContentHash) throws {
        try db.execute(
            "UPDATE blocks SET refs = refs + 1, unreferenced_lived = NULL WHERE drive_id = ? AND hash = ?",
            [drive.sql, hash.sql])
    }

    /// - Returns: whether the drive did not have the block.
    private func insert(
        _ hash: ContentHash, at location: BlockLocation, refs: Int, unreferenced lived: Int64?
    ) throws -> Bool {
        try db.execute(
            """
            INSERT INTO blocks (drive_id, hash, size, pack, pack_offset, refs, counted, unreferenced_lived)
            VALUES (?, ?, ?, ?, ?, ?, 1, ?) ON CONFLICT (drive_id, hash) DO NOTHING
            """,
            [
                drive.sql, hash.sql, Int64(location.length).sql, location.pack.sql, location.offset.sql, refs.sql,
                lived.sql,
            ]) == 1
    }

    /// Where the drive's own bytes of a block are known to be damaged, those that came take their place.
    package func repair(_ hash: ContentHash, with location: BlockLocation) throws {
        try db.execute(
            """
            UPDATE blocks SET pack = ?, pack_offset = ?, stored = NULL, damaged = 0 WHERE drive_id = ? AND hash = ? AND damaged = 1
            """, [location.pack.sql, location.offset.sql, drive.sql, hash.sql])
    }

    /// Whether the drive has the block, and it counts to the quota already.
    func counts(_ hash: ContentHash) throws -> Bool {
        try db.first("SELECT counted FROM blocks WHERE drive_id = ? AND hash = ?", [drive.sql, hash.sql])?.bool(0)
            ?? false
    }

    package func location(of hash: ContentHash) throws -> BlockLocation? {
        try db.first(
            "SELECT \(BlockLocation.columns()) FROM blocks WHERE drive_id = ? AND hash = ?", [drive.sql, hash.sql]
        ).map { BlockLocation($0, from: 0) }
    }

    /// What an upload pins from `position` of its plan on counts to the quota, also where nothing else refers to it.
    ///
    /// - Returns: bytes that count from now on.
    package func countPinned(by uploadId: String, from position: Int) throws -> Int64 {
        try db.query(
            """
            UPDATE blocks SET counted = 1
            WHERE drive_id = ? AND counted = 0 AND hash IN (
                SELECT hash FROM upload_chunks WHERE drive_id = ? AND upload_id = ? AND position >= ? AND received = 1
            ) RETURNING size
            """, [drive.sql, drive.sql, uploadId.sql, position.sql]
        ).reduce(0) { $0 + $1.int64(0) }
    }

    /// A content refers to the blocks that `content_blocks` lists for it.
    package func retain(for contentId: Int64) throws {
        try db.execute(
            """
            UPDATE blocks SET refs = refs + listed.places, unreferenced_lived = NULL
            FROM (
                SELECT hash, count(*) AS places FROM content_blocks WHERE drive_id = ? AND content_id = ? GROUP BY hash
            ) AS listed
            WHERE blocks.drive_id = ? AND blocks.hash = listed.hash
            """, [drive.sql, contentId.sql, drive.sql])
    }

    /// A content goes: what nothing else refers to waits a day for somebody who names it, and no longer counts.
    ///
    /// - Returns: bytes that no longer count to the quota.
    package func release(for contentId: Int64, lived: Int64) throws -> Int64 {
        try db.execute(
            """
            UPDATE blocks SET refs = refs - listed.places,
                unreferenced_lived = CASE WHEN refs - listed.places <= 0 THEN ? ELSE unreferenced_lived END
            FROM (
                SELECT hash, count(*) AS places FROM content_blocks WHERE drive_id = ? AND content_id = ? GROUP BY hash
            ) AS listed
            WHERE blocks.drive_id = ? AND blocks.hash = listed.hash
            """, [lived.sql, drive.sql, contentId.sql, drive.sql])
        return try db.query(
            """
            UPDATE blocks SET counted = 0
            WHERE drive_id = ? AND refs = 0 AND counted = 1 AND hash IN (
                SELECT hash FROM content_blocks WHERE drive_id = ? AND content_id = ?
            ) AND NOT EXISTS (
                SELECT 1 FROM upload_chunks c
                WHERE c.drive_id = blocks.drive_id AND c.hash = blocks.hash AND c.received = 1
            ) RETURNING size
            """, [drive.sql, drive.sql, contentId.sql]
        ).reduce(0) { $0 + $1.int64(0) }
    }

    /// Where a session's stored chunks lie, in order, for reading them back.
    package func stored(
        by uploadId: String, positions: Range<Int>
    ) throws -> [(position: Int, hash: ContentHash, location: BlockLocation)] {
        try db.query(
            """
            SELECT c.position, b.hash, \(BlockLocation.columns(of: "b")) FROM upload_chunks c
            JOIN blocks b ON b.drive_id = c.drive_id AND b.hash = c.hash
            WHERE c.drive_id = ? AND c.upload_id = ? AND c.position >= ? AND c.position < ? AND c.received = 1
            ORDER BY c.position
            """, [drive.sql, uploadId.sql, positions.lowerBound.sql, positions.upperBound.sql]
        ).map {
            ($0.int(0), $0.hash(1), BlockLocation($0, from: 2))
        }
    }

    /// Frees at once what only this upload holds.
    ///
    /// - Returns: bytes that no longer count to the quota.
    package func freeHeld(onlyBy uploadId: String) throws -> Int64 {
        try db.query(
            """
            DELETE FROM blocks
            WHERE drive_id = ? AND refs = 0 AND hash IN (
                SELECT hash FROM upload_chunks WHERE drive_id = ? AND upload_id = ? AND received = 1
            ) AND NOT EXISTS (
                SELECT 1 FROM upload_chunks c
                WHERE c.drive_id = blocks.drive_id AND c.hash = blocks.hash AND c.upload_id <> ? AND c.received = 1
            ) RETURNING size, counted
            """, [drive.sql, drive.sql, uploadId.sql, uploadId.sql]
        ).reduce(0) { $0 + ($1.bool(1) ? $1.int64(0) : 0) }
    }

    /// From `lived` on, what this upload brought waits a day for another one that names it.
    package func beginWaiting(heldBy uploadId: String, lived: Int64) throws {
        try db.execute(
            """
            UPDATE blocks SET unreferenced_lived = ?
            WHERE drive_id = ? AND refs = 0 AND hash IN (
                SELECT hash FROM upload_chunks WHERE drive_id = ? AND upload_id = ? AND received = 1
            )
            """, [lived.sql, drive.sql, drive.sql, uploadId.sql])
    }
}
