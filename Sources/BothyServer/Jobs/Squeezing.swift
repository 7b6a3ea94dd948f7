import BothyContent
import NIOCore

/// Compresses what lies in the packs, behind the backs of those who wait: a block is tried once, some hours after it came. A
/// sample of it says at once whether it is hopeless, as most photos and films are.
struct Squeezing: Sendable {
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

    /// One piece of work after another.
    ///
    /// - Parameters:
    ///   - place: behind which it begins; where it stands afterwards.
    ///   - bytes: that may be moved before their old places are given back, or looked at.
    /// - Returns: bytes moved; nil when there is nothing left to try.
    func squeeze(from place: inout ReclaimMark, upTo bytes: Int64) async throws -> Int64? {
        var (moved, read): (Int64, Int64) = (0, 0)
        var isAtEnd = true
        while let piece = try await untried(after: place) {
            isAtEnd = false
            let done = try await squeeze(piece)
            moved += done.moved
            read += done.read
            if let last = piece.last { place = ReclaimMark(pack: last.location.pack, offset: last.location.offset) }
            if max(moved, read) >= bytes { break }
        }
        return isAtEnd ? nil : moved
    }

    private func untried(after place: ReclaimMark) async throws -> [PlacedBlock]? {
        let blocks = try await database.read {
            try BlockPlaces($0).untried(after: place, limit: BlockMoves.pieceBlocks)
        }
        return blocks.isEmpty ? nil : BlockMoves.piece(of: blocks)
    }

    /// - Returns: bytes moved, and read.
    private func squeeze(_ piece: [PlacedBlock]) async throws -> (moved: Int64, read: Int64) {
        var hopeful = [PlacedBlock]()
        var hopeless = [PlacedBlock]()
        var read = 0
        for block in piece {
            try Task.checkCancellation()
            let samples = try await samples(of: block)
            read += samples.reduce(0) { $0 + $1.readableBytes }
            if BlockCompression.isHopeful(samples) { hopeful.append(block) } else { hopeless.append(block) }
        }
        let outcome = try await moves.move(hopeful, onlySmaller: true)
        let tried = hopeless + outcome.left
        try await database.write(from: .reserve) { db in
            for block in tried { try BlockPlaces(db).markTried(block) }
        }
        read += hopeful.reduce(0) { $0 + $1.location.length }
        try await pause(Double(read) / Double(BlockMoves.bytesPerSecond))
        return (outcome.movedBytes, Int64(read))
    }

    /// None where the block is not tried at all, or cannot be read.
    private func samples(of block: PlacedBlock) async throws -> [ByteBuffer] {
        let length = block.location.length
        guard BlockCompression.sizes.contains(length) else { return [] }
        do {
            var samples = [ByteBuffer]()
            for range in ShrinkGuess.samples(of: length) {
                samples.append(try await packs.read(block.location, of: block.hash, range: range))
            }
            return samples
        } catch PackError.damaged(let place) {
            try await DamageNotes(database).note(place)
            return []
        }
    }
}
