/// Stops writing the feeds of people who have not looked for long, and lets go of what nobody needs any more.
package struct FeedSleep: Sendable {
    /// Feeds of one transaction.
    private static let batch = 50
    /// Rows that one transaction takes away, so that nobody waits long behind it.
    private static let mostRows = 2_000

    private let database: any Database
    /// In seconds.
    private let lived: @Sendable () -> Int64
    private let reach: FeedReach
    private let mostRows: Int

    init(
        database: any Database, lived: @escaping @Sendable () -> Int64, reach: FeedReach, mostRows: Int = Self.mostRows
    ) {
        self.database = database
        self.lived = lived
        self.reach = reach
        self.mostRows = mostRows
    }

    package func step() async throws -> Job.Step {
        let now = lived()
        let done = try await database.write(from: .reserve) { [reach, mostRows] db in
            let readers = FeedReaderTable(db)
            let unread = try readers.unread(since: now - reach.patience, limit: Self.batch)
            var left = mostRows
            for reader in unread where left > 0 {
                var standing = try readers.standing(of: reader)
                if standing.lastRead == nil {
                    standing.lastRead = now
                    try readers.set(standing, of: reader)
                    continue
                }
                left -= try cut(reader, standing, atMost: left, in: db)
                if left > 0 { try FeedFilling(db, of: reader, reach).fallAsleep() }
            }
            return try unread.count + LoudEntryTable(db).prune(limit: mostRows)
        }
        return done == 0 ? .done : .more
    }

    /// Takes some of what is not kept out of a feed, the oldest first. A reader who comes back meanwhile has it brought again, as by
    /// scrolling.
    ///
    /// - Returns: how many entries that were; fewer than the most where none is left.
    private func cut(
        _ reader: Int64, _ standing: FeedReaderTable.Standing, atMost most: Int, in db: any SQLConnection
    ) throws -> Int {
        let feed = FeedEntryTable(db)
        guard let kept = try feed.newest(of: reader, besides: reach.entries - 1) else { return 0 }
        let gone = try feed.cut(before: kept, of: reader, limit: most)
        guard gone > 0, let oldest = try feed.oldest(of: reader) else { return gone }
        var standing = standing
        standing.wholeFrom = max(standing.wholeFrom, oldest)
        standing.cutArrival = try ArrivalTable(db).last(of: reader)
        try FeedReaderTable(db).set(standing, of: reader)
        return gone
    }
}
