/// The table `feed_outbox`: entries of which something has not been done in all feeds yet.
struct FanOutTable {
    /// What is done, as the column `task` has it.
    enum Task: Int64, Sendable {
        /// It comes into the feeds of followers.
        case bring
        /// The feeds that have it are settled, and then it is brought to those that lack it.
        case settle
        /// The same, and it arrives in them once more.
        case arrive
    }

    struct Row: Sendable {
        var entry: FeedEntry
        /// The last reader for whom it was done; nil for what is loud, of which those who look just now are told.
        var after: Int64?
        var task = Task.bring
    }

    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    /// One that is on its way begins again.
    func insert(_ row: Row) throws {
        try db.execute(
            """
            INSERT INTO feed_outbox (bringer_id, entry_id, author_id, post_id, carried_to, task)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (bringer_id, entry_id) DO UPDATE SET carried_to = excluded.carried_to, task = excluded.task
            """,
            [
                row.entry.bringer.sql, row.entry.entryId.sql, row.entry.authorId.sql, row.entry.postId.sql,
                row.after.sql, row.task.rawValue.sql,
            ])
    }

    /// All shares of a post are brought to whom they have not come to.
    func insertShares(of post: FeedEntry) throws {
        try db.execute(
            """
            INSERT INTO feed_outbox (bringer_id, entry_id, author_id, post_id, carried_to, task)
            SELECT person_id, shared, author_id, post_id, 0, ? FROM post_reactions
            WHERE author_id = ? AND post_id = ? AND shared > 0
            ON CONFLICT (bringer_id, entry_id) DO UPDATE SET carried_to = excluded.carried_to, task = excluded.task
            """, [Task.bring.rawValue.sql, post.authorId.sql, post.postId.sql])
    }

    /// The oldest.
    func first() throws -> Row? {
        try db.first("SELECT \(Self.columns) FROM feed_outbox ORDER BY entry_id LIMIT 1").map(Self.row)
    }

    /// The same one as it is now; nil where there is nothing more to do.
    func again(_ entry: FeedEntry) throws -> Row? {
        try db.first(
            "SELECT \(Self.columns) FROM feed_outbox WHERE bringer_id = ? AND entry_id = ?",
            [entry.bringer.sql, entry.entryId.sql]
        ).map(Self.row)
    }

    func came(_ entry: FeedEntry, to follower: Int64) throws {
        try db.execute(
            "UPDATE feed_outbox SET carried_to = ? WHERE bringer_id = ? AND entry_id = ?",
            [follower.sql, entry.bringer.sql, entry.entryId.sql])
    }

    func delete(_ entry: FeedEntry) throws {
        try db.execute(
            "DELETE FROM feed_outbox WHERE bringer_id = ? AND entry_id = ?",
            [entry.bringer.sql, entry.entryId.sql])
    }

    private static let columns = "bringer_id, entry_id, author_id, post_id, carried_to, task"

    private static func row(_ row: SQLRow) -> Row {
        guard let task = Task(rawValue: row.int64(5)) else { preconditionFailure("what is written has a task") }
        return Row(
            entry: FeedEntry(
                row.int64(1), broughtBy: row.int64(0), postId: row.int64(3), authorId: row.int64(2)),
            after: row.optional(4, SQLRow.int64), task: task)
    }
}
