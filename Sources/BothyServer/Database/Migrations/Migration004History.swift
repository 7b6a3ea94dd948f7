/// What a drive was: places that nodes have left, the change that made each revision, and what puts a drive back.
let migration004History = Migration(
    number: 4,
    name: "history",
    statements: [
        // The sequence from which on the drive can be told as it was. A drive that is older than this table begins now.
        "ALTER TABLE drives ADD COLUMN history_from BIGINT NOT NULL DEFAULT 0",
        "UPDATE drives SET history_from = last_sequence",
        // The change that made the revision; 0 for those of before `history_from`.
        "ALTER TABLE revisions ADD COLUMN sequence BIGINT NOT NULL DEFAULT 0",
        // A place that a node had until a change: a row for each move, renaming, trip to the trash or back, and for being
        // deleted for good. What never changed its place has none: `nodes` tells it.
        """
        CREATE TABLE node_history (
            drive_id BIGINT NOT NULL,
            node_id TEXT NOT NULL,
            until_sequence BIGINT NOT NULL,
            serial BIGINT NOT NULL,
            kind BIGINT NOT NULL,
            parent_id TEXT NOT NULL,
            name TEXT NOT NULL,
            trashed BIGINT NOT NULL,
            executable BIGINT NOT NULL,
            PRIMARY KEY (drive_id, node_id, until_sequence)
        )
        """,
        "CREATE INDEX node_history_by_sequence ON node_history (drive_id, until_sequence)",
        // A plan for putting a drive back as it was after the change `moment`, and what became of it. `state`: planning,
        // planned, running, finished. `wanted`: it runs as soon as it is planned. `planned`: how far of the log it looked at.
        """
        CREATE TABLE restores (
            drive_id BIGINT NOT NULL,
            restore_id TEXT NOT NULL,
            file_id TEXT NOT NULL,
            moment BIGINT NOT NULL,
            moment_tag BIGINT NOT NULL,
            at_ms BIGINT NOT NULL,
            state TEXT NOT NULL,
            wanted BIGINT NOT NULL,
            planned BIGINT NOT NULL,
            device_id TEXT,
            request_id TEXT,
            body_hash BYTES,
            run_request_id TEXT,
            run_body_hash BYTES,
            before_cursor TEXT,
            after_cursor TEXT,
            created_ms BIGINT NOT NULL,
            touched_lived BIGINT NOT NULL,
            PRIMARY KEY (drive_id, restore_id)
        )
        """,
        "CREATE UNIQUE INDEX restores_by_request ON restores (drive_id, request_id) WHERE request_id IS NOT NULL",
        """
        CREATE UNIQUE INDEX restores_by_run_request ON restores (drive_id, run_request_id)
            WHERE run_request_id IS NOT NULL
        """,
        """
        CREATE INDEX restores_under_way ON restores (drive_id, restore_id)
            WHERE wanted = 1 AND state <> 'finished'
        """,
        "CREATE INDEX restores_by_age ON restores (touched_lived)",
        // What a restore does to each node, in the order of `rank`. `outcome` is NULL until it is done.
        """
        CREATE TABLE restore_steps (
            drive_id BIGINT NOT NULL,
            restore_id TEXT NOT NULL,
            node_id TEXT NOT NULL,
            rank BIGINT NOT NULL,
            action TEXT NOT NULL,
            aspects BIGINT NOT NULL,
            version BIGINT NOT NULL,
            kind BIGINT NOT NULL,
            new_id TEXT,
            parent_id TEXT NOT NULL,
            name TEXT NOT NULL,
            trashed BIGINT NOT NULL,
            live BIGINT NOT NULL,
            executable BIGINT NOT NULL,
            revision_id TEXT,
            path TEXT,
            past_path TEXT,
            lost_ms BIGINT,
            outcome TEXT,
            PRIMARY KEY (drive_id, restore_id, node_id)
        )
        """,
        "CREATE INDEX restore_steps_in_order ON restore_steps (drive_id, restore_id, rank, node_id)",
        """
        CREATE INDEX restore_steps_to_do ON restore_steps (drive_id, restore_id, rank, node_id) WHERE outcome IS NULL
        """,
    ])
