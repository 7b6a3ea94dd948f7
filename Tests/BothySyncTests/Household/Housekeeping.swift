@testable import BothyServer

/// What the server does by itself, at moments that a seed draws, also while devices make passes. It waits for nothing: neither between
/// two pieces of its work, nor for the day after which a block that nothing refers to is freed.
struct Housekeeping: Sendable {
    private let services: ServerServices
    private let uses: Uses

    /// Bytes of a pack: small, so that there are many to look after.
    static let packBytes: Int64 = 4 << 20
    private static let later: Int64 = 2 * 24 * 3600

    init(_ services: ServerServices, _ uses: Uses) {
        self.services = services
        self.uses = uses
    }

    private var collection: GarbageCollection {
        GarbageCollection(
            database: services.database, packs: services.packs, writes: services.writes,
            lived: { [lived = services.lived] in lived.now() + Self.later }, pause: { _ in })
    }

    /// - Returns: what was done.
    func step(_ chance: inout SeededGenerator) async throws -> String {
        switch Int.random(in: 0..<3, using: &chance) {
        case 0:
            let report = try await collection.run()
            uses.add(.reclaimedByte, Int(report.freedBytes))
            uses.add(.movedByte, Int(report.movedBytes))
            return "frees \(report.freedBlocks) blocks, gives back \(report.freedBytes) bytes"
        case 1:
            try await collection.tidyPacks()
            return "compresses what it has"
        default:
            return try await emptyOne(&chance)
        }
    }

    /// Whether a pack is worth it is decided elsewhere; here one is emptied whatever is in it.
    private func emptyOne(_ chance: inout SeededGenerator) async throws -> String {
        guard let pack = try await services.packs.fullPacks().randomElement(using: &chance)?.pack else {
            return "finds no full pack"
        }
        let compaction = Compaction(
            database: services.database, packs: services.packs, writes: services.writes, pause: { _ in })
        let moved = try await compaction.empty(pack)
        let reclaimed = try await collection.reclaim(pack)
        uses.add(.movedByte, Int(moved))
        uses.add(.reclaimedByte, Int(reclaimed))
        return "empties pack \(pack): \(moved) bytes moved, \(reclaimed) given back"
    }

    /// All of it, and then every byte that is kept is read.
    ///
    /// - Returns: what is damaged.
    func inspect() async throws -> [String] {
        try await collection.tidyPacks()
        let compressed = try await services.database.read { db in
            try db.first("SELECT count(*) FROM blocks WHERE stored < size")?.int(0) ?? 0
        }
        uses.add(.compressedBlock, compressed)
        let report = try await Verification(database: services.database, packs: services.packs).run()
        return report.databaseFaults
            + report.damaged.map { "block \($0.hash.hex.prefix(8)) of \($0.files.map(\.path)) is damaged" }
    }
}
