import GRDB

/// The table `sync_mounts`: agreed folders in which another part of their disk is mounted, by their ids on the server.
enum MountTable {
    static func all(of binding: String, in db: Database) throws -> Set<String> {
        Set(
            try String.fetchAll(
                db.cachedStatement(sql: "SELECT remote_id FROM sync_mounts WHERE binding_id = ?"),
                arguments: [binding]))
    }

    /// Writes down all of them, in place of those before.
    static func replace(with ids: Set<String>, of binding: String, in db: Database) throws {
        try db.execute(sql: "DELETE FROM sync_mounts WHERE binding_id = ?", arguments: [binding])
        for id in ids {
            try db.cachedStatement(sql: "INSERT INTO sync_mounts (binding_id, remote_id) VALUES (?, ?)")
                .execute(arguments: [binding, id])
        }
    }
}
