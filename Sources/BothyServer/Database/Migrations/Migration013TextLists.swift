/// The words of texts as lists. A row for each word of each text made the disk write some hundred times what was indexed: words
/// are all over the table, and each row was a page.
let migration013TextLists = Migration(
    number: 13,
    name: "text lists",
    statements: [
        // What was indexed is looked through once more.
        """
        INSERT INTO texts_to_index (drive_id, content_id) SELECT drive_id, content_id FROM texts WHERE 1 = 1
            ON CONFLICT DO NOTHING
        """,
        "DROP TABLE text_words",
        "DROP TABLE texts",
        // Contents that were looked through, whatever came of it. `words`: a `WordList`, for the words beside the one that is
        // looked up, and for taking them away. `batch`: those that were looked through together.
        """
        CREATE TABLE texts (
            drive_id BIGINT NOT NULL,
            content_id BIGINT NOT NULL,
            batch BIGINT NOT NULL,
            words BYTES NOT NULL,
            PRIMARY KEY (drive_id, content_id)
        )
        """,
        "CREATE INDEX texts_by_batch ON texts (drive_id, batch)",
        // `contents`: which contents of a batch have a word, a `ContentList`. Read by the beginnings of words, so the order is
        // that of the bytes, as for `name_words`.
        """
        CREATE TABLE text_words (
            drive_id BIGINT NOT NULL,
            word TEXT NOT NULL,
            batch BIGINT NOT NULL,
            contents BYTES NOT NULL,
            PRIMARY KEY (drive_id, word, batch)
        )
        """,
    ])
