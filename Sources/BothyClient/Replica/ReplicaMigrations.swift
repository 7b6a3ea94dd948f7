import BothyContract
import Foundation
import GRDB

/// The replica database's schema, in numbered steps that are never edited once released.
enum ReplicaMigrations {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("001 cache, luids and journal") { db in
            try db.execute(sql: cacheLuidsAndJournal)
        }
        migrator.registerMigration("002 what is kept, and conflicts") { db in
            try db.execute(sql: keepingAndConflicts)
        }
        migrator.registerMigration("003 what content has become") { db in
            try db.execute(sql: "ALTER TABLE operations ADD COLUMN acknowledged_revision TEXT")
        }
        migrator.registerMigration("004 a server that forgets") { db in
            try db.execute(sql: serverThatForgets)
        }
        migrator.registerMigration("005 content that was given up") { db in
            try db.execute(
                sql:
                    "CREATE TABLE given_up (name TEXT PRIMARY KEY NOT NULL, lived INTEGER NOT NULL) STRICT, WITHOUT ROWID"
            )
        }
        migrator.registerMigration("006 folders in order", migrate: putFoldersInOrder)
        migrator.registerMigration("007 what was given up") { db in
            try db.execute(sql: whatWasGivenUp)
        }
        migrator.registerMigration("008 stars") { db in
            try db.execute(sql: "CREATE INDEX remote_files_starred ON remote_files (starred) WHERE starred = 1")
        }
        migrator.registerMigration("009 what changes the view") { db in
            try db.execute(sql: ViewChangeTable.schema)
        }
        migrator.registerMigration("010 the feed in the journal") { db in
            try db.execute(sql: "ALTER TABLE operations ADD COLUMN domain TEXT NOT NULL DEFAULT 'files'")
            try db.execute(sql: FeedSchema.kept)
            try db.execute(sql: PeopleTable.schema)
        }
        migrator.registerMigration("011 what the server answered last") { db in
            try db.execute(sql: KeptAnswerTable.schema)
        }
        return migrator
    }

    /// Rows that are read at once.
    private static let portion = 1000

    /// `name_key` is what names are sorted by, see ``NameOrder``. The index has what a screen lists, and nothing else; of that,
    /// `folder_counts` knows how much there is.
    private static func putFoldersInOrder(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE remote_files ADD COLUMN name_key BLOB")
        var last = Int64.min
        while true {
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: "SELECT luid, name FROM remote_files WHERE luid > ? ORDER BY luid LIMIT \(portion)"),
                arguments: [last])
            for row in rows {
                last = row[0]
                try db.cachedStatement(sql: "UPDATE remote_files SET name_key = ? WHERE luid = ?")
                    .execute(arguments: [Data(NameOrder.key(row[1])), last])
            }
            if rows.count < portion { break }
        }
        try db.execute(sql: foldersInOrder)
    }

    /// Times and sizes have no index: few sort by them, and each would cost a tenth of the file.
    private static let foldersInOrder = """
        CREATE INDEX remote_files_by_name ON remote_files (parent, rank, name_key, name)
            WHERE trashed_ms IS NULL AND hidden = 0;

        CREATE TABLE folder_counts (
            folder INTEGER PRIMARY KEY NOT NULL,
            listed INTEGER NOT NULL
        ) STRICT;
        INSERT INTO folder_counts (folder, listed)
            SELECT parent, count(*) FROM remote_files
            WHERE parent IS NOT NULL AND trashed_ms IS NULL AND hidden = 0 GROUP BY parent;

        CREATE TRIGGER folder_counts_insert AFTER INSERT ON remote_files
        WHEN NEW.parent IS NOT NULL AND NEW.trashed_ms IS NULL AND NEW.hidden = 0
        BEGIN
            INSERT INTO folder_counts (folder, listed) VALUES (NEW.parent, 1)
                ON CONFLICT (folder) DO UPDATE SET listed = listed + 1;
        END;
        CREATE TRIGGER folder_counts_delete AFTER DELETE ON remote_files
        WHEN OLD.parent IS NOT NULL AND OLD.trashed_ms IS NULL AND OLD.hidden = 0
        BEGIN
            UPDATE folder_counts SET listed = listed - 1 WHERE folder = OLD.parent;
        END;
        CREATE TRIGGER folder_counts_update AFTER UPDATE OF parent, trashed_ms, hidden ON remote_files
        WHEN NEW.parent IS NOT OLD.parent OR NEW.trashed_ms IS NOT OLD.trashed_ms OR NEW.hidden <> OLD.hidden
        BEGIN
            UPDATE folder_counts SET listed = listed - 1
                WHERE folder = OLD.parent AND OLD.trashed_ms IS NULL AND OLD.hidden = 0;
            INSERT INTO folder_counts (folder, listed)
                SELECT NEW.parent, 1
                WHERE NEW.parent IS NOT NULL AND NEW.trashed_ms IS NULL AND NEW.hidden = 0
                ON CONFLICT (folder) DO UPDATE SET listed = listed + 1;
        END;
        """

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

    private static let whatWasGivenUp = """
        CREATE TABLE given_up_notes (
            name TEXT PRIMARY KEY NOT NULL,
            path TEXT,
            reason TEXT NOT NULL,
            mime_type TEXT,
            given_up_ms INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    private static let serverThatForgets = """
        ALTER TABLE replica ADD COLUMN left_cursor TEXT;

        DROP TRIGGER luids_claimed_once;
        CREATE TRIGGER luids_claimed_once BEFORE UPDATE OF server_id ON luids
        WHEN OLD.server_id IS NOT NULL AND NEW.server_id IS NOT NULL AND NEW.server_id IS NOT OLD.server_id
        BEGIN SELECT RAISE(ABORT, 'a local id stands for one thing of the server''s, for good'); END;
        """

    private static let keepingAndConflicts = """
        ALTER TABLE replica ADD COLUMN metadata_cap INTEGER;
        ALTER TABLE replica ADD COLUMN metadata_cap_asked_ms INTEGER;

        CREATE TRIGGER luids_claimed_once BEFORE UPDATE OF server_id ON luids
        WHEN OLD.server_id IS NOT NULL AND NEW.server_id IS NOT OLD.server_id
        BEGIN SELECT RAISE(ABORT, 'a local id stands for one thing of the server''s, for good'); END;
        CREATE INDEX luids_same ON luids (same_as) WHERE same_as IS NOT NULL;

        CREATE TABLE thinned_folders (
            luid INTEGER PRIMARY KEY NOT NULL
        ) STRICT;

        CREATE TABLE uses (
            thing TEXT PRIMARY KEY NOT NULL,
            used INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE conflict_policies (
            luid INTEGER PRIMARY KEY NOT NULL,
            policy TEXT NOT NULL
        ) STRICT;

        CREATE TABLE decisions (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            decided_ms INTEGER NOT NULL,
            automatic INTEGER NOT NULL,
            choice TEXT NOT NULL,
            operation TEXT NOT NULL,
            made_operation INTEGER,
            made TEXT,
            path TEXT,
            told INTEGER NOT NULL,
            undone_ms INTEGER
        ) STRICT;
        """
}
