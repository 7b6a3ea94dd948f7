/// `stored`: bytes that a block's own bytes take in its pack; less than `size` for one that is compressed, NULL for one that was
/// not tried yet.
let migration010StoredSizes = Migration(
    number: 10,
    name: "stored sizes",
    statements: [
        "ALTER TABLE blocks ADD COLUMN stored BIGINT",
        "CREATE INDEX blocks_untried ON blocks (pack, pack_offset) WHERE stored IS NULL",
    ])
