import GRDB

/// What is kept here of the feed, on both sides of a gap.
extension FeedStore {
    /// - Returns: the newest entry that is kept below a gap; nil where there is no gap below that entry.
    func newest(beyondGapAt entry: Int64) async throws -> Int64? {
        try await read { db in
            guard try FeedGapTable.all(in: db).contains(where: { $0.entry == entry }) else { return nil }
            return try Int64.fetchOne(
                db, sql: "SELECT max(entry_id) FROM feed_entries WHERE entry_id < ?", arguments: [entry])
        }
    }
}
