import GRDB

/// The table `sync_losses`: what passes took away unconfirmed, by file, so that what comes back is no longer counted.
enum SyncLossTable {
    /// Takes down a file, or a folder with all that is agreed on below it, before that is forgotten. Of a pass that was
    /// confirmed nothing is counted.
    static func note(
        _ remoteId: String, from direction: Guard.Direction, in pass: Int64, of binding: String, _ db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                WITH RECURSIVE gone (id) AS (
                    SELECT ?2 UNION SELECT s.remote_id FROM synced_nodes s JOIN gone ON s.parent_id = gone.id
                        AND s.binding_id = ?1
                ) INSERT OR REPLACE INTO sync_losses (binding_id, remote_id, top_id, pass_id, side)
                    SELECT ?1, id, ?2, ?3, ?4 FROM gone
                    WHERE EXISTS (SELECT 1 FROM sync_passes WHERE pass_id = ?3 AND NOT is_confirmed)
                """
        ).execute(arguments: [binding, remoteId, pass, direction.rawValue])
    }

    /// Both sides have it again, no matter who brought it back.
    static func cameBack(_ remoteId: String, of binding: String, in db: Database) throws {
        let lost = try Row.fetchOne(
            db.cachedStatement(
                sql: "DELETE FROM sync_losses WHERE binding_id = ? AND remote_id = ? RETURNING pass_id, side"),
            arguments: [binding, remoteId])
        guard let lost, let direction = Guard.Direction(rawValue: lost[1]) else { return }
        try SyncPassTable.note(-1, lost: direction, in: lost[0], db)
    }

    /// The step that took it away was taken back, with all of it.
    static func forget(_ topId: String, in pass: Int64, of binding: String, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM sync_losses WHERE binding_id = ? AND top_id = ? AND pass_id = ?")
            .execute(arguments: [binding, topId, pass])
    }
}
