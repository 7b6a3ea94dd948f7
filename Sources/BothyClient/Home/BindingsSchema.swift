/// What a device keeps of its synced folders; `BothySync` reads and writes it, a type a table.
enum BindingsSchema {
    /// What is agreed on of a file or folder, as the first migration has it; a column that comes later comes by one of its own.
    private static let agreed = """
        parent_id TEXT,
        name TEXT NOT NULL,
        remote_name TEXT,
        is_folder INTEGER NOT NULL,
        device INTEGER,
        inode INTEGER,
        local_size INTEGER,
        modified_s INTEGER,
        modified_ns INTEGER,
        changed_s INTEGER,
        changed_ns INTEGER,
        born_s INTEGER,
        born_ns INTEGER,
        local_executable INTEGER NOT NULL,
        base_revision_id TEXT,
        checksum BLOB,
        size INTEGER NOT NULL,
        remote_executable INTEGER NOT NULL,
        remote_modified_s INTEGER NOT NULL,
        remote_modified_ns INTEGER NOT NULL,
        version INTEGER NOT NULL,
        mark TEXT
        """

    /// A synced node's name is the disk's; `remote_name` is there where the server's is another. Stamps are five numbers each,
    /// not text, because a pass reads as many as there are files.
    static let first = """
        CREATE TABLE bindings (
            binding_id TEXT PRIMARY KEY NOT NULL,
            local_path TEXT NOT NULL UNIQUE,
            remote_id TEXT NOT NULL,
            remote_path TEXT NOT NULL,
            account_id TEXT NOT NULL,
            mark TEXT NOT NULL,
            root TEXT NOT NULL,
            deletions TEXT NOT NULL,
            conflicts TEXT NOT NULL,
            exclude TEXT NOT NULL,
            link INTEGER,
            is_linking INTEGER NOT NULL,
            created_at TEXT NOT NULL,
            passed_at TEXT,
            failure TEXT
        ) STRICT;

        CREATE TABLE synced_nodes (
            binding_id TEXT NOT NULL,
            remote_id TEXT NOT NULL,
            \(agreed),
            PRIMARY KEY (binding_id, remote_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX synced_nodes_parent ON synced_nodes (binding_id, parent_id);

        CREATE TABLE sync_passes (
            pass_id INTEGER PRIMARY KEY AUTOINCREMENT,
            binding_id TEXT NOT NULL,
            started_at TEXT NOT NULL,
            ended_at TEXT,
            lived_at INTEGER NOT NULL,
            is_confirmed INTEGER NOT NULL,
            lost_here INTEGER NOT NULL,
            lost_there INTEGER NOT NULL,
            undoes INTEGER,
            undone_by INTEGER
        ) STRICT;
        CREATE INDEX sync_passes_binding ON sync_passes (binding_id, pass_id);

        CREATE TABLE sync_decisions (
            decision_id INTEGER PRIMARY KEY AUTOINCREMENT,
            pass_id INTEGER NOT NULL,
            binding_id TEXT NOT NULL,
            at TEXT NOT NULL,
            place TEXT NOT NULL,
            other_place TEXT,
            action TEXT NOT NULL,
            trace TEXT NOT NULL
        ) STRICT;
        CREATE INDEX sync_decisions_pass ON sync_decisions (pass_id);
        CREATE INDEX sync_decisions_place ON sync_decisions (binding_id, place);

        CREATE TABLE sync_requests (
            binding_id TEXT NOT NULL,
            action TEXT NOT NULL,
            request_id TEXT NOT NULL,
            step TEXT NOT NULL,
            PRIMARY KEY (binding_id, action)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE sync_choices (
            binding_id TEXT NOT NULL,
            place TEXT NOT NULL,
            choice TEXT NOT NULL,
            PRIMARY KEY (binding_id, place)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE sync_plans (
            plan_id TEXT PRIMARY KEY NOT NULL,
            binding_id TEXT NOT NULL,
            actions TEXT NOT NULL,
            made_at TEXT NOT NULL
        ) STRICT;

        CREATE TABLE local_trash (
            keep TEXT PRIMARY KEY NOT NULL,
            binding_id TEXT NOT NULL,
            place TEXT NOT NULL,
            is_folder INTEGER NOT NULL,
            size INTEGER NOT NULL,
            reason TEXT NOT NULL,
            taken_at TEXT NOT NULL,
            lived_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX local_trash_binding ON local_trash (binding_id, taken_at);
        """

    /// What was done to a file is found again wherever it has been moved to since; and what the folder's disk makes of names.
    static let decisionsByFile = """
        ALTER TABLE sync_decisions ADD COLUMN remote_id TEXT;
        UPDATE sync_decisions SET remote_id = json_extract(trace, '$.remoteId');
        CREATE INDEX sync_decisions_file ON sync_decisions (binding_id, remote_id);

        ALTER TABLE bindings ADD COLUMN disk TEXT;

        CREATE TABLE sync_rules (
            binding_id TEXT NOT NULL,
            place TEXT NOT NULL,
            text TEXT NOT NULL,
            PRIMARY KEY (binding_id, place)
        ) STRICT, WITHOUT ROWID;
        """

    /// In which order actions were begun: requests that never get an answer are kept, the newest only.
    static let requestsInOrder = "ALTER TABLE sync_requests ADD COLUMN begun INTEGER NOT NULL DEFAULT 0"

    /// What is left out by size and type, what the last pass left waiting for a person, and whether the link was undone.
    static let leftOutAndWaiting = """
        ALTER TABLE bindings ADD COLUMN largest_file INTEGER;
        ALTER TABLE bindings ADD COLUMN left_out_endings TEXT NOT NULL DEFAULT '[]';
        ALTER TABLE bindings ADD COLUMN waits TEXT;
        ALTER TABLE bindings ADD COLUMN is_link_taken_back INTEGER NOT NULL DEFAULT 0;
        """

    /// On which disk a folder was seen last.
    static let diskNumber = "ALTER TABLE bindings ADD COLUMN disk_number INTEGER"

    /// Of files, what was taken away or replaced here can be put in another place again.
    static let contentInTrash = """
        ALTER TABLE local_trash ADD COLUMN checksum BLOB;
        CREATE INDEX local_trash_content ON local_trash (binding_id, checksum) WHERE checksum IS NOT NULL;
        """

    /// What was agreed on of folders in the local trash: the columns are those of `synced_nodes`.
    static let agreedInTrash = """
        CREATE TABLE trashed_nodes (
            keep TEXT NOT NULL,
            binding_id TEXT NOT NULL,
            remote_id TEXT NOT NULL,
            \(agreed),
            PRIMARY KEY (keep, remote_id)
        ) STRICT, WITHOUT ROWID;
        """

    /// A stamp's disk is its folder's: what lies on another is not looked at.
    static let stampsOfOneDisk = """
        ALTER TABLE synced_nodes DROP COLUMN device;
        ALTER TABLE trashed_nodes DROP COLUMN device;
        """

    /// Which stamps vouch for no content. Those whose times were rounded may be such: what they are of is read once more. What the disks of
    /// folders can tell is found out anew.
    static let recentStamps = """
        ALTER TABLE synced_nodes ADD COLUMN is_stamp_recent INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE trashed_nodes ADD COLUMN is_stamp_recent INTEGER NOT NULL DEFAULT 0;
        UPDATE synced_nodes SET is_stamp_recent = 1 WHERE changed_ns % 10000000 = 0;
        UPDATE trashed_nodes SET is_stamp_recent = 1 WHERE changed_ns % 10000000 = 0;
        UPDATE bindings SET disk = NULL;
        """

    /// Folders in which another part of their disk is mounted.
    static let mounts = """
        CREATE TABLE sync_mounts (
            binding_id TEXT NOT NULL,
            remote_id TEXT NOT NULL,
            PRIMARY KEY (binding_id, remote_id)
        ) STRICT, WITHOUT ROWID;
        """

    /// What was asked for along with a dry run.
    static let termsOfPlans = "ALTER TABLE sync_plans ADD COLUMN terms TEXT NOT NULL DEFAULT '{}'"

    /// Conflicts of which the decision was taken back.
    static let reopened = """
        CREATE TABLE sync_reopened (
            binding_id TEXT NOT NULL,
            remote_id TEXT NOT NULL,
            PRIMARY KEY (binding_id, remote_id)
        ) STRICT, WITHOUT ROWID;
        """

    /// What an undoing takes back, where that is one conflict of its pass.
    static let undoingsOfConflicts = """
        ALTER TABLE sync_passes ADD COLUMN undoes_conflict INTEGER;
        CREATE INDEX sync_passes_undoes_conflict ON sync_passes (undoes) WHERE undoes_conflict IS NOT NULL;
        """

    /// Folders that were synced once, of which `synced_nodes` has what was agreed on under the id that they had.
    static let untiedFolders = """
        CREATE TABLE untied_folders (
            binding_id TEXT PRIMARY KEY NOT NULL,
            account_id TEXT NOT NULL,
            remote_id TEXT NOT NULL,
            root TEXT NOT NULL,
            untied_at TEXT NOT NULL
        ) STRICT;
        """

    /// What passes took away, by file: what comes back is no longer counted.
    static let losses = """
        CREATE TABLE sync_losses (
            binding_id TEXT NOT NULL,
            remote_id TEXT NOT NULL,
            top_id TEXT NOT NULL,
            pass_id INTEGER NOT NULL,
            side TEXT NOT NULL,
            PRIMARY KEY (binding_id, remote_id)
        ) STRICT, WITHOUT ROWID;
        """
}
