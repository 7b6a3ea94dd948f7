import BothyContract
import GRDB

/// What is kept here of the feed, on both sides of a gap.
extension FeedStore {
    /// - Returns: the newest entry that is kept below a gap; nil where there is no gap below that entry.
    func newest(beyondGapAt entry: Int64) async throws -> Int64? {
        try await read { db in try FeedGapTable.all(in: db).first { $0.entry == entry }?.below }
    }

    /// - Parameter id: of an entry, or of the post in one.
    /// - Returns: that entry; nil for what is not in the feed here.
    package func entry(_ id: Int64) async throws -> Int64? {
        try await read { db in try PostTable.entry(id, in: db) }
    }

    /// Takes in the page that is next above an entry.
    package func apply(rising page: FeedApiResponse, above entry: Int64) async throws {
        let now = try await lived()
        try await write { db in try PostTable.apply(rising: page, above: entry, now: now, in: db) }
    }
}
