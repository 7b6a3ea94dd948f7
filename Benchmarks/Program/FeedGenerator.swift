import BothyContract
import BothyServer
import Foundation

/// Writes the plan into a server's database, and lets the server itself bring feeds to those who have looked lately.
struct FeedGenerator {
    /// Rows of one statement, and of one transaction.
    private static let (rowsOfStatement, rowsOfTransaction) = (100, 100_000)

    struct Figures: Encodable {
        var people = 0
        var follows = 0
        var posts = 0
        var loudAuthors = 0
        var feedEntries = 0
        /// Of the database's pages, by table with its indexes.
        var bytes: [String: Int] = [:]
        /// Of each step.
        var seconds: [String: Double] = [:]
    }

    let services: ServerServices
    let plan: FeedPlan
    let readers: [SizedAccount]
    let authors: [SizedAccount]
    let worded: Int

    func generate() async throws -> Figures {
        var figures = Figures()
        let (now, watch) = (Date.now.timeIntervalSince1970, Stopwatch())
        let indexes = try await dropIndexes()
        figures.people = try await watch.time("people") { try await writePeople(now) }
        figures.follows = try await watch.time("follows") { try await writeFollows() }
        figures.posts = try await watch.time("posts") { try await writePosts(now) }
        try await watch.time("indexes") { try await makeIndexes(indexes) }
        figures.loudAuthors = try await watch.time("loud authors") { try await writeLoud(now) }
        try await watch.time("words") { try await services.indexNewestPosts(worded) }
        figures.feedEntries = try await watch.time("feeds") { try await services.fillFeeds(of: active()) }
        figures.bytes = try await services.bytesByTable()
        figures.seconds = watch.seconds
        return figures
    }

    // MARK: - Indexes

    private static let filled = ["accounts", "follows", "posts", "feed_readers", "person_words"]

    /// Rows go in in the order of their keys; what orders them otherwise is made once, at the end.
    private func dropIndexes() async throws -> [String] {
        try await services.database.write { db in
            try db.query(
                "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name", []
            ).filter { row in Self.filled.contains { row.string(1).contains(" ON \($0) ") } }.map { row in
                try db.execute("DROP INDEX \(row.string(0))")
                return row.string(1)
            }
        }
    }

    private func makeIndexes(_ statements: [String]) async throws {
        for statement in statements { try await services.database.write { _ = try $0.execute(statement) } }
        // The planner knows the tables by what is in them.
        try await services.database.write { _ = try $0.execute("ANALYZE") }
    }

    // MARK: - Rows

    private func write(
        into table: String, _ columns: String, _ count: Int, _ rows: (inout [SQLValue]) -> Bool
    ) async throws {
        let width = columns.split(separator: ",").count
        let row = "(" + Array(repeating: "?", count: width).joined(separator: ", ") + ")"
        @Sendable func statement(_ rows: Int) -> String {
            "INSERT INTO \(table) (\(columns)) VALUES " + Array(repeating: row, count: rows).joined(separator: ", ")
        }
        var values: [SQLValue] = []
        var isMore = true
        while isMore {
            while values.count < Self.rowsOfTransaction * width, isMore { isMore = rows(&values) }
            let (batch, size) = (values, Self.rowsOfStatement * width)
            values = []
            try await services.database.write { db in
                for start in stride(from: 0, to: batch.count, by: size) {
                    let part = Array(batch[start..<min(start + size, batch.count)])
                    try db.execute(statement(part.count / width), part)
                }
            }
        }
    }

    private func writePeople(_ now: Double) async throws -> Int {
        let created = Int64(now * 1000).sql
        var person = 0
        try await write(
            into: "accounts", "user_id, email, email_key, display_name, password, created_ms, handle", plan.people
        ) { values in
            let email = "person\(person)@example.org"
            values += [
                plan.id(person).sql, email.sql, email.sql, "Person \(person)".sql, "".sql, created,
                "person\(person)".sql,
            ]
            person += 1
            return person < plan.people
        }
        // Nobody's feed is written until its reader has come.
        try await services.database.write { db in
            try db.execute(
                """
                INSERT INTO feed_readers (reader_id, last_read, asleep_from) SELECT user_id, 0, 0 FROM accounts WHERE true
                ON CONFLICT (reader_id) DO UPDATE SET last_read = 0, asleep_from = 0
                """)
        }
        return plan.people
    }

    /// Those who have looked at their feeds lately, besides the readers that are measured.
    private func active() async throws -> [Int64] {
        var ids: [Int64] = []
        for reader in readers { ids.append(try await services.userId(reader.email)) }
        return ids + (0..<plan.active).map(activePerson)
    }

    /// Spread over all people, as they are in a server's life.
    private func activePerson(_ number: Int) -> Int64 { plan.id(number * (plan.people / plan.active)) }

    private func writeFollows() async throws -> Int {
        var random = plan.random(1)
        var (person, count) = (0, 0)
        var chosen = Set<Int>()
        try await write(into: "follows", "follower_id, author_id", plan.people) { values in
            chosen.removeAll(keepingCapacity: true)
            for _ in 0..<plan.followees(&random) { chosen.insert(plan.followed(&random)) }
            chosen.remove(person)
            for author in chosen.sorted() { values += [plan.id(person).sql, plan.id(author).sql] }
            count += chosen.count
            person += 1
            return person < plan.people
        }
        for reader in readers {
            let id = try await services.userId(reader.email)
            var chosen = Set<Int>()
            while chosen.count < min(reader.count, plan.people) { chosen.insert(random.below(plan.people)) }
            try await services.follow(chosen.map { (id, plan.id($0)) })
            count += chosen.count
        }
        for author in authors {
            let id = try await services.userId(author.email)
            let rest = (0..<plan.people).lazy.map(plan.id)
            let lately = (0..<plan.active).map(activePerson)
            let known = Set(lately)
            let followers =
                lately.prefix(author.count)
                + rest.filter { !known.contains($0) }.prefix(max(0, author.count - lately.count))
            try await services.follow(followers.map { ($0, id) })
            count += author.count
        }
        return count
    }

    private func writePosts(_ now: Double) async throws -> Int {
        let counts = plan.postsOfEach()
        var random = plan.random(3)
        let words = PostWords()
        var (person, number) = (0, 0)
        let nowMs = Int64(now * 1000)
        try await write(
            into: "posts", "author_id, post_id, content, summary, is_cut, created_ms, audience", plan.posts
        ) { values in
            // In the order of the key.
            let made = (0..<Int(counts[person])).map { nowMs - plan.age(ofPost: number + $0) }.sorted()
            for time in made {
                let text = words.text(&random).sql
                values += [
                    plan.id(person).sql, SnowflakeIds.first(at: time).sql, text, text, 0.sql, time.sql, "everyone".sql,
                ]
            }
            number += made.count
            person += 1
            return person < plan.people
        }
        return number
    }

    private func writeLoud(_ now: Double) async throws -> Int {
        let monthAgo = SnowflakeIds.first(at: Int64(now * 1000) - 30 * 86_400_000)
        return try await services.database.write { db in
            try db.execute(
                """
                INSERT INTO loud_authors (author_id, last_number)
                SELECT author_id, 0 FROM follows GROUP BY author_id HAVING count(*) > ?
                """, [FeedReach().mostFollowers.sql])
            try db.execute(
                """
                INSERT INTO loud_entries (bringer_id, number, entry_id, author_id, post_id)
                SELECT p.author_id, row_number() OVER (ORDER BY p.post_id), p.post_id, p.author_id, p.post_id
                FROM loud_authors l CROSS JOIN posts p ON p.author_id = l.author_id WHERE p.post_id > ?
                """, [monthAgo.sql])
            try db.execute(
                """
                UPDATE loud_authors SET last_number = coalesce(
                    (SELECT max(number) FROM loud_entries e WHERE e.bringer_id = author_id), 0)
                """)
            try db.execute(
                """
                UPDATE server_state SET value = (
                    SELECT CAST(coalesce(max(last_number), 0) AS TEXT) FROM loud_authors)
                WHERE key = 'last_loud_number'
                """)
            return try db.first("SELECT count(*) FROM loud_authors")?.int(0) ?? 0
        }
    }
}
