import BothyContract
import BothyServer

/// What the generator asks of the server's own parts.
extension ServerServices {
    func userId(_ email: String) async throws -> Int64 {
        let found = try await database.read { try AccountTable($0).row(emailKey: email)?.user.id }
        guard let found else { throw MissingAccount(email: email) }
        return found
    }

    func follow(_ pairs: [(follower: Int64, author: Int64)]) async throws {
        try await database.write { db in
            for pair in pairs {
                try db.execute(
                    "INSERT INTO follows (follower_id, author_id) VALUES (?, ?) ON CONFLICT (follower_id, author_id) DO NOTHING",
                    [pair.follower.sql, pair.author.sql])
            }
        }
    }

    /// The words of the newest posts, as when they are made.
    func indexNewestPosts(_ count: Int) async throws {
        var before = Int64.max
        var left = count
        while left > 0 {
            let (end, most) = (before, min(left, 1_000))
            let last = try await database.write { db in
                let rows = try db.query(
                    "SELECT post_id, author_id, content FROM posts WHERE post_id < ? ORDER BY post_id DESC LIMIT ?",
                    [end.sql, most.sql])
                for row in rows {
                    try PostIndex(db).put(row.int64(0), of: row.int64(1), PostText(html: row.string(2)))
                }
                return rows.last?.int64(0)
            }
            guard let last else { return }
            before = last
            left -= most
        }
    }

    /// Each reader comes back after a long time.
    ///
    /// - Returns: how many entries are in all feeds.
    func fillFeeds(of readers: [Int64]) async throws -> Int {
        for reader in readers { try await posts.reading.come(reader) }
        return try await database.read { try $0.first("SELECT count(*) FROM feed_entries")?.int(0) ?? 0 }
    }

    /// Bytes of each table with its indexes, by its pages: SQLite 3.40 counts bytes to 4 GiB.
    func bytesByTable() async throws -> [String: Int] {
        try await database.read { db in
            let rows = try db.query(
                """
                SELECT m.tbl_name, sum(s.pageno) * (SELECT page_size FROM pragma_page_size) FROM dbstat s
                JOIN sqlite_master m ON m.name = s.name WHERE s.aggregate = TRUE GROUP BY m.tbl_name
                """, [])
            return Dictionary(rows.map { ($0.string(0), $0.int(1)) }) { $0 + $1 }
        }
    }
}

struct MissingAccount: Error, CustomStringConvertible {
    var email: String
    var description: String {
        "There is no account with the email “\(email)” in the data folder. Make it with “bothy server user add”."
    }
}
