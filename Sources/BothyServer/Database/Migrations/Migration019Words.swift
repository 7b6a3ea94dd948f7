import BothyContract

/// Words and hashtags of posts, what people are told of, and the texts of before in the spelling of now.
///
/// `scope` says who may find a row: see ``PostScope``.
let migration019Words = Migration(
    number: 19,
    name: "words",
    statements: [
        """
        CREATE TABLE post_words (
            author_id BIGINT NOT NULL,
            post_id BIGINT NOT NULL,
            word TEXT NOT NULL,
            scope TEXT NOT NULL,
            PRIMARY KEY (author_id, post_id, word),
            FOREIGN KEY (author_id, post_id) REFERENCES posts (author_id, post_id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX post_words_by_word ON post_words (scope, word, post_id)",
        """
        CREATE TABLE post_tags (
            author_id BIGINT NOT NULL,
            post_id BIGINT NOT NULL,
            tag TEXT NOT NULL,
            scope TEXT NOT NULL,
            PRIMARY KEY (author_id, post_id, tag),
            FOREIGN KEY (author_id, post_id) REFERENCES posts (author_id, post_id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX post_tags_by_tag ON post_tags (scope, tag, post_id)",
        // Ids alone: what a reader is shown of them is looked up when she reads. `author_id` and `post_id`: the post that it is
        // about, and `comment_id` the comment on it. `taken_back`: a like that is none any more stays, so that a person who likes and
        // unlikes by turns tells it once.
        """
        CREATE TABLE notifications (
            reader_id BIGINT NOT NULL,
            notification_id BIGINT NOT NULL,
            kind TEXT NOT NULL,
            actor_id BIGINT NOT NULL,
            author_id BIGINT,
            post_id BIGINT,
            comment_id BIGINT,
            created_ms BIGINT NOT NULL,
            created_lived BIGINT NOT NULL,
            taken_back BIGINT NOT NULL DEFAULT 0,
            PRIMARY KEY (reader_id, notification_id),
            FOREIGN KEY (reader_id) REFERENCES accounts (user_id) ON DELETE CASCADE,
            FOREIGN KEY (actor_id) REFERENCES accounts (user_id) ON DELETE CASCADE,
            FOREIGN KEY (author_id, post_id) REFERENCES posts (author_id, post_id) ON DELETE CASCADE
        )
        """,
        """
        CREATE UNIQUE INDEX notifications_once
            ON notifications (reader_id, kind, actor_id, coalesce(post_id, 0), coalesce(comment_id, 0))
        """,
        "CREATE INDEX notifications_of_post ON notifications (author_id, post_id) WHERE post_id IS NOT NULL",
        "CREATE INDEX notifications_by_actor ON notifications (actor_id)",
        "CREATE INDEX notifications_by_age ON notifications (created_lived)",
        """
        CREATE TABLE notification_reads (
            reader_id BIGINT NOT NULL PRIMARY KEY,
            read_up_to BIGINT NOT NULL,
            FOREIGN KEY (reader_id) REFERENCES accounts (user_id) ON DELETE CASCADE
        )
        """,
    ],
    then: { db in
        try respell(db)
        try respellComments(db)
    })

/// Rows that are read at a time.
private let rowsAtOnce = 200

private func respell(_ db: any SQLConnection) throws {
    var last: Int64 = -1
    while true {
        let rows = try db.query(
            "SELECT post_id, author_id, content FROM posts WHERE post_id > ? ORDER BY post_id LIMIT ?",
            [last.sql, rowsAtOnce.sql])
        guard let end = rows.last else { return }
        last = end.int64(0)
        for row in rows {
            let text = try PostNames(db).named(PostText(html: row.string(2)))
            let (summary, isCut) = text.summary(length: FeedLimits.summaryLength)
            try db.execute(
                "UPDATE posts SET content = ?, summary = ?, is_cut = ? WHERE author_id = ? AND post_id = ?",
                [text.html.sql, summary.html.sql, isCut.sql, row.int64(1).sql, row.int64(0).sql])
            try PostIndex(db).put(row.int64(0), of: row.int64(1), text)
        }
    }
}

private func respellComments(_ db: any SQLConnection) throws {
    var last: Int64 = -1
    while true {
        let rows = try db.query(
            "SELECT comment_id, author_id, post_id, content FROM comments WHERE comment_id > ? ORDER BY comment_id LIMIT ?",
            [last.sql, rowsAtOnce.sql])
        guard let end = rows.last else { return }
        last = end.int64(0)
        for row in rows {
            let text = try PostNames(db).named(PostText(html: row.string(3)))
            try db.execute(
                "UPDATE comments SET content = ? WHERE author_id = ? AND post_id = ? AND comment_id = ?",
                [text.html.sql, row.int64(1).sql, row.int64(2).sql, row.int64(0).sql])
        }
    }
}
