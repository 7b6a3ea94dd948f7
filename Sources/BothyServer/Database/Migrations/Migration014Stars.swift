/// What has a star is listed without a look at anything else.
let migration014Stars = Migration(
    number: 14,
    name: "stars",
    statements: [
        """
        CREATE INDEX nodes_starred ON nodes (drive_id, kind, name_key, name, node_id)
            WHERE starred = 1 AND trashed = 0 AND purged = 0
        """
    ])
