/// Empties packs in which little lives, while the server runs: what lives there is copied to the end of the newest pack.
struct Compaction: Sendable {
    private let database: any Database
    private let packs: any PackStore
    private let moves: BlockMoves
    private let pause: @Sendable (Double) async throws -> Void

    init(
        database: any Database, packs: any PackStore, writes: BlockWrites,
        pause: @escaping @Sendable (Double) async throws -> Void
    ) {
        self.database = database
        self.packs = packs
        self.pause = pause
        moves = BlockMoves(database: database, packs: packs, writes: writes)
    }

    /// The packs that are worth it, in the order of their worth.
    func chosen() async throws -> [Int64] {
        let full = try await packs.fullPacks()
        let occupancy = try await database.read { try BlockPlaces($0).occupancy() }
        return CompactionChoice.packs(full, occupancy)
    }

    /// Moves everything out of a pack that can be read. A damaged block stays where it is, and its pack with it.
    ///
    /// - Returns: bytes moved.
    /// - Throws: ``PackError``, ``DatabaseError``; what was moved before is.
    func empty(_ pack: Int64) async throws -> Int64 {
        var moved: Int64 = 0
        var place: Int64 = 0
        while true {
            let after = place
            let blocks = try await database.read {
                try BlockPlaces($0).whole(in: pack, after: after, limit: BlockMoves.pieceBlocks)
            }
            let piece = BlockMoves.piece(of: blocks)
            guard let last = piece.last else { return moved }
            let bytes = try await moves.move(piece).movedBytes
            moved += bytes
            place = last.location.offset
            try await pause(Double(bytes) / Double(BlockMoves.bytesPerSecond))
        }
    }
}
