import BothyContract

/// How far a person has read, in the table `feed_readers`.
struct MarkerTable {
    private let db: any SQLConnection
    private let reader: Int64

    init(_ db: any SQLConnection, of reader: Int64) {
        self.db = db
        self.reader = reader
    }

    func marker() throws -> FeedMarker {
        let row = try db.first(
            """
            SELECT read_up_to, position_entry, position_offset, position_ms FROM feed_readers WHERE reader_id = ?
            """, [reader.sql])
        guard let row else { return FeedMarker() }
        var marker = FeedMarker(readUpTo: row.int64(0) == 0 ? nil : row.int64(0))
        guard let asked = row.optional(1, SQLRow.int64), let entry = try entry(upTo: asked) else { return marker }
        // Of another entry than the one that was named, all is still to be read.
        marker.position = FeedPosition(entryId: entry, offset: entry == asked ? row.int(2) : 0)
        marker.updatedAt = row.timestamp(3)
        return marker
    }

    /// What is absent stays as it is. `readUpTo` only grows, up to the newest entry there is.
    func update(_ request: UpdateFeedMarkerRequest, now: Timestamp) throws {
        try db.execute(
            "INSERT INTO feed_readers (reader_id) VALUES (?) ON CONFLICT (reader_id) DO NOTHING", [reader.sql])
        if let readUpTo = try request.readUpTo.flatMap(entry) {
            try db.execute(
                "UPDATE feed_readers SET read_up_to = ? WHERE reader_id = ? AND read_up_to < ?",
                [readUpTo.sql, reader.sql, readUpTo.sql])
        }
        guard let position = request.position else { return }
        try db.execute(
            """
            UPDATE feed_readers SET position_entry = ?, position_offset = ?, position_ms = ? WHERE reader_id = ?
            """, [position.entryId.sql, position.offset.sql, now.sql, reader.sql])
    }

    /// The entry, or the next older one that the feed shows; nil where there is none.
    ///
    /// Further down than the feed is whole, the next older one may not be here yet: there it is the place itself.
    private func entry(upTo id: Int64) throws -> Int64? {
        let newer = id == .max ? nil : FeedListing.Position(entryId: id + 1)
        let shown = try FeedListing(.feed, limit: 1, after: newer).page(in: db, reader: reader).entries.first?.preview
            .entryId
        let wholeFrom = try FeedReaderTable(db).standing(of: reader).wholeFrom
        guard id > 0, shown ?? 0 < wholeFrom else { return shown }
        return min(id, wholeFrom)
    }
}
