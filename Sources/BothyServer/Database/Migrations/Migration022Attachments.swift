/// What posts show holds its content: it stays when the file that it came from is deleted for good.
let migration022Attachments = Migration(
    number: 22,
    name: "attachments",
    statements: [
        // One row for each attachment of a post, and of one that waits for its time. It counts among its content's `refs`.
        // The rest is as the revision and its file had it.
        """
        CREATE TABLE attachments (
            author_id BIGINT NOT NULL,
            attachment_id BIGINT NOT NULL,
            content_id BIGINT NOT NULL,
            revision_id TEXT NOT NULL,
            name TEXT NOT NULL,
            mime_type TEXT NOT NULL,
            size BIGINT NOT NULL,
            checksum BLOB NOT NULL,
            PRIMARY KEY (author_id, attachment_id),
            FOREIGN KEY (author_id) REFERENCES accounts (user_id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX attachments_by_revision ON attachments (author_id, revision_id)",
        "CREATE INDEX attachments_by_content ON attachments (author_id, content_id)",
        // What was deleted for good before there was this is gone.
        """
        INSERT INTO attachments
            (author_id, attachment_id, content_id, revision_id, name, mime_type, size, checksum)
        SELECT t.author_id, t.attachment_id, r.content_id, r.revision_id, n.name, r.mime_type, r.size, r.checksum
        FROM (
            SELECT author_id, attachment_id, revision_id FROM post_attachments
            UNION ALL SELECT author_id, attachment_id, revision_id FROM scheduled_attachments
        ) AS t
        JOIN revisions r ON r.drive_id = t.author_id AND r.revision_id = t.revision_id
        JOIN nodes n ON n.drive_id = r.drive_id AND n.node_id = r.node_id
        """,
        """
        UPDATE contents SET refs = refs + held.places FROM (
            SELECT author_id, content_id, count(*) AS places FROM attachments GROUP BY author_id, content_id
        ) AS held
        WHERE contents.drive_id = held.author_id AND contents.content_id = held.content_id
        """,
    ])
