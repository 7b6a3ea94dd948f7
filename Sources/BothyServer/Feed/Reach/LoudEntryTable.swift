/// The tables `loud_authors` and `loud_entries`: what people with very many followers post and share. It is brought to each reader when
/// that one comes, and not when it is made.
///
/// Nobody leaves `loud_authors`: what was posted while somebody was in it has been brought to those alone who came.
///
/// The entries are numbered in the order in which they are committed, which that of their ids is not: a reader with all up to a number
/// lacks none below it. No number is given twice, also once the account is gone whose entry had it: readers have seen it.
struct LoudEntryTable {
    /// Of the server's state: the greatest number.
    private static let key = "last_loud_number"

    private let db: any SQLConnection

    init(_ db: any SQLConnection) { self.db = db }

    func isLoud(_ person: Int64) throws -> Bool {
        try db.first("SELECT 1 FROM loud_authors WHERE author_id = ?", [person.sql]) != nil
    }

    /// From now on, what the person posts and shares is not carried into feeds any more.
    func begin(_ person: Int64) throws {
        try db.execute("INSERT INTO loud_authors (author_id, last_number) VALUES (?, 0)", [person.sql])
    }

    /// - Parameter entry: of somebody who is loud.
    func add(_ entry: FeedEntry) throws {
        let number = try last() + 1
        try ServerStateTable(db).set(Self.key, String(number))
        try db.execute(
            "INSERT INTO loud_entries (bringer_id, number, entry_id, author_id, post_id) VALUES (?, ?, ?, ?, ?)",
            [
                entry.bringer.sql, number.sql, entry.entryId.sql, entry.authorId.sql, entry.postId.sql,
            ])
        try db.execute(
            "UPDATE loud_authors SET last_number = ? WHERE author_id = ?", [number.sql, entry.bringer.sql])
    }

    /// The number that was given last; 0 for none.
    func last() throws -> Int64 {
        guard let last = try ServerStateTable(db).value(Self.key).map({ Int64($0) }) ?? 0 else {
            throw DatabaseError.corrupt("server_state: \(Self.key) is no number")
        }
        return last
    }

    /// Of those whom a reader follows, who has something after a number.
    func bringers(to reader: Int64, after number: Int64) throws -> [Int64] {
        try db.query(
            """
            SELECT l.author_id FROM loud_authors l
            CROSS JOIN follows f ON f.follower_id = ? AND f.author_id = l.author_id WHERE l.last_number > ?
            """, [reader.sql, number.sql]
        ).map { $0.int64(0) }
    }

    /// The oldest entry that a reader lacks who has all up to a number; nil where none is lacking.
    func oldest(for reader: Int64, after number: Int64) throws -> Int64? {
        try bringers(to: reader, after: number).compactMap { bringer in
            try db.first(
                "SELECT min(entry_id) FROM loud_entries WHERE bringer_id = ? AND number > ?",
                [bringer.sql, number.sql])?.optional(0, SQLRow.int64)
        }.min()
    }

    /// What all readers have whose feeds are written, of whom others find it with its author.
    func prune(limit: Int) throws -> Int {
        let seen = try db.first("SELECT min(loud_seen) FROM feed_readers WHERE asleep_from IS NULL")?
            .optional(0, SQLRow.int64)
        return try db.executeEach(
            "DELETE FROM loud_entries WHERE bringer_id = ? AND number = ?",
            of: "SELECT bringer_id, number FROM loud_entries WHERE number <= ? LIMIT ?",
            [(seen ?? last()).sql, limit.sql])
    }
}
