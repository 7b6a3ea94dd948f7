/// What is done in many feeds, and with large contents, is done in parts.
let migration027Settling = Migration(
    number: 27,
    name: "settling",
    statements: [
        // See `FanOutTable.Task`.
        "ALTER TABLE feed_outbox ADD COLUMN task BIGINT NOT NULL DEFAULT 0",
        // The feeds that have a post, or have it by one person, are gone through in the order of their readers.
        "DROP INDEX feed_entries_of_post",
        "CREATE INDEX feed_entries_of_post ON feed_entries (author_id, post_id, reader_id)",
        "DROP INDEX feed_entries_shared",
        """
        CREATE INDEX feed_entries_shared ON feed_entries (shared_by, post_id, reader_id) WHERE shared_by IS NOT NULL
        """,
        // See `ContentTable.freeUnused`.
        "CREATE INDEX contents_unused ON contents (drive_id, content_id) WHERE refs <= 0",
    ])
