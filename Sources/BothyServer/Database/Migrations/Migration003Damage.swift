/// `damaged`: the block's bytes on the disk were found not to be what they were.
let migration003Damage = Migration(
    number: 3,
    name: "damage",
    statements: [
        "ALTER TABLE blocks ADD COLUMN damaged BIGINT NOT NULL DEFAULT 0",
        "CREATE INDEX blocks_damaged ON blocks (drive_id, hash) WHERE damaged = 1",
    ])
