/// How large what is attached to posts is, how long, and what it looks like from afar: so that it has its room before it is there.
let migration021Looks = Migration(
    number: 21,
    name: "looks",
    statements: [
        // Points, as it is shown; milliseconds; a ThumbHash in base64. NULL for what is not known.
        "ALTER TABLE post_attachments ADD COLUMN width BIGINT",
        "ALTER TABLE post_attachments ADD COLUMN height BIGINT",
        "ALTER TABLE post_attachments ADD COLUMN duration_ms BIGINT",
        "ALTER TABLE post_attachments ADD COLUMN placeholder TEXT",
        // Whether somebody has looked: what nothing is known of is not looked at again.
        "ALTER TABLE post_attachments ADD COLUMN looked BIGINT NOT NULL DEFAULT 0",
        "CREATE INDEX post_attachments_not_looked ON post_attachments (author_id, revision_id) WHERE looked = 0",
    ])
