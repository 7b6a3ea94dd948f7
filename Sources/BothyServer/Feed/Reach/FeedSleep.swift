/// Stops writing the feeds of people who have not looked for long, and lets go of what nobody needs any more.
package struct FeedSleep: Sendable {
    /// Feeds, and rows, of one transaction.
    private static let batch = 50

    private let database: any Database
    /// In seconds.
    private let lived: @Sendable () -> Int64
    private let reach: FeedReach

    init(database: any Database, lived: @escaping @Sendable () -> Int64, reach: FeedReach) {
        self.database = database
        self.lived = lived
        self.reach = reach
    }

    package func step() async throws -> Job.Step {
        let now = lived()
        let done = try await database.write(from: .reserve) { [reach] db in
            let readers = FeedReaderTable(db)
            let unread = try readers.unread(since: now - reach.patience, limit: Self.batch)
            for reader in unread {
                var standing = try readers.standing(of: reader)
                if standing.lastRead == nil {
                    standing.lastRead = now
                    try readers.set(standing, of: reader)
                } else {
                    try FeedFilling(db, of: reader, reach).fallAsleep()
                }
            }
            return try unread.count + LoudEntryTable(db).prune(limit: Self.batch * 10)
        }
        return done == 0 ? .done : .more
    }
}
