import BothyContract

/// The table `blocks` over all drives, for the upkeep of the packs.
struct BlockPlaces {
    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    /// The highest number of a pack that a block lies in; 0 where there is none.
    func newestPack() throws -> Int64 {
        try db.first("SELECT max(pack) FROM blocks")?.optional(0, SQLRow.int64) ?? 0
    }

    /// For each pack, the bytes that it has at least: as far as the payload of its last block reaches.
    func leastBytes() throws -> [Int64: Int64] {
        let rows = try db.query("SELECT pack, max(pack_offset + coalesce(stored, size)) FROM blocks GROUP BY pack")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.int64(0), $0.int64(1)) })
    }

    /// What lives in a pack, in the order of its bytes.
    func inPack(_ pack: Int64) throws -> [BlockLocation] {
        try db.query(
            "SELECT \(BlockLocation.columns()) FROM blocks WHERE pack = ? ORDER BY pack_offset", [pack.sql]
        ).map { BlockLocation($0, from: 0) }
    }

    /// The bytes of a pack's header and of its records that live, those that lie side by side as one range, in their order.
    func rooms(in pack: Int64) throws -> [Range<Int64>] {
        try inPack(pack).reduce(into: [0..<Int64(PackFormat.headerBytes)]) { rooms, location in
            let start = location.offset - Int64(PackFormat.headerBytes)
            let end = start + PackFormat.recordBytes(location.stored)
            if let last = rooms.last, start <= last.upperBound {
                rooms[rooms.count - 1] = last.lowerBound..<max(last.upperBound, end)
            } else {
                rooms.append(start..<end)
            }
        }
    }

    /// How many blocks lie in each pack, and what they take there. Read in the order of the table (hence `+ 0`): in that of
    /// the index the rows lie all over, which takes ten times as long for a million.
    func occupancy() throws -> [Int64: PackOccupancy] {
        let page = Int64(PackFormat.pageBytes)
        let rows = try db.query(
            """
            SELECT pack + 0, count(*), sum(coalesce(stored, size)), sum((coalesce(stored, size) + ?) / ?)
            FROM blocks GROUP BY pack + 0
            """,
            [(page - 1).sql, page.sql])
        return rows.reduce(into: [:]) { all, row in
            let overhead = PackFormat.overhead(blocks: row.int64(1), pages: row.int64(3))
            all[row.int64(0)] = PackOccupancy(blocks: row.int64(1), bytes: row.int64(2) + overhead)
        }
    }

    /// Blocks of a pack behind `offset` that are not known to be damaged, in the order of their bytes.
    func whole(in pack: Int64, after offset: Int64, limit: Int) throws -> [PlacedBlock] {
        try db.query(
            """
            SELECT drive_id, hash, \(BlockLocation.columns()) FROM blocks
            WHERE pack = ? AND pack_offset > ? AND damaged = 0 ORDER BY pack_offset LIMIT ?
            """, [pack.sql, offset.sql, limit.sql]
        ).map(PlacedBlock.init)
    }

    /// Blocks behind a place that were never tried to be made smaller, in the order of the disk; those that nothing refers
    /// to are about to go anyway.
    func untried(after place: ReclaimMark, limit: Int) throws -> [PlacedBlock] {
        try db.query(
            """
            SELECT drive_id, hash, \(BlockLocation.columns()) FROM blocks
            WHERE stored IS NULL AND refs > 0 AND damaged = 0 AND (pack, pack_offset) > (?, ?)
            ORDER BY pack, pack_offset LIMIT ?
            """, [place.pack.sql, place.offset.sql, limit.sql]
        ).map(PlacedBlock.init)
    }

    /// It stays as it came.
    func markTried(_ block: PlacedBlock) throws {
        try db.execute(
            """
            UPDATE blocks SET stored = size
            WHERE drive_id = ? AND hash = ? AND pack = ? AND pack_offset = ? AND stored IS NULL
            """, [block.driveId.sql, block.hash.sql, block.location.pack.sql, block.location.offset.sql])
    }

    /// A block's bytes lie elsewhere from now on, unless it was freed meanwhile, or got other bytes.
    ///
    /// - Returns: whether it is so.
    func move(_ block: PlacedBlock, to place: BlockLocation) throws -> Bool {
        try db.execute(
            """
            UPDATE blocks SET pack = ?, pack_offset = ?, stored = ?
            WHERE drive_id = ? AND hash = ? AND pack = ? AND pack_offset = ?
            """,
            [
                place.pack.sql, place.offset.sql, place.stored.sql, block.driveId.sql, block.hash.sql,
                block.location.pack.sql,
                block.location.offset.sql,
            ]) == 1
    }
}

/// A block of some drive, and where it lies.
struct PlacedBlock: Equatable, Sendable {
    var driveId: Int64
    var hash: ContentHash
    var location: BlockLocation

    init(driveId: Int64, hash: ContentHash, location: BlockLocation) {
        self.driveId = driveId
        self.hash = hash
        self.location = location
    }

    fileprivate init(_ row: SQLRow) {
        self.init(driveId: row.int64(0), hash: row.hash(1), location: BlockLocation(row, from: 2))
    }
}

/// What lies in a pack.
struct PackOccupancy: Equatable, Sendable {
    var blocks: Int64
    /// With what the pack adds to each block.
    var bytes: Int64
}
