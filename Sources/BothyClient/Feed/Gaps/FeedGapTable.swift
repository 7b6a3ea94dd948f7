import GRDB

/// The tables `feed_gaps` and `feed_arrival`: what a device does not know of the feed that it keeps.
enum FeedGapTable {
    static let schema = """
        CREATE TABLE feed_gaps (
            entry_id INTEGER PRIMARY KEY NOT NULL,
            remote TEXT NOT NULL
        ) STRICT;

        CREATE TABLE feed_arrival (
            one INTEGER PRIMARY KEY NOT NULL CHECK (one = 1),
            arrival TEXT NOT NULL
        ) STRICT;
        """

    /// All of them: a feed has few, each of a time away from the server.
    static func all(in db: Database) throws -> [FeedGap] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT entry_id, remote, (SELECT max(e.entry_id) FROM feed_entries e WHERE e.entry_id < g.entry_id)
                FROM feed_gaps g ORDER BY entry_id DESC
                """
        ).map { FeedGap(entry: $0[0], remote: $0[1], below: $0[2]) }
    }

    /// See ``FeedGap/isJoined(rising:above:isKept:next:gaps:)``.
    static func isJoined(rising top: Int64, above entry: Int64, in db: Database) throws -> Bool {
        let isKept =
            try Int64.fetchOne(db, sql: "SELECT 1 FROM feed_entries WHERE entry_id = ?", arguments: [entry]) != nil
        let next = try Int64.fetchOne(
            db, sql: "SELECT min(entry_id) FROM feed_entries WHERE entry_id > ?", arguments: [entry])
        return FeedGap.isJoined(
            rising: top, above: entry, isKept: isKept, next: next, gaps: Set(try all(in: db).map(\.entry)))
    }

    /// Between two entries nothing is missing any more.
    static func close(above entry: Int64, upTo top: Int64, in db: Database) throws {
        try db.execute(
            sql: "DELETE FROM feed_gaps WHERE entry_id > ? AND entry_id <= ?", arguments: [entry, top])
    }

    /// Notes where a part that was fetched leaves a gap, in place of those that it fills. It is asked before the part is taken in.
    static func note(_ part: FeedGap.Fetched, in db: Database) throws {
        let lowest = try Int64.fetchOne(
            db, sql: "SELECT min(entry_id) FROM feed_entries WHERE entry_id >= ? AND entry_id < ?",
            arguments: [part.end, part.before ?? .max])
        let hasOlder =
            try Int64.fetchOne(db, sql: "SELECT 1 FROM feed_entries WHERE entry_id < ? LIMIT 1", arguments: [part.end])
            != nil
        let left = FeedGap.left(
            by: part, lowest: lowest, gaps: Set(try all(in: db).map(\.entry)), hasOlder: hasOlder)
        try db.execute(
            sql: "DELETE FROM feed_gaps WHERE entry_id >= ? AND entry_id <= ?",
            arguments: [part.end, part.before ?? .max])
        guard let left else { return }
        try db.execute(
            sql: "INSERT INTO feed_gaps (entry_id, remote) VALUES (?, ?)", arguments: [left.entry, left.remote])
    }

    /// All that had come into the feed when its newest page was fetched; nil where none was.
    static func arrival(in db: Database) throws -> String? {
        try String.fetchOne(db, sql: "SELECT arrival FROM feed_arrival")
    }

    static func set(arrival: String, in db: Database) throws {
        try db.execute(sql: "INSERT OR REPLACE INTO feed_arrival (one, arrival) VALUES (1, ?)", arguments: [arrival])
    }
}
