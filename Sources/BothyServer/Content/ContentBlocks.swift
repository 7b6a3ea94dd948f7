import BothyContract

/// Which blocks a content is made of, and where they lie.
package struct ContentBlocks {
    /// A block at its place in a content.
    package struct Located: Sendable, Equatable {
        package var position: Int
        /// Bytes of the content before it.
        package var start: Int64
        package var hash: ContentHash
        package var location: BlockLocation
    }

    private let db: any SQLConnection
    private let drive: Int64

    package init(_ db: any SQLConnection, drive: Int64) {
        self.db = db
        self.drive = drive
    }

    /// The content is made of what the upload received, in the order of its plan.
    package func adopt(from uploadId: String, for contentId: Int64) throws {
        try db.execute(
            """
            INSERT INTO content_blocks (drive_id, content_id, position, start, hash)
            SELECT drive_id, ?, position, start, hash FROM upload_chunks WHERE drive_id = ? AND upload_id = ?
            """, [contentId.sql, drive.sql, uploadId.sql])
        try BlockTable(db, drive: drive).retain(for: contentId)
    }

    /// The content is one block.
    package func adopt(_ block: ContentHash, for contentId: Int64) throws {
        try list(block, for: contentId)
        try BlockTable(db, drive: drive).retain(block)
    }

    /// The content is one block, whose reference to it the caller counts.
    func list(_ block: ContentHash, for contentId: Int64) throws {
        try db.execute(
            "INSERT INTO content_blocks (drive_id, content_id, position, start, hash) VALUES (?, ?, 0, 0, ?)",
            [drive.sql, contentId.sql, block.sql])
    }

    /// The block that holds byte `offset`: halves the list, because positions and starts grow together.
    ///
    /// - Precondition: `offset` lies inside the content.
    package func position(holding offset: Int64, of contentId: Int64) throws -> Int {
        let count =
            try db.first(
                "SELECT block_count FROM contents WHERE drive_id = ? AND content_id = ?", [drive.sql, contentId.sql]
            )?.int(0) ?? 0
        var low = 0
        var high = count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            let row = try db.first(
                "SELECT start FROM content_blocks WHERE drive_id = ? AND content_id = ? AND position = ?",
                [drive.sql, contentId.sql, middle.sql])
            guard let start = row?.int64(0) else { throw DatabaseError.corrupt("content_blocks: a content has a hole") }
            if start <= offset { low = middle } else { high = middle - 1 }
        }
        return low
    }

    /// Blocks in order, from `position` on.
    package func located(of contentId: Int64, from position: Int, limit: Int) throws -> [Located] {
        try db.query(
            """
            SELECT c.position, c.start, c.hash, \(BlockLocation.columns(of: "b")) FROM content_blocks c
            JOIN blocks b ON b.drive_id = c.drive_id AND b.hash = c.hash
            WHERE c.drive_id = ? AND c.content_id = ? AND c.position >= ? AND c.position < ? ORDER BY c.position
            """, [drive.sql, contentId.sql, position.sql, (position + limit).sql]
        ).map {
            Located(
                position: $0.int(0), start: $0.int64(1), hash: $0.hash(2), location: BlockLocation($0, from: 3))
        }
    }

    /// The first block that has a byte of `range` and is known to be damaged.
    package func firstDamaged(of contentId: Int64, in range: Range<Int64>) throws -> Located? {
        guard !range.isEmpty, try BlockTable(db, drive: drive).hasDamage() else { return nil }
        let first = try position(holding: range.lowerBound, of: contentId)
        let last = try position(holding: range.upperBound - 1, of: contentId)
        return try db.first(
            """
            SELECT c.position, c.start, c.hash, \(BlockLocation.columns(of: "b")) FROM content_blocks c
            JOIN blocks b ON b.drive_id = c.drive_id AND b.hash = c.hash
            WHERE c.drive_id = ? AND c.content_id = ? AND c.position BETWEEN ? AND ? AND b.damaged = 1
            ORDER BY c.position LIMIT 1
            """, [drive.sql, contentId.sql, first.sql, last.sql]
        ).map {
            Located(
                position: $0.int(0), start: $0.int64(1), hash: $0.hash(2), location: BlockLocation($0, from: 3))
        }
    }
}
