import BothyContract
import GRDB

/// The tables `posts` and `feed_entries`: what the server said of posts, and their order in the feed.
enum PostTable {
    // MARK: - Writing

    /// Takes in a page of the feed, in place of what was known of that part of it.
    ///
    /// - Parameters:
    ///   - before: where the page begins: entries below it; nil for the newest.
    ///   - now: seconds that the device has lived.
    static func apply(_ page: FeedApiResponse, before: Int64?, now: Int64, in db: Database) throws {
        // A page that is the last one says that below it there is nothing.
        let end = page.paging.next == nil ? Int64.min : page.feed.last?.entryId ?? Int64.min
        try FeedGapTable.note(FeedGap.Fetched(before: before, end: end, next: page.paging.next), in: db)
        if before == nil, let arrival = page.arrival { try FeedGapTable.set(arrival: arrival, in: db) }
        try db.execute(
            sql: "DELETE FROM feed_entries WHERE entry_id >= ? AND entry_id < ?",
            arguments: [end, before ?? Int64.max])
        try putEntries(of: page, now: now, in: db)
    }

    /// Takes in the page that is next above an entry, in place of what was known of that part of the feed. Where the page does not join
    /// what is kept of the feed, its posts are kept and the feed stays as it was: what is missing between the two would look complete.
    static func apply(rising page: FeedApiResponse, above entry: Int64, now: Int64, in db: Database) throws {
        // A page that is the last one says that above it there is nothing.
        let top = page.paging.next == nil ? Int64.max : page.feed.first?.entryId ?? entry
        guard try FeedGapTable.isJoined(rising: top, above: entry, in: db) else {
            for post in page.feed { try put(post, now: now, in: db) }
            return
        }
        try FeedGapTable.close(above: entry, upTo: top, in: db)
        try db.execute(
            sql: "DELETE FROM feed_entries WHERE entry_id > ? AND entry_id <= ?", arguments: [entry, top])
        try putEntries(of: page, now: now, in: db)
    }

    private static func putEntries(of page: FeedApiResponse, now: Int64, in db: Database) throws {
        for post in page.feed {
            try put(post, now: now, in: db)
            try db.execute(
                sql: "INSERT OR REPLACE INTO feed_entries (entry_id, post_id) VALUES (?, ?)",
                arguments: [post.entryId, post.postId])
        }
    }

    static func put(_ preview: PostPreview, now: Int64, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO posts (post_id, preview, fetched, used) VALUES (?, ?, ?, ?)
                ON CONFLICT (post_id) DO UPDATE SET preview = excluded.preview, fetched = excluded.fetched
                """, arguments: [preview.postId, try WireCoding.text(of: preview), now, now])
    }

    static func put(_ detail: PostDetail, now: Int64, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO posts (post_id, detail, fetched, used) VALUES (?, ?, ?, ?)
                ON CONFLICT (post_id) DO UPDATE SET
                    detail = excluded.detail, fetched = excluded.fetched, used = excluded.used
                """, arguments: [detail.postId, try WireCoding.text(of: detail), now, now])
    }

    /// What the server has acknowledged is true of what is kept from now on.
    static func record(_ interaction: PostInteraction, on post: Int64, in db: Database) throws {
        if var preview = try preview(of: post, in: db) {
            preview.record(interaction)
            try db.execute(
                sql: "UPDATE posts SET preview = ? WHERE post_id = ?",
                arguments: [try WireCoding.text(of: preview), post])
        }
        if var detail = try detail(of: post, in: db) {
            detail.record(interaction)
            try db.execute(
                sql: "UPDATE posts SET detail = ? WHERE post_id = ?",
                arguments: [try WireCoding.text(of: detail), post])
        }
    }

    /// A post has at least so many comments: what is kept of it may be of a time before the last of them, or after it.
    static func raiseComments(to count: Int, of post: Int64, in db: Database) throws {
        for column in ["preview", "detail"] {
            try db.execute(
                sql: """
                    UPDATE posts SET \(column) = json_set(
                        \(column), '$.commentCount', max(?, coalesce(json_extract(\(column), '$.commentCount'), 0)))
                    WHERE post_id = ? AND \(column) IS NOT NULL
                    """, arguments: [count, post])
        }
    }

    /// What was said of a post here is counted until the server is asked again.
    static func addComments(_ count: Int, to post: Int64, in db: Database) throws {
        for column in ["preview", "detail"] {
            try db.execute(
                sql: """
                    UPDATE posts SET \(column) = json_set(
                        \(column), '$.commentCount', max(0, coalesce(json_extract(\(column), '$.commentCount'), 0) + ?))
                    WHERE post_id = ? AND \(column) IS NOT NULL
                    """, arguments: [count, post])
        }
    }

    /// Those of them that were not looked at since.
    static func unused(_ posts: [Int64], since time: Int64, in db: Database) throws -> [Int64] {
        try posts.filter { post in
            try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT 1 FROM posts WHERE post_id = ? AND used < ?"), arguments: [post, time]
            ) != nil
        }
    }

    static func use(_ post: Int64, now: Int64, in db: Database) throws {
        try db.execute(sql: "UPDATE posts SET used = ? WHERE post_id = ?", arguments: [now, post])
    }

    static func delete(_ post: Int64, in db: Database) throws {
        try db.execute(sql: "DELETE FROM posts WHERE post_id = ?", arguments: [post])
    }

    // MARK: - Reading

    /// - Returns: the posts, and whether there are more.
    static func feed(
        before entry: Int64?, limit: Int, in db: Database
    ) throws -> (posts: [PostPreview], hasMore: Bool) {
        let posts: [PostPreview] = try String.fetchAll(
            db,
            sql: """
                SELECT p.preview FROM feed_entries e JOIN posts p ON p.post_id = e.post_id
                WHERE e.entry_id < ? AND p.preview IS NOT NULL ORDER BY e.entry_id DESC LIMIT ?
                """, arguments: [entry ?? Int64.max, limit + 1]
        ).map(value)
        return (Array(posts.prefix(limit)), posts.count > limit)
    }

    /// The entry with this id, or else the one of the post with this id.
    static func entry(_ id: Int64, in db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db,
            sql: """
                SELECT entry_id FROM feed_entries WHERE entry_id = ? OR post_id = ?
                ORDER BY entry_id = ? DESC LIMIT 1
                """, arguments: [id, id, id])
    }

    static func isInFeed(_ post: Int64, in db: Database) throws -> Bool {
        try Int64.fetchOne(db, sql: "SELECT 1 FROM feed_entries WHERE post_id = ?", arguments: [post]) != nil
    }

    /// Whether the post that a request of this person's has made is in the feed.
    static func isInFeed(madeBy requestId: String, in db: Database) throws -> Bool {
        try Int64.fetchOne(
            db,
            sql: """
                SELECT 1 FROM feed_entries e JOIN posts p ON p.post_id = e.post_id
                WHERE json_extract(p.preview, '$.requestId') = ?
                """, arguments: [requestId]) != nil
    }

    /// Whether the post that a request of this person's has made is kept, in the feed or not.
    static func isKept(madeBy requestId: String, in db: Database) throws -> Bool {
        try Int64.fetchOne(
            db, sql: "SELECT 1 FROM posts WHERE json_extract(preview, '$.requestId') = ?", arguments: [requestId]
        ) != nil
    }

    static func preview(of post: Int64, in db: Database) throws -> PostPreview? {
        try String.fetchOne(db, sql: "SELECT preview FROM posts WHERE post_id = ?", arguments: [post]).map(value)
    }

    static func detail(of post: Int64, in db: Database) throws -> PostDetail? {
        try String.fetchOne(db, sql: "SELECT detail FROM posts WHERE post_id = ?", arguments: [post]).map(value)
    }

    /// All that are kept, the newest first.
    static func previews(in db: Database) throws -> [PostPreview] {
        try String.fetchAll(
            db, sql: "SELECT preview FROM posts WHERE preview IS NOT NULL ORDER BY post_id DESC"
        ).map(value)
    }

    /// Those that are wanted, the newest first.
    ///
    /// - Parameters:
    ///   - post: they are older than this one; nil for all.
    ///   - choose: gives what is shown of one; nil for what is not wanted.
    static func newest(
        below post: Int64?, most: Int, in db: Database, _ choose: (PostPreview) throws -> PostPreview?
    ) throws -> [PostPreview] {
        let kept = try String.fetchCursor(
            db, sql: "SELECT preview FROM posts WHERE preview IS NOT NULL AND post_id < ? ORDER BY post_id DESC",
            arguments: [post ?? Int64.max])
        var found = [PostPreview]()
        while found.count < most, let text = try kept.next() {
            if let chosen = try choose(try value(text)) { found.append(chosen) }
        }
        return found
    }

    static func ids(in db: Database) throws -> [Int64] { try Int64.fetchAll(db, sql: "SELECT post_id FROM posts") }

    /// Those that are kept, the newest first, each at the oldest version of what is kept of it: what a list had of a post may be older
    /// than what was read, or newer.
    static func versions(before id: Int64?, limit: Int, in db: Database) throws -> [PostAtVersion] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT post_id, min(
                    coalesce(json_extract(preview, '$.version'), json_extract(detail, '$.version'), 0),
                    coalesce(json_extract(detail, '$.version'), json_extract(preview, '$.version'), 0))
                FROM posts WHERE post_id < ? ORDER BY post_id DESC LIMIT ?
                """, arguments: [id ?? .max, limit]
        ).map { PostAtVersion(postId: $0[0], version: $0[1]) }
    }

    /// What may be let go of: bookmarks stay.
    static func kept(in db: Database) throws -> [PostEviction.Kept] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT post_id, fetched, used,
                    coalesce(length(CAST(preview AS BLOB)), 0) + coalesce(length(CAST(detail AS BLOB)), 0)
                FROM posts WHERE coalesce(json_extract(coalesce(preview, detail), '$.bookmarked'), 0) = 0
                """
        ).map { PostEviction.Kept(id: $0[0], fetched: $0[1], used: $0[2], bytes: $0[3]) }
    }

    private static func value<Value: Decodable>(_ text: String) throws -> Value {
        try WireCoding.decode(Value.self, fromText: text)
    }
}
