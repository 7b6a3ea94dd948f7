import BothyContract

/// Takes away what lay in folders that were deleted for good, some of it a step.
///
/// Those who wait for changes are woken at the end: the folder itself is told of since it was deleted, and a wake for every
/// step would have each open page and each device look again for every two hundred files.
actor PurgeWalk {
    private let database: any Database
    private let stamps: StampSource
    private let notifier: Notifier
    /// The last entry that was logged in each drive, of which nobody was told yet.
    private var untold = [Int64: ChangeCursor]()

    init(database: any Database, stamps: StampSource, notifier: Notifier) {
        self.database = database
        self.stamps = stamps
        self.notifier = notifier
    }

    /// - Returns: whether nothing is left to do.
    func step() async throws -> Job.Step {
        let hasMore = try await database.read { db in
            try db.first("SELECT 1 FROM nodes WHERE purged = 1 LIMIT 1") != nil
        }
        if hasMore {
            let (isMore, logged) = try await database.write(from: .reserve) { [stamps] db in
                var logged = [Int64: ChangeCursor]()
                let isMore = try Purge.drain(in: db, stamps: stamps) { logged[$0] = $1 }
                return (isMore, logged)
            }
            untold.merge(logged) { $1 }
            if isMore { return .more }
        }
        let told = untold
        untold = [:]
        for (drive, cursor) in told { await notifier.wake(driveId: drive, cursor: cursor) }
        return .done
    }
}
