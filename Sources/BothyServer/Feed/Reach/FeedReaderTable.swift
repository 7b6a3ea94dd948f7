/// Who reads which part of a feed that is written, in the table `feed_readers`.
struct FeedReaderTable {
    struct Standing: Equatable, Sendable {
        /// When the reader looked last, in seconds of lived time; nil where nobody knows.
        var lastRead: Int64?
        /// The entry after which the feed was not written any more; nil while it is.
        var asleepFrom: Int64?
        /// The number in ``LoudEntryTable`` up to which the feed has everything.
        var loudSeen: Int64 = 0
        /// The oldest entry from which on the feed is whole; 0 where all of it is here.
        var wholeFrom: Int64 = 0
        /// The arrival up to which entries came, or would have come, that were taken out of the feed, or left out of it: they are found
        /// by going back alone. 0 where there were none.
        var cutArrival: Int64 = 0
    }

    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    func standing(of reader: Int64) throws -> Standing {
        try db.first(
            "SELECT last_read, asleep_from, loud_seen, whole_from, cut_arrival FROM feed_readers WHERE reader_id = ?",
            [reader.sql]
        ).map { row in
            Standing(
                lastRead: row.optional(0, SQLRow.int64), asleepFrom: row.optional(1, SQLRow.int64),
                loudSeen: row.int64(2), wholeFrom: row.int64(3), cutArrival: row.int64(4))
        } ?? Standing()
    }

    func set(_ standing: Standing, of reader: Int64) throws {
        try db.execute(
            """
            INSERT INTO feed_readers (reader_id, last_read, asleep_from, loud_seen, whole_from, cut_arrival)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (reader_id) DO UPDATE SET last_read = excluded.last_read, asleep_from = excluded.asleep_from,
                loud_seen = excluded.loud_seen, whole_from = excluded.whole_from, cut_arrival = excluded.cut_arrival
            """,
            [
                reader.sql, standing.lastRead.sql, standing.asleepFrom.sql, standing.loudSeen.sql,
                standing.wholeFrom.sql, standing.cutArrival.sql,
            ])
    }

    /// Whose feeds are written though they have not looked since a moment of lived time, or nobody knows when they did.
    func unread(since moment: Int64, limit: Int) throws -> [Int64] {
        try db.query(
            """
            SELECT reader_id FROM feed_readers
            WHERE asleep_from IS NULL AND (last_read IS NULL OR last_read < ?) LIMIT ?
            """, [moment.sql, limit.sql]
        ).map { $0.int64(0) }
    }
}
