/// Drafts, how far each person has read, and in which order entries came into each feed.
let migration020Drafts = Migration(
    number: 20,
    name: "drafts",
    statements: [
        // In which order it came into this feed, which says nothing of its place there: see `feed_readers`.
        "ALTER TABLE feed_entries ADD COLUMN arrival BIGINT NOT NULL DEFAULT 0",
        "CREATE INDEX feed_entries_arrived ON feed_entries (reader_id, arrival)",
        // `last_arrival`: that of what came last, which never goes back. The others are the person's own marks.
        """
        CREATE TABLE feed_readers (
            reader_id BIGINT NOT NULL PRIMARY KEY,
            last_arrival BIGINT NOT NULL DEFAULT 0,
            read_up_to BIGINT NOT NULL DEFAULT 0,
            position_entry BIGINT,
            position_offset BIGINT,
            position_ms BIGINT,
            FOREIGN KEY (reader_id) REFERENCES accounts (user_id) ON DELETE CASCADE
        )
        """,
        // `body`: JSON, as it is saved. `base_version`: the version that the last change was made to, by the editor of `editor_id`.
        """
        CREATE TABLE drafts (
            author_id BIGINT NOT NULL,
            draft_id BIGINT NOT NULL,
            version BIGINT NOT NULL,
            base_version BIGINT NOT NULL,
            editor_id TEXT,
            body TEXT NOT NULL,
            summary TEXT NOT NULL,
            is_cut BIGINT NOT NULL,
            attachment_count BIGINT NOT NULL,
            publish_ms BIGINT,
            copied_from BIGINT,
            updated_ms BIGINT NOT NULL,
            PRIMARY KEY (author_id, draft_id),
            FOREIGN KEY (author_id) REFERENCES accounts (user_id) ON DELETE CASCADE
        )
        """,
        // Which revisions drafts show: these are kept.
        """
        CREATE TABLE draft_attachments (
            author_id BIGINT NOT NULL,
            draft_id BIGINT NOT NULL,
            position BIGINT NOT NULL,
            revision_id TEXT NOT NULL,
            PRIMARY KEY (author_id, draft_id, position),
            FOREIGN KEY (author_id, draft_id) REFERENCES drafts (author_id, draft_id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX draft_attachments_by_revision ON draft_attachments (author_id, revision_id)",
    ])
