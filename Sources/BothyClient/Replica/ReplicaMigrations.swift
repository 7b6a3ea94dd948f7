import GRDB

/// The replica database's schema, in numbered steps that are never edited once released.
enum ReplicaMigrations {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("001 cache, luids and journal") { db in
            try db.execute(sql: cacheLuidsAndJournal)
        }
        return migrator
    }

    /// `remote_files.luid` is that of `luids`, so that a place in the tree is a pair of integers. A row whose folder has
    /// not arrived is held by lying under a LUID that has no row yet: no path leads to it.
    private static let cacheLuidsAndJournal = """
        CREATE TABLE replica (
            one INTEGER PRIMARY KEY NOT NULL CHECK (one = 1),
            account_id TEXT,
            cursor TEXT,
            linked INTEGER NOT NULL,
            link INTEGER NOT NULL,
            pulled_ms INTEGER
        ) STRICT;
        INSERT INTO replica (one, linked, link) VALUES (1, 0, 0);

        CREATE TABLE luids (
            luid INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            server_id TEXT,
            local_id TEXT,
            content_hash BLOB,
            same_as INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX luids_server ON luids (server_id) WHERE server_id IS NOT NULL;
        CREATE UNIQUE INDEX luids_local ON luids (kind, local_id) WHERE local_id IS NOT NULL;
        INSERT INTO luids (luid, kind, server_id) VALUES (1, 'file', 'root');

        CREATE TABLE remote_files (
            luid INTEGER PRIMARY KEY NOT NULL,
            parent INTEGER,
            rank INTEGER NOT NULL,
            name TEXT NOT NULL,
            mime_type TEXT,
            size INTEGER NOT NULL,
            checksum BLOB,
            head_revision_id TEXT,
            version INTEGER NOT NULL,
            created_ms INTEGER NOT NULL,
            updated_ms INTEGER NOT NULL,
            modified_s INTEGER NOT NULL,
            modified_ns INTEGER NOT NULL,
            trashed_ms INTEGER,
            starred INTEGER NOT NULL,
            hidden INTEGER NOT NULL,
            executable INTEGER NOT NULL,
            request_id TEXT,
            device_id TEXT,
            media TEXT,
            link INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX remote_files_place ON remote_files (parent, rank, name);
        CREATE INDEX remote_files_trashed ON remote_files (trashed_ms) WHERE trashed_ms IS NOT NULL;

        CREATE TABLE operations (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            request_id TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            subject INTEGER NOT NULL,
            payload TEXT NOT NULL,
            places TEXT NOT NULL,
            scope TEXT NOT NULL,
            parent INTEGER,
            name TEXT,
            content_hash BLOB,
            state TEXT NOT NULL,
            sent INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            next_attempt_ms INTEGER,
            last_error TEXT,
            acknowledged_version INTEGER,
            created_ms INTEGER NOT NULL,
            updated_ms INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX operations_subject ON operations (subject);
        CREATE INDEX operations_hash ON operations (content_hash) WHERE content_hash IS NOT NULL;

        CREATE TABLE gone_folders (
            luid INTEGER PRIMARY KEY NOT NULL
        ) STRICT;

        CREATE TABLE pins (
            luid INTEGER PRIMARY KEY NOT NULL,
            pinned_ms INTEGER NOT NULL
        ) STRICT;
        """
}
