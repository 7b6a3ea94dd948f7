/// What was counted of feeds outlasts the accounts and entries that it was counted by.
let migration026Outlasting = Migration(
    number: 26,
    name: "outlasting",
    statements: [
        // See `LoudEntryTable`.
        """
        INSERT INTO server_state (key, value)
        SELECT 'last_loud_number', CAST(coalesce(max(number), 0) AS TEXT) FROM (
            SELECT max(last_number) AS number FROM loud_authors UNION ALL SELECT max(loud_seen) FROM feed_readers
        ) numbers
        """,
        // The arrival up to which entries were taken out of a feed that a device may not have: see `FeedReaderTable`.
        "ALTER TABLE feed_readers ADD COLUMN cut_arrival BIGINT NOT NULL DEFAULT 0",
        "UPDATE feed_readers SET cut_arrival = last_arrival WHERE whole_from > 0",
    ])
