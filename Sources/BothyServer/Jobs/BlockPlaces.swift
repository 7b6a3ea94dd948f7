import BothyContract

/// The table `blocks` over all drives, for whoever looks after the packs.
struct BlockPlaces {
    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    /// The highest number of a pack that a block lies in; 0 where there is none.
    func newestPack() throws -> Int64 {
        try db.first("SELECT max(pack) FROM blocks")?.optional(0, SQLRow.int64) ?? 0
    }

    /// What lives in a pack, in the order of its bytes.
    func inPack(_ pack: Int64) throws -> [BlockLocation] {
        try db.query("SELECT pack_offset, size FROM blocks WHERE pack = ? ORDER BY pack_offset", [pack.sql])
            .map { BlockLocation(pack: pack, offset: $0.int64(0), length: $0.int(1)) }
    }
}
