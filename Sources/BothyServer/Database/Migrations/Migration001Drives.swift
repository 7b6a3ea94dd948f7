/// Drives: nodes, contents, blocks, uploads, the change log, outcomes.
///
/// `BIGINT` and `BYTES` are spelled by the driver (`INTEGER` and `BLOB` in SQLite's strict tables). Times are
/// milliseconds since 1970 (`_ms`); what purges counts in lived seconds (`_lived`): time that the server has run, so that a
/// calendar that jumps purges nothing.
let migration001Drives = Migration(
    number: 1,
    name: "drives",
    statements: [
        // One row: the epoch that cursors and ETags carry, the node of Snowflake ids, lived seconds.
        """
        CREATE TABLE server_state (
            key TEXT NOT NULL PRIMARY KEY,
            value TEXT NOT NULL
        )
        """,
        """
        CREATE TABLE drives (
            drive_id BIGINT NOT NULL PRIMARY KEY,
            owner_id BIGINT NOT NULL,
            root_id TEXT NOT NULL,
            used_bytes BIGINT NOT NULL DEFAULT 0,
            quota_bytes BIGINT,
            last_sequence BIGINT NOT NULL DEFAULT 0,
            last_tag BIGINT NOT NULL DEFAULT 0,
            oldest_sequence BIGINT NOT NULL DEFAULT 0,
            last_content_id BIGINT NOT NULL DEFAULT 0
        )
        """,
        // Names are unique among the live children of a folder; names in the trash are free again. The root has no parent.
        // `kind` orders folders (0) before files (1). A purged node is cut off from its parent and waits for its removal.
        // `serial` is the sequence of the change that created the node: an order that nothing ever changes.
        """
        CREATE TABLE nodes (
            drive_id BIGINT NOT NULL,
            node_id TEXT NOT NULL,
            serial BIGINT NOT NULL,
            parent_id TEXT,
            name TEXT NOT NULL,
            kind BIGINT NOT NULL,
            mime_type TEXT NOT NULL,
            head_revision_id TEXT,
            size BIGINT NOT NULL,
            checksum BYTES,
            version BIGINT NOT NULL,
            created_ms BIGINT NOT NULL,
            updated_ms BIGINT NOT NULL,
            modified_s BIGINT NOT NULL,
            modified_ns BIGINT NOT NULL,
            trashed BIGINT NOT NULL DEFAULT 0,
            trashed_ms BIGINT,
            trashed_lived BIGINT,
            purged BIGINT NOT NULL DEFAULT 0,
            starred BIGINT NOT NULL DEFAULT 0,
            hidden BIGINT NOT NULL DEFAULT 0,
            executable BIGINT NOT NULL DEFAULT 0,
            request_id TEXT,
            device_id TEXT,
            PRIMARY KEY (drive_id, node_id),
            FOREIGN KEY (drive_id) REFERENCES drives (drive_id)
        )
        """,
        """
        CREATE UNIQUE INDEX nodes_by_name ON nodes (drive_id, parent_id, name)
            WHERE trashed = 0 AND purged = 0 AND parent_id IS NOT NULL
        """,
        // A folder in each of its orders: live siblings have names of their own, so each order is a total one.
        """
        CREATE INDEX nodes_in_order ON nodes (drive_id, parent_id, kind, name) WHERE trashed = 0 AND purged = 0
        """,
        """
        CREATE INDEX nodes_by_modified ON nodes (drive_id, parent_id, kind, modified_s, modified_ns, name)
            WHERE trashed = 0 AND purged = 0
        """,
        """
        CREATE INDEX nodes_by_size ON nodes (drive_id, parent_id, kind, size, name) WHERE trashed = 0 AND purged = 0
        """,
        "CREATE UNIQUE INDEX nodes_by_serial ON nodes (drive_id, serial)",
        "CREATE INDEX nodes_by_parent ON nodes (drive_id, parent_id) WHERE purged = 0",
        "CREATE INDEX nodes_by_request ON nodes (drive_id, request_id, serial) WHERE request_id IS NOT NULL",
        "CREATE INDEX nodes_trash_by_age ON nodes (trashed_lived) WHERE trashed = 1 AND purged = 0",
        "CREATE INDEX nodes_in_trash ON nodes (drive_id, trashed_ms, node_id) WHERE trashed = 1 AND purged = 0",
        "CREATE INDEX nodes_to_purge ON nodes (drive_id, node_id) WHERE purged = 1",
        // Content is shared by revisions, copies and restores: bytes are counted by their blocks.
        """
        CREATE TABLE contents (
            drive_id BIGINT NOT NULL,
            content_id BIGINT NOT NULL,
            checksum BYTES NOT NULL,
            size BIGINT NOT NULL,
            block_count BIGINT NOT NULL,
            refs BIGINT NOT NULL,
            PRIMARY KEY (drive_id, content_id)
        )
        """,
        "CREATE INDEX contents_by_checksum ON contents (drive_id, checksum)",
        """
        CREATE TABLE content_blocks (
            drive_id BIGINT NOT NULL,
            content_id BIGINT NOT NULL,
            position BIGINT NOT NULL,
            start BIGINT NOT NULL,
            hash BYTES NOT NULL,
            PRIMARY KEY (drive_id, content_id, position),
            FOREIGN KEY (drive_id, content_id) REFERENCES contents (drive_id, content_id) ON DELETE CASCADE
        )
        """,
        """
        CREATE TABLE revisions (
            drive_id BIGINT NOT NULL,
            revision_id TEXT NOT NULL,
            node_id TEXT NOT NULL,
            version BIGINT NOT NULL,
            content_id BIGINT NOT NULL,
            mime_type TEXT NOT NULL,
            size BIGINT NOT NULL,
            checksum BYTES NOT NULL,
            created_ms BIGINT NOT NULL,
            modified_s BIGINT NOT NULL,
            modified_ns BIGINT NOT NULL,
            device_id TEXT,
            PRIMARY KEY (drive_id, revision_id)
        )
        """,
        // `version` is the file's version that the revision made, so its order is the order in which they were made,
        // whatever the clock did.
        "CREATE UNIQUE INDEX revisions_of_node ON revisions (drive_id, node_id, version)",
        // `refs` counts content_blocks. What has none is freed a day (lived) after `unreferenced_lived`, unless an upload
        // pins it. `counted`: whether its size is in the drive's used_bytes.
        """
        CREATE TABLE blocks (
            drive_id BIGINT NOT NULL,
            hash BYTES NOT NULL,
            size BIGINT NOT NULL,
            pack BIGINT NOT NULL,
            pack_offset BIGINT NOT NULL,
            refs BIGINT NOT NULL,
            counted BIGINT NOT NULL,
            unreferenced_lived BIGINT,
            PRIMARY KEY (drive_id, hash)
        )
        """,
        "CREATE INDEX blocks_unreferenced ON blocks (unreferenced_lived) WHERE unreferenced_lived IS NOT NULL",
        "CREATE INDEX blocks_of_pack ON blocks (pack, pack_offset)",
        // An upload session. `state`: open, finished, canceled, expired. `request`: the UploadRequest as JSON, without its
        // plan. The prefix is what came from the first chunk on without a gap.
        """
        CREATE TABLE uploads (
            drive_id BIGINT NOT NULL,
            upload_id TEXT NOT NULL,
            device_id TEXT NOT NULL,
            state TEXT NOT NULL,
            request TEXT NOT NULL,
            plan_kind TEXT NOT NULL,
            chunk_size BIGINT NOT NULL,
            total_chunks BIGINT NOT NULL,
            received_chunks BIGINT NOT NULL,
            prefix_chunks BIGINT NOT NULL,
            prefix_bytes BIGINT NOT NULL,
            planned_bytes BIGINT NOT NULL,
            size BIGINT,
            created_ms BIGINT NOT NULL,
            expires_ms BIGINT NOT NULL,
            active_lived BIGINT NOT NULL,
            outcome TEXT,
            PRIMARY KEY (drive_id, upload_id)
        )
        """,
        "CREATE INDEX uploads_open ON uploads (state, active_lived)",
        "CREATE INDEX uploads_of_drive ON uploads (drive_id, state, active_lived)",
        // Chunks that were received, and, for named blocks, all that the plan names (`received` 0). Rows live as long as their
        // session is open: a received one pins its block.
        """
        CREATE TABLE upload_chunks (
            drive_id BIGINT NOT NULL,
            upload_id TEXT NOT NULL,
            position BIGINT NOT NULL,
            start BIGINT NOT NULL,
            size BIGINT NOT NULL,
            hash BYTES,
            received BIGINT NOT NULL,
            PRIMARY KEY (drive_id, upload_id, position),
            FOREIGN KEY (drive_id, upload_id) REFERENCES uploads (drive_id, upload_id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX upload_chunks_by_hash ON upload_chunks (drive_id, hash, upload_id)",
        // The change log: gapless within a drive, its sequence taken inside the transaction that commits the change.
        """
        CREATE TABLE changes (
            drive_id BIGINT NOT NULL,
            sequence BIGINT NOT NULL,
            tag BIGINT NOT NULL,
            kind TEXT NOT NULL,
            entity_id TEXT NOT NULL,
            removed BIGINT NOT NULL,
            at_ms BIGINT NOT NULL,
            at_lived BIGINT NOT NULL,
            device_id TEXT,
            PRIMARY KEY (drive_id, sequence)
        )
        """,
        // The memory of deletions, a year long. Descendants of a deleted folder follow with `root_id` set to it.
        """
        CREATE TABLE deletions (
            drive_id BIGINT NOT NULL,
            deletion_id TEXT NOT NULL,
            node_id TEXT NOT NULL,
            root_id TEXT NOT NULL,
            path TEXT NOT NULL,
            kind BIGINT NOT NULL,
            checksum BYTES,
            deleted_ms BIGINT NOT NULL,
            deleted_lived BIGINT NOT NULL,
            device_id TEXT,
            expanded BIGINT NOT NULL,
            PRIMARY KEY (drive_id, deletion_id)
        )
        """,
        "CREATE INDEX deletions_by_time ON deletions (drive_id, deleted_ms, deletion_id)",
        "CREATE INDEX deletions_of_node ON deletions (drive_id, node_id)",
        "CREATE INDEX deletions_by_age ON deletions (deleted_lived)",
        "CREATE INDEX deletions_of_root ON deletions (drive_id, root_id)",
        "CREATE INDEX deletions_to_expand ON deletions (expanded) WHERE expanded = 0",
        // What a request id led to, for 30 days: the hash of the body, and the answer.
        """
        CREATE TABLE outcomes (
            drive_id BIGINT NOT NULL,
            request_id TEXT NOT NULL,
            route TEXT NOT NULL,
            body_hash BYTES NOT NULL,
            status BIGINT NOT NULL,
            answer TEXT NOT NULL,
            cursor TEXT,
            at_lived BIGINT NOT NULL,
            PRIMARY KEY (drive_id, request_id)
        )
        """,
        "CREATE INDEX outcomes_by_age ON outcomes (at_lived)",
    ])
