import GRDB

/// The client database's schema, in numbered steps that are never edited once released.
package enum ClientMigrations {
    package static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("001 transfers and settings") { db in
            try db.execute(sql: transfersAndSettings)
        }
        migrator.registerMigration("002 folders in step") { db in
            try db.execute(sql: BindingsSchema.first)
        }
        migrator.registerMigration("003 decisions by file") { db in
            try db.execute(sql: BindingsSchema.decisionsByFile)
        }
        migrator.registerMigration("004 requests in order") { db in
            try db.execute(sql: BindingsSchema.requestsInOrder)
        }
        migrator.registerMigration("005 what was agreed on of what is in the trash") { db in
            try db.execute(sql: BindingsSchema.agreedInTrash)
        }
        migrator.registerMigration("006 uploads in blocks") { db in
            try db.execute(sql: uploadsInBlocks)
        }
        migrator.registerMigration("007 downloads from what is here") { db in
            try db.execute(sql: downloadsFromHere)
        }
        migrator.registerMigration("008 what is left out by size and type, and what waits") { db in
            try db.execute(sql: BindingsSchema.leftOutAndWaiting)
        }
        migrator.registerMigration("009 sketches of what was sent") { db in
            try db.execute(sql: sketches)
        }
        migrator.registerMigration("010 the disk of a folder in step") { db in
            try db.execute(sql: BindingsSchema.diskNumber)
        }
        migrator.registerMigration("011 what content is in the local trash") { db in
            try db.execute(sql: BindingsSchema.contentInTrash)
        }
        migrator.registerMigration("012 sketches by what they begin with") { db in
            try db.execute(sql: sketchesByFirstBlock)
        }
        migrator.registerMigration("013 stamps of one disk") { db in
            try db.execute(sql: BindingsSchema.stampsOfOneDisk)
        }
        migrator.registerMigration("014 terms of plans") { db in
            try db.execute(sql: BindingsSchema.termsOfPlans)
        }
        migrator.registerMigration("015 what passes took away, by file") { db in
            try db.execute(sql: BindingsSchema.losses)
        }
        migrator.registerMigration("016 what an upload must hold") { db in
            try db.execute(sql: "ALTER TABLE upload_transfers ADD COLUMN expected_hash TEXT")
        }
        migrator.registerMigration("017 conflicts that are open again") { db in
            try db.execute(sql: BindingsSchema.reopened)
        }
        migrator.registerMigration("018 undoings of conflicts") { db in
            try db.execute(sql: BindingsSchema.undoingsOfConflicts)
        }
        migrator.registerMigration("019 folders that were in step once") { db in
            try db.execute(sql: BindingsSchema.untiedFolders)
        }
        migrator.registerMigration("020 what others wish, by who runs it") { db in
            try db.execute(sql: wishesByRunner)
        }
        migrator.registerMigration("021 uploads that somebody keeps account of") { db in
            try db.execute(sql: "ALTER TABLE upload_transfers ADD COLUMN has_keeper INTEGER NOT NULL DEFAULT 0")
        }
        migrator.registerMigration("022 what a download may replace") { db in
            try db.execute(sql: whatMayBeReplaced)
        }
        migrator.registerMigration("023 the feed") { db in
            try db.execute(sql: FeedSchema.before)
        }
        migrator.registerMigration("024 stamps that vouch for nothing") { db in
            try db.execute(sql: BindingsSchema.recentStamps)
        }
        migrator.registerMigration("025 disks that are mounted in folders in step") { db in
            try db.execute(sql: BindingsSchema.mounts)
        }
        migrator.registerMigration("026 what a download may replace, by its content") { db in
            try db.execute(sql: "ALTER TABLE download_transfers ADD COLUMN replaces_hash TEXT")
        }
        return migrator
    }

    private static let transfersAndSettings = """
        CREATE TABLE settings (
            name TEXT PRIMARY KEY NOT NULL,
            value TEXT NOT NULL
        ) STRICT;

        CREATE TABLE upload_transfers (
            transfer_id TEXT PRIMARY KEY NOT NULL,
            generation INTEGER NOT NULL,
            local_path TEXT NOT NULL,
            spooled INTEGER NOT NULL,
            file_size INTEGER,
            source_modified TEXT,
            source_inode INTEGER,
            name TEXT NOT NULL,
            parent_id TEXT NOT NULL,
            file_id TEXT,
            base_revision_id TEXT,
            mime_type TEXT,
            executable INTEGER NOT NULL,
            conflict TEXT NOT NULL,
            chunked INTEGER NOT NULL,
            chunk_size INTEGER NOT NULL,
            uploaded_chunks BLOB NOT NULL,
            session_id TEXT,
            session_expires_at TEXT,
            remote_file_id TEXT,
            remote_revision_id TEXT,
            file_hash_sha256 TEXT,
            state TEXT NOT NULL,
            pause_reason TEXT,
            wish TEXT,
            shown_bytes INTEGER NOT NULL,
            last_error TEXT,
            failures INTEGER NOT NULL,
            attempts_per_chunk TEXT NOT NULL,
            last_byte_offset INTEGER NOT NULL,
            last_server_status INTEGER,
            runner TEXT,
            replaced_by TEXT,
            created_at TEXT NOT NULL,
            updated_at TEXT NOT NULL
        ) STRICT;
        CREATE INDEX upload_transfers_open ON upload_transfers (local_path)
            WHERE state NOT IN ('completed', 'canceled');

        CREATE TABLE download_transfers (
            transfer_id TEXT PRIMARY KEY NOT NULL,
            remote_file_id TEXT NOT NULL,
            revision_id TEXT,
            follows_head INTEGER NOT NULL,
            name TEXT NOT NULL,
            expected_size INTEGER,
            expected_hash TEXT,
            etag TEXT,
            modified_at TEXT,
            executable INTEGER NOT NULL,
            destination_path TEXT NOT NULL,
            temp_path TEXT NOT NULL,
            replacing INTEGER NOT NULL,
            chunk_size INTEGER NOT NULL,
            downloaded_chunks BLOB NOT NULL,
            state TEXT NOT NULL,
            pause_reason TEXT,
            wish TEXT,
            shown_bytes INTEGER NOT NULL,
            last_error TEXT,
            failures INTEGER NOT NULL,
            attempts_per_chunk TEXT NOT NULL,
            last_byte_offset INTEGER NOT NULL,
            last_server_status INTEGER,
            runner TEXT,
            replaced_by TEXT,
            created_at TEXT NOT NULL,
            updated_at TEXT NOT NULL
        ) STRICT;
        CREATE INDEX download_transfers_open ON download_transfers (destination_path)
            WHERE state NOT IN ('completed', 'canceled');
        """

    /// A session that is there already was begun with fixed chunks, and keeps them.
    private static let uploadsInBlocks = """
        ALTER TABLE upload_transfers ADD COLUMN plan TEXT NOT NULL DEFAULT 'fixed';
        ALTER TABLE upload_transfers ADD COLUMN received_blocks TEXT NOT NULL DEFAULT '';
        ALTER TABLE upload_transfers ADD COLUMN sent_bytes INTEGER NOT NULL DEFAULT 0;
        UPDATE upload_transfers SET sent_bytes = coalesce(file_size, 0) WHERE state = 'completed';
        """

    private static let downloadsFromHere = """
        ALTER TABLE download_transfers ADD COLUMN basis_path TEXT;
        ALTER TABLE download_transfers ADD COLUMN fetched_bytes INTEGER NOT NULL DEFAULT 0;
        UPDATE download_transfers SET fetched_bytes = coalesce(expected_size, 0) WHERE state = 'completed';
        """

    private static let whatMayBeReplaced = """
        ALTER TABLE download_transfers ADD COLUMN replaces_size INTEGER;
        ALTER TABLE download_transfers ADD COLUMN replaces_modified TEXT;
        ALTER TABLE download_transfers ADD COLUMN replaces_inode INTEGER;
        """

    /// Looked at four times a second, while there may be ten thousand transfers.
    private static let wishesByRunner = """
        CREATE INDEX upload_transfers_wishes ON upload_transfers (runner) WHERE wish IS NOT NULL;
        CREATE INDEX download_transfers_wishes ON download_transfers (runner) WHERE wish IS NOT NULL;
        """

    private static let sketches = """
        CREATE TABLE sketches (
            file_id TEXT PRIMARY KEY NOT NULL,
            revision_id TEXT NOT NULL,
            changed INTEGER NOT NULL,
            size INTEGER NOT NULL,
            content BLOB NOT NULL
        ) STRICT;
        """

    /// The names of blocks follow three numbers of four bytes, of which the last says how many they are.
    private static let sketchesByFirstBlock = """
        ALTER TABLE sketches ADD COLUMN first_block BLOB;
        UPDATE sketches SET first_block = substr(content, 13, 32) WHERE substr(content, 9, 4) > x'00000000';
        CREATE INDEX sketches_first_block ON sketches (first_block) WHERE first_block IS NOT NULL;
        """
}
