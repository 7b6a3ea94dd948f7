/// How far posts are carried into feeds: what is on its way, what is left to its readers, and whose feeds are written.
let migration024Reach = Migration(
    number: 24,
    name: "reach",
    statements: [
        // See `FeedReaderTable`. `last_read`: NULL where nobody knows. `asleep_from`: NULL for a feed that is written.
        "ALTER TABLE feed_readers ADD COLUMN last_read BIGINT",
        "ALTER TABLE feed_readers ADD COLUMN asleep_from BIGINT",
        "ALTER TABLE feed_readers ADD COLUMN loud_seen BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE feed_readers ADD COLUMN whole_from BIGINT NOT NULL DEFAULT 0",
        "CREATE INDEX feed_readers_by_reading ON feed_readers (last_read) WHERE asleep_from IS NULL",
        "CREATE INDEX feed_readers_by_loud ON feed_readers (loud_seen) WHERE asleep_from IS NULL",
        // `bringer_id`: whose followers it comes to; an entry that is not the post itself is their share. `carried_to`: see `FanOutTable`.
        """
        CREATE TABLE feed_outbox (
            bringer_id BIGINT NOT NULL,
            entry_id BIGINT NOT NULL,
            author_id BIGINT NOT NULL,
            post_id BIGINT NOT NULL,
            carried_to BIGINT,
            PRIMARY KEY (bringer_id, entry_id),
            FOREIGN KEY (bringer_id) REFERENCES accounts (user_id) ON DELETE CASCADE,
            FOREIGN KEY (author_id, post_id) REFERENCES posts (author_id, post_id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX feed_outbox_of_post ON feed_outbox (author_id, post_id)",
        "CREATE INDEX feed_outbox_by_entry ON feed_outbox (entry_id)",
        """
        CREATE TABLE loud_authors (
            author_id BIGINT NOT NULL PRIMARY KEY,
            last_number BIGINT NOT NULL,
            FOREIGN KEY (author_id) REFERENCES accounts (user_id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX loud_authors_by_number ON loud_authors (last_number)",
        """
        CREATE TABLE loud_entries (
            bringer_id BIGINT NOT NULL,
            number BIGINT NOT NULL,
            entry_id BIGINT NOT NULL,
            author_id BIGINT NOT NULL,
            post_id BIGINT NOT NULL,
            PRIMARY KEY (bringer_id, number),
            FOREIGN KEY (bringer_id) REFERENCES accounts (user_id) ON DELETE CASCADE,
            FOREIGN KEY (author_id, post_id) REFERENCES posts (author_id, post_id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX loud_entries_of_post ON loud_entries (author_id, post_id)",
        "CREATE INDEX loud_entries_by_number ON loud_entries (number)",
    ])
