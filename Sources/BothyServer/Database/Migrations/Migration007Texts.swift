/// The words of texts, for searching.
let migration007Texts = Migration(
    number: 7,
    name: "texts",
    statements: [
        // Contents that were looked through, whatever came of it.
        """
        CREATE TABLE texts (
            drive_id BIGINT NOT NULL,
            content_id BIGINT NOT NULL,
            PRIMARY KEY (drive_id, content_id)
        )
        """,
        // A row for each word of a content's text, as `NameWords` folds it, and where it first stands: UTF-8 bytes of the
        // text as it was read. By content, so that copies and versions that are equal share their words.
        """
        CREATE TABLE text_words (
            drive_id BIGINT NOT NULL,
            content_id BIGINT NOT NULL,
            word TEXT NOT NULL,
            place BIGINT NOT NULL,
            PRIMARY KEY (drive_id, content_id, word)
        )
        """,
        // Read by the beginnings of words, so the order is that of the bytes, as for `name_words`.
        "CREATE INDEX text_words_by_word ON text_words (drive_id, word, content_id)",
        // Contents that the two above may not follow yet: a job looks at them.
        """
        CREATE TABLE texts_to_index (
            drive_id BIGINT NOT NULL,
            content_id BIGINT NOT NULL,
            PRIMARY KEY (drive_id, content_id)
        )
        """,
        "CREATE INDEX revisions_of_content ON revisions (drive_id, content_id)",
        // What was there before there was a search in texts.
        """
        INSERT INTO texts_to_index (drive_id, content_id)
            SELECT DISTINCT r.drive_id, r.content_id FROM revisions r
            JOIN nodes n ON n.drive_id = r.drive_id AND n.node_id = r.node_id AND n.head_revision_id = r.revision_id
            WHERE n.purged = 0 AND r.size > 0 AND r.mime_type NOT LIKE 'image/%' AND r.mime_type NOT LIKE 'video/%'
                AND r.mime_type NOT LIKE 'audio/%'
        """,
    ])
