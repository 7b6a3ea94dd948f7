import BothyContract

/// The table `feed_readers`: how many times something came into each feed.
///
/// An entry's `arrival` tells in which order it came, which its place in the feed does not: what somebody posted long ago
/// comes late to those who follow her now. It grows with each transaction that brings something, and never goes back, so that what has a
/// greater one than a device has seen is all that it lacks.
struct ArrivalTable {
    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    /// Makes the next arrival of one feed.
    func next(to reader: Int64) throws -> Int64 {
        let rows = try db.query(
            """
            INSERT INTO feed_readers (reader_id, last_arrival) VALUES (?, 1)
            ON CONFLICT (reader_id) DO UPDATE SET last_arrival = feed_readers.last_arrival + 1
            RETURNING last_arrival
            """, [reader.sql])
        guard let arrival = rows.first?.int64(0) else { preconditionFailure("an upsert leaves its row") }
        return arrival
    }

    /// Makes the next arrival of many feeds. Each feed's is its `last_arrival`.
    ///
    /// - Parameter readers: selects `reader_id`, each once.
    func next(toAll readers: String, _ arguments: [SQLValue]) throws {
        try db.execute(
            """
            INSERT INTO feed_readers (reader_id, last_arrival)
            SELECT reader_id, 1 FROM (\(readers)) readers WHERE true
            ON CONFLICT (reader_id) DO UPDATE SET last_arrival = feed_readers.last_arrival + 1
            """, arguments)
    }

    /// All that is in feeds because of a person comes into them again, where it was: it was not shown, and is now.
    func again(by person: Int64) throws {
        let arguments = [person.sql, person.sql]
        try db.execute(
            """
            INSERT INTO feed_readers (reader_id, last_arrival)
            SELECT DISTINCT reader_id, 1 FROM feed_entries WHERE author_id = ? OR shared_by = ?
            ON CONFLICT (reader_id) DO UPDATE SET last_arrival = feed_readers.last_arrival + 1
            """, arguments)
        try db.execute(
            """
            UPDATE feed_entries SET arrival = (
                SELECT r.last_arrival FROM feed_readers r WHERE r.reader_id = feed_entries.reader_id)
            WHERE author_id = ? OR shared_by = ?
            """, arguments)
    }

    /// What came last into a feed; 0 for nothing.
    func last(of reader: Int64) throws -> Int64 {
        try db.first("SELECT last_arrival FROM feed_readers WHERE reader_id = ?", [reader.sql])?.int64(0) ?? 0
    }
}
