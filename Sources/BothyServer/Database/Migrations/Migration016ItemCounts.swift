/// How many files and folders a drive has, the trash included, and how many it may have.
let migration016ItemCounts = Migration(
    number: 16,
    name: "item counts",
    statements: [
        "ALTER TABLE drives ADD COLUMN items BIGINT NOT NULL DEFAULT 0",
        // As the server is set, which tells it at each start; no limit where NULL.
        "ALTER TABLE drives ADD COLUMN most_items BIGINT",
        """
        UPDATE drives SET items = (
            SELECT COUNT(*) FROM nodes WHERE nodes.drive_id = drives.drive_id AND nodes.parent_id IS NOT NULL)
        """,
    ])
