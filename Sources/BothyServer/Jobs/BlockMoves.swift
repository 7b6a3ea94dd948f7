import BothyContract
import NIOCore

/// Copies blocks to the end of the newest pack, like any that come, compressed where that pays, and then has their rows say so.
///
/// Copies first, their fsync, reading them back, and only then one transaction that moves the rows. A crash before it leaves
/// copies that nothing refers to, which are reclaimed like any garbage. The old places are given back as any are in which
/// nothing lives: by reclaiming. Who looked a block up before and reads it after looks it up again (``BlockReader``).
struct BlockMoves: Sendable {
    /// Bytes copied in one piece, behind one fsync and one transaction; others reclaim or back up in between.
    static let pieceBytes = 8 << 20
    /// Blocks of one piece, so that no one waits long behind its transaction.
    static let pieceBlocks = 500
    /// Bytes a second that are read. People come first: a household's disk does five times as much.
    static let bytesPerSecond = 16 << 20
    /// Bytes in memory of a block that is too large to be compressed.
    private static let stepBytes = 1 << 20

    private let database: any Database
    private let packs: any PackStore
    private let writes: BlockWrites

    /// What became of a piece.
    struct Outcome: Equatable, Sendable {
        /// Of blocks that lie elsewhere now, as they were.
        var movedBytes: Int64 = 0
        /// Blocks that would not have become smaller, and so were left where they are.
        var left: [PlacedBlock] = []
    }

    init(database: any Database, packs: any PackStore, writes: BlockWrites) {
        self.database = database
        self.packs = packs
        self.writes = writes
    }

    /// The first of `blocks` that make up one piece.
    static func piece(of blocks: [PlacedBlock]) -> [PlacedBlock] {
        var bytes = 0
        return Array(
            blocks.prefix(pieceBlocks).prefix { block in
                defer { bytes += block.location.length }
                return bytes < pieceBytes
            })
    }

    /// A block that is damaged is written down as such, and stays where it is.
    ///
    /// - Parameter onlySmaller: leaves out those that compressing makes no smaller.
    /// - Throws: ``PackError``, ``DatabaseError``; nothing was moved then.
    func move(_ blocks: [PlacedBlock], onlySmaller: Bool = false) async throws -> Outcome {
        if blocks.isEmpty { return Outcome() }
        // A backup's snapshot and the packs that it copies must not be from both sides of a move.
        return try await packs.withoutReclaim {
            try await writes.during(in: packs) {
                var outcome = Outcome()
                var copies = [(block: PlacedBlock, location: BlockLocation)]()
                for block in blocks {
                    try Task.checkCancellation()
                    switch try await copy(block, onlySmaller: onlySmaller) {
                    case .copied(let location): copies.append((block, location))
                    case .left: outcome.left.append(block)
                    case .damaged: continue
                    }
                }
                try await packs.makeDurable()
                for copy in copies { try await packs.checkStored(copy.location, of: copy.block.hash) }
                outcome.movedBytes = try await rebind(copies)
                return outcome
            }
        }
    }

    private enum Copy {
        case copied(BlockLocation)
        case left, damaged
    }

    private func copy(_ block: PlacedBlock, onlySmaller: Bool) async throws -> Copy {
        do {
            guard BlockCompression.sizes.contains(block.location.length) else {
                return onlySmaller ? .left : .copied(try await stream(block))
            }
            let bytes = try await packs.read(block.location, of: block.hash, range: 0..<block.location.length)
            if let frame = BlockCompression.frame(of: bytes) {
                return .copied(try await write(ByteBuffer(bytes: frame), of: block))
            }
            return onlySmaller ? .left : .copied(try await write(bytes, of: block))
        } catch PackError.damaged(let place) {
            try await DamageNotes(database).note(place)
            return .damaged
        }
    }

    private func write(_ bytes: ByteBuffer, of block: PlacedBlock) async throws -> BlockLocation {
        try await writing(block, stored: bytes.readableBytes) { try await $0.append(bytes) }
    }

    private func stream(_ block: PlacedBlock) async throws -> BlockLocation {
        let length = block.location.length
        return try await writing(block, stored: length) { writer in
            for start in stride(from: 0, to: length, by: Self.stepBytes) {
                let range = start..<min(start + Self.stepBytes, length)
                try await writer.append(try await packs.read(block.location, of: block.hash, range: range))
            }
        }
    }

    private func writing(
        _ block: PlacedBlock, stored: Int, _ body: (any PackBlockWriter) async throws -> Void
    ) async throws -> BlockLocation {
        let writer = try await packs.begin(length: block.location.length, stored: stored)
        do {
            try await body(writer)
            return try await writer.finish(hash: block.hash)
        } catch {
            await writer.abandon()
            throw error
        }
    }

    /// - Returns: bytes of the blocks that lie elsewhere now.
    private func rebind(_ copies: [(block: PlacedBlock, location: BlockLocation)]) async throws -> Int64 {
        try await database.write(from: .reserve) { db in
            let places = BlockPlaces(db)
            return try copies.reduce(0) { sum, copy in
                sum + (try places.move(copy.block, to: copy.location) ? Int64(copy.location.length) : 0)
            }
        }
    }
}
