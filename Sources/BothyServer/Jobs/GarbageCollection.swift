/// Frees blocks that nothing refers to, and gives their room in the packs back to the disk.
package struct GarbageCollection: Sendable {
    /// Blocks freed in one transaction, so that no one waits long behind it.
    static let batch = 500

    private let database: any Database
    private let packs: any PackStore
    private let writes: BlockWrites
    private let lived: @Sendable () -> Int64

    package struct Report: Codable, Equatable, Sendable {
        package var freedBlocks: Int
        /// Given back to the disk.
        package var freedBytes: Int64

        package init(freedBlocks: Int, freedBytes: Int64) {
            self.freedBlocks = freedBlocks
            self.freedBytes = freedBytes
        }
    }

    package init(
        database: any Database, packs: any PackStore, writes: BlockWrites, lived: @escaping @Sendable () -> Int64
    ) {
        self.database = database
        self.packs = packs
        self.writes = writes
        self.lived = lived
    }

    /// Both, to the end: `bothy server gc`.
    package func run() async throws -> Report {
        var report = Report(freedBlocks: 0, freedBytes: 0)
        while true {
            let freed = try await freeBlocks()
            report.freedBlocks += freed
            if freed < Self.batch { break }
            try Task.checkCancellation()
        }
        report.freedBytes = try await reclaim()
        return report
    }

    /// - Returns: how many were freed; fewer than ``batch`` when there are no more.
    func freeBlocks() async throws -> Int {
        let lived = lived()
        return try await database.write { db in try UploadExpiry.freeBlocks(in: db, lived: lived, limit: Self.batch) }
    }

    /// - Returns: bytes given back.
    func reclaim() async throws -> Int64 {
        let mark = await packs.reclaimMark()
        // A block that is finished but not committed is not known yet, and must not pass for a dead one.
        await writes.settled()
        return try await packs.reclaim(
            keeping: { [database] pack in try await database.read { db in try BlockPlaces(db).inPack(pack) } },
            asOf: mark)
    }
}
