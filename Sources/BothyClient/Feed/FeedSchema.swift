/// The feed's tables in the replica's database.
enum FeedSchema {
    /// `preview`, `detail` and `comment` are as the server sent them, in JSON; `fetched` and `used` are in seconds that the device has lived.
    static let kept = """
        CREATE TABLE posts (
            post_id INTEGER PRIMARY KEY NOT NULL,
            preview TEXT,
            detail TEXT,
            fetched INTEGER NOT NULL,
            used INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE feed_entries (
            entry_id INTEGER PRIMARY KEY NOT NULL,
            post_id INTEGER NOT NULL UNIQUE REFERENCES posts (post_id) ON DELETE CASCADE
        ) STRICT;

        CREATE TABLE post_comments (
            post_id INTEGER NOT NULL REFERENCES posts (post_id) ON DELETE CASCADE,
            thread_id INTEGER NOT NULL,
            comment_id INTEGER NOT NULL,
            comment TEXT NOT NULL,
            PRIMARY KEY (post_id, thread_id, comment_id)
        ) STRICT, WITHOUT ROWID;
        """

    /// What homes had in the device's database before. What waited there is carried over, see ``FeedCarryOver``.
    static let before = """
        \(kept)

        CREATE TABLE feed_operations (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            request_id TEXT NOT NULL UNIQUE,
            action TEXT NOT NULL,
            state TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            next_attempt_ms INTEGER,
            last_error TEXT,
            created_ms INTEGER NOT NULL
        ) STRICT;
        """
}
