import GRDB

/// The table `view_changes`: what happened lately to the journal and, while anything waits in it, to the cache.
///
/// Triggers write it. So a process reads only what has changed since it looked last, no matter which process made the change.
enum ViewChangeTable {
    /// A place in this log. A number is given again after a rollback; its token is not.
    struct Place: Equatable, Sendable {
        var number: Int64
        var token: Int64
    }

    /// What has changed since a place.
    struct Changes: Sendable {
        /// The end of the log.
        var place: Place
        /// Operations that were added, changed or removed.
        var operations = Set<Int64>()
        /// What changed in the cache.
        var keys = Set<ViewKey>()
    }

    /// Changes that the log keeps. A process that has missed more reads everything again.
    static let mostKept = 4096

    static func last(in db: Database) throws -> Place {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT number, token FROM view_changes ORDER BY number DESC LIMIT 1"))
        return row.map { Place(number: $0[0], token: $0[1]) } ?? Place(number: 0, token: 0)
    }

    /// - Returns: nil where the log does not have this place any more, or never had.
    static func changes(since place: Place, in db: Database) throws -> Changes? {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT number, token, operation, luid, parent, name FROM view_changes
                    WHERE number >= ? ORDER BY number
                    """),
            arguments: [place.number])
        guard let first = try rows.next(), Place(number: first[0], token: first[1]) == place else { return nil }
        var changes = Changes(place: place)
        while let row = try rows.next() {
            changes.place = Place(number: row[0], token: row[1])
            let (operation, luid): (Int64?, Int64?) = (row[2], row[3])
            let (parent, name): (Int64?, String?) = (row[4], row[5])
            if let operation { changes.operations.insert(operation) }
            if let luid { changes.keys.insert(.file(LUID(luid))) }
            if let parent, let name {
                changes.keys.insert(.name(NameInFolder(parent: LUID(parent), name: name)))
            }
        }
        return changes
    }

    /// The table and its triggers.
    static let schema = """
        CREATE TABLE view_changes (
            number INTEGER PRIMARY KEY NOT NULL,
            token INTEGER NOT NULL,
            operation INTEGER,
            luid INTEGER,
            parent INTEGER,
            name TEXT
        ) STRICT;
        INSERT INTO view_changes (number, token) VALUES (1, random());

        CREATE TRIGGER view_changes_kept AFTER INSERT ON view_changes
        BEGIN
            DELETE FROM view_changes WHERE number <= NEW.number - \(mostKept);
        END;

        CREATE TRIGGER view_operation_added AFTER INSERT ON operations
        BEGIN
            INSERT INTO view_changes (token, operation) VALUES (random(), NEW.id);
        END;
        CREATE TRIGGER view_operation_changed AFTER UPDATE ON operations
        BEGIN
            INSERT INTO view_changes (token, operation) VALUES (random(), NEW.id);
        END;
        CREATE TRIGGER view_operation_removed AFTER DELETE ON operations
        BEGIN
            INSERT INTO view_changes (token, operation) VALUES (random(), OLD.id);
        END;

        CREATE TRIGGER view_file_added AFTER INSERT ON remote_files
        WHEN EXISTS (SELECT 1 FROM operations)
        BEGIN
            INSERT INTO view_changes (token, luid, parent, name) VALUES (random(), NEW.luid, NEW.parent, NEW.name);
        END;
        CREATE TRIGGER view_file_changed AFTER UPDATE ON remote_files
        WHEN EXISTS (SELECT 1 FROM operations)
        BEGIN
            INSERT INTO view_changes (token, luid, parent, name) VALUES (random(), OLD.luid, OLD.parent, OLD.name);
            INSERT INTO view_changes (token, luid, parent, name) VALUES (random(), NEW.luid, NEW.parent, NEW.name);
        END;
        CREATE TRIGGER view_file_removed AFTER DELETE ON remote_files
        WHEN EXISTS (SELECT 1 FROM operations)
        BEGIN
            INSERT INTO view_changes (token, luid, parent, name) VALUES (random(), OLD.luid, OLD.parent, OLD.name);
        END;
        CREATE TRIGGER view_identity_changed AFTER UPDATE OF server_id ON luids
        WHEN EXISTS (SELECT 1 FROM operations)
        BEGIN
            INSERT INTO view_changes (token, luid) VALUES (random(), NEW.luid);
        END;

        CREATE INDEX operations_moves ON operations (id) WHERE kind = 'move';
        CREATE INDEX operations_deletions ON operations (id) WHERE kind = 'trash';
        CREATE INDEX operations_place ON operations (parent, name) WHERE parent IS NOT NULL;
        """
}
