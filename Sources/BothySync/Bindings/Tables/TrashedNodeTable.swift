import GRDB

/// The table `trashed_nodes`: what was agreed on of folders that lie in the local trash, until they leave it, or
/// until the undoing that brought them back has ended.
enum TrashedNodeTable {
    /// Takes down what is agreed on of a node and all below it, before that is forgotten.
    ///
    /// - Parameter keep: what it is called in the trash.
    static func note(_ remoteId: String, as keep: String, of binding: String, in db: Database) throws {
        try db.execute(
            sql: """
                WITH RECURSIVE gone (id) AS (
                    SELECT ?2 UNION SELECT s.remote_id FROM synced_nodes s JOIN gone ON s.parent_id = gone.id
                        AND s.binding_id = ?1
                ) INSERT OR REPLACE INTO trashed_nodes (keep, binding_id, \(SyncedNodeTable.columns))
                    SELECT ?3, binding_id, \(SyncedNodeTable.columns) FROM synced_nodes
                    WHERE binding_id = ?1 AND remote_id IN gone
                """,
            arguments: [binding, remoteId, keep])
    }

    static func rows(of keep: String, in db: Database) throws -> [AgreedRow] {
        try Row.fetchAll(
            db, sql: "SELECT \(SyncedNodeTable.columns) FROM trashed_nodes WHERE keep = ?", arguments: [keep]
        ).compactMap(SyncedNodeTable.row)
    }

    /// Where it is not in the trash any more.
    static func removeTaken(_ keep: String, in db: Database) throws {
        try db.execute(
            sql: "DELETE FROM trashed_nodes WHERE keep = ?1 AND ?1 NOT IN (SELECT keep FROM local_trash)",
            arguments: [keep])
    }

    static func remove(_ keep: String, in db: Database) throws {
        try db.execute(sql: "DELETE FROM trashed_nodes WHERE keep = ?", arguments: [keep])
    }
}
