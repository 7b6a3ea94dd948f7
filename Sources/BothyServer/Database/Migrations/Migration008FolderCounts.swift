/// How many entries each folder shows, kept with every write, so that a page of a large folder counts nothing.
let migration008FolderCounts = Migration(
    number: 8,
    name: "folder counts",
    statements: [
        // What is live and not hidden, by `kind`. A folder without such entries has no row, or one that says 0.
        """
        CREATE TABLE folder_counts (
            drive_id BIGINT NOT NULL,
            folder_id TEXT NOT NULL,
            kind BIGINT NOT NULL,
            entries BIGINT NOT NULL,
            PRIMARY KEY (drive_id, folder_id, kind)
        )
        """,
        """
        INSERT INTO folder_counts (drive_id, folder_id, kind, entries)
            SELECT drive_id, parent_id, kind, COUNT(*) FROM nodes
            WHERE trashed = 0 AND purged = 0 AND hidden = 0 AND parent_id IS NOT NULL
            GROUP BY drive_id, parent_id, kind
        """,
        // It served the counting alone.
        "DROP INDEX nodes_hidden",
    ])
