/// Brings into one feed what was not carried there: when its reader comes, and when they go further back than it is kept.
struct FeedFilling {
    /// A look is noted once in so many seconds of lived time.
    private static let noted: Int64 = 86_400

    private let db: any SQLConnection
    private let reader: Int64
    private let reach: FeedReach
    private let readers: FeedReaderTable

    init(_ db: any SQLConnection, of reader: Int64, _ reach: FeedReach) {
        self.db = db
        self.reader = reader
        self.reach = reach
        readers = FeedReaderTable(db)
    }

    /// Whether it changes anything that the reader comes.
    ///
    /// - Parameter lived: seconds of the server's lived time.
    func hasToCome(at lived: Int64) throws -> Bool {
        let standing = try readers.standing(of: reader)
        return try standing.asleepFrom != nil || standing.lastRead.map { $0 + Self.noted <= lived } ?? true
            || !LoudEntryTable(db).bringers(to: reader, after: standing.loudSeen).isEmpty
    }

    /// The reader comes: what loud authors posted since, and after a long absence what everybody did, is in the feed.
    ///
    /// - Parameter lived: as above.
    func come(at lived: Int64) throws {
        var standing = try readers.standing(of: reader)
        let heads = try missing(standing)
        if !heads.isEmpty {
            let (entries, isCut) = try newest(of: heads, after: standing.asleepFrom ?? 0, before: .max)
            let (feed, arrival) = (FeedEntryTable(db), try ArrivalTable(db).next(to: reader))
            // A share may have been taken back since.
            try feed.fill(entries.filter(ReactionTable(db).stands), of: reader, arrival: arrival)
            // There may be more between these and what was here: that is found again by going back.
            if isCut, let oldest = entries.last?.entryId {
                try feed.cut(before: oldest, of: reader)
                standing.wholeFrom = max(standing.wholeFrom, oldest)
                standing.cutArrival = arrival
            }
        }
        standing.lastRead = lived
        standing.asleepFrom = nil
        standing.loudSeen = try LoudEntryTable(db).last()
        try readers.set(standing, of: reader)
    }

    private func missing(_ standing: FeedReaderTable.Standing) throws -> [FeedSource.Head] {
        if let asleepFrom = standing.asleepFrom { return try FeedSource.all(for: reader, after: asleepFrom, in: db) }
        return try LoudEntryTable(db).bringers(to: reader, after: standing.loudSeen).compactMap {
            try FeedSource.loud($0, after: standing.loudSeen).head(in: db)
        }
    }

    /// Brings the next older entries of a feed that is not kept whole.
    func goBack() throws {
        var standing = try readers.standing(of: reader)
        guard standing.wholeFrom > 0 else { return }
        let before = standing.wholeFrom
        let heads = try FeedSource.all(for: reader, before: before, in: db)
        let (entries, isCut) = try newest(of: heads, after: 0, before: before)
        // They are no news.
        try FeedEntryTable(db).fill(entries, of: reader, arrival: 0)
        standing.wholeFrom = isCut ? entries.last?.entryId ?? 0 : 0
        try readers.set(standing, of: reader)
    }

    private func newest(
        of heads: [FeedSource.Head], after: Int64, before: Int64
    ) throws -> (entries: [FeedEntry], isCut: Bool) {
        try NewestMerge.newest(reach.entries, of: heads) { [db] source, floor, limit in
            try source.entries(after: max(after, floor), before: before, limit: limit, in: db)
        }
    }

    /// The feed is no longer written, and is kept as far as it is likely to be read.
    func fallAsleep() throws {
        var standing = try readers.standing(of: reader)
        let feed = FeedEntryTable(db)
        let waiting = [
            try feed.newest(of: reader) ?? 0, try FanOutTable(db).first()?.entry.entryId,
            try LoudEntryTable(db).oldest(for: reader, after: standing.loudSeen),
        ].compactMap { $0 }
        standing.asleepFrom = max(0, (waiting.min() ?? 0) - SnowflakeIds.hour)
        if let oldest = try feed.newest(of: reader, besides: reach.entries - 1) {
            // Of what was older than the feed was whole from, some may be kept: it is whole from there no more than before.
            if try feed.cut(before: oldest, of: reader) > 0 {
                standing.wholeFrom = max(standing.wholeFrom, oldest)
                standing.cutArrival = try ArrivalTable(db).last(of: reader)
            }
        }
        try readers.set(standing, of: reader)
    }
}
