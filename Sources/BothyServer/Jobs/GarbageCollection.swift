/// Frees blocks that nothing refers to, gives their room in the packs back to the disk, and rewrites packs of which little is
/// left.
package struct GarbageCollection: Sendable {
    /// Blocks freed in one transaction, so that no one waits long behind it.
    static let batch = 500

    private let database: any Database
    private let packs: any PackStore
    private let writes: BlockWrites
    private let lived: @Sendable () -> Int64
    private let compaction: Compaction
    private let squeezing: Squeezing
    /// Bytes that are compressed before their old places are given back, so that little room is taken twice.
    private static let squeezedAtOnce: Int64 = 512 << 20
    /// Seconds after which room is given back in the middle of compressing.
    private static let longestWithout: Int64 = 3600

    package struct Report: Codable, Equatable, Sendable {
        package var freedBlocks: Int
        /// Given back to the disk.
        package var freedBytes: Int64
        /// Packs that were rewritten, and what was moved out of them.
        package var compactedPacks: Int
        package var movedBytes: Int64

        package init(freedBlocks: Int, freedBytes: Int64, compactedPacks: Int = 0, movedBytes: Int64 = 0) {
            self.freedBlocks = freedBlocks
            self.freedBytes = freedBytes
            self.compactedPacks = compactedPacks
            self.movedBytes = movedBytes
        }
    }

    /// - Parameter pause: waits for so many seconds between two pieces of work on the disk, or throws when cancelled.
    package init(
        database: any Database, packs: any PackStore, writes: BlockWrites, lived: @escaping @Sendable () -> Int64,
        pause: @escaping @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
    ) {
        self.database = database
        self.packs = packs
        self.writes = writes
        self.lived = lived
        compaction = Compaction(database: database, packs: packs, writes: writes, pause: pause)
        squeezing = Squeezing(database: database, packs: packs, writes: writes, pause: pause)
    }

    /// All of it, to the end: `bothy server gc`.
    package func run() async throws -> Report {
        var report = Report(freedBlocks: 0, freedBytes: 0)
        report.freedBlocks = try await freeAll()
        report.freedBytes = try await reclaim()
        try await compact(&report)
        return report
    }

    /// Gives back what is dead, and nothing else: for a disk without room.
    func giveBack() async throws {
        _ = try await freeAll()
        _ = try await reclaim()
    }

    private func freeAll() async throws -> Int {
        var all = 0
        while true {
            let freed = try await freeBlocks()
            all += freed
            if freed < Self.batch { return all }
            try Task.checkCancellation()
        }
    }

    /// What the server does by itself: without freeing, which is a job of its own, and with compressing, which takes hours
    /// where much was there before.
    func tidyPacks() async throws {
        var report = Report(freedBlocks: 0, freedBytes: try await reclaim())
        try await compact(&report)
        var (place, last) = (ReclaimMark(pack: 0, offset: 0), lived())
        while let moved = try await squeezing.squeeze(from: &place, upTo: Self.squeezedAtOnce) {
            guard moved > 0 || packs.isShortOfRoom || lived() - last >= Self.longestWithout else { continue }
            _ = try await reclaim()
            last = lived()
        }
    }

    /// Whether who sends something is refused for want of room, of which dead blocks may take some.
    var isShortOfRoom: Bool { packs.isShortOfRoom }

    /// One pack after another, so that no more room is taken meanwhile than one of them needs.
    private func compact(_ report: inout Report) async throws {
        for pack in try await compaction.chosen() {
            try Task.checkCancellation()
            report.movedBytes += try await compaction.empty(pack)
            report.freedBytes += try await reclaim(pack)
            report.compactedPacks += 1
        }
    }

    /// Blocks wait a day for somebody who names them, but not where others are refused for want of their room.
    ///
    /// - Returns: how many were freed; fewer than ``batch`` when there are no more.
    func freeBlocks() async throws -> Int {
        let lived = lived()
        let waited = packs.isShortOfRoom ? 0 : UploadExpiry.unreferencedLifetime
        return try await database.write(from: .reserve) { db in
            try UploadExpiry.freeBlocks(in: db, waitedFor: waited, lived: lived, limit: Self.batch)
        }
    }

    /// - Returns: bytes given back.
    func reclaim(_ pack: Int64? = nil) async throws -> Int64 {
        // A block that is finished but not committed is not known yet, and must not pass for a dead one.
        let mark = writes.lowest(below: await packs.reclaimMark())
        return try await packs.reclaim(
            pack,
            keeping: { [database] pack in try await database.read { db in try BlockPlaces(db).inPack(pack) } },
            asOf: mark)
    }
}
