import BothyContract
import GRDB

/// The table `sync_passes`.
enum SyncPassTable {
    static func begin(
        _ binding: String, at now: Timestamp, lived: Int64, isConfirmed: Bool, undoing: Int64?, conflict: Int64?,
        in db: Database
    ) throws -> SyncPass {
        try db.cachedStatement(
            sql: """
                INSERT INTO sync_passes
                    (binding_id, started_at, lived_at, is_confirmed, lost_here, lost_there, undoes, undoes_conflict)
                VALUES (?, ?, ?, ?, 0, 0, ?, ?)
                """
        ).execute(arguments: [binding, now.rfc3339, lived, isConfirmed, undoing, conflict])
        let id = db.lastInsertedRowID
        if let undoing, conflict == nil {
            try db.execute(sql: "UPDATE sync_passes SET undone_by = ? WHERE pass_id = ?", arguments: [id, undoing])
        }
        return SyncPass(
            id: id, bindingId: binding, startedAt: now, undoes: undoing, undoesConflict: conflict,
            isUnfinished: undoing != nil)
    }

    /// A person was told of what was taken away from these sides until now, and let more go: it is no longer counted.
    static func cover(_ directions: Set<Guard.Direction>, of binding: String, in db: Database) throws {
        for direction in directions {
            try db.cachedStatement(sql: "UPDATE sync_passes SET \(column(direction)) = 0 WHERE binding_id = ?")
                .execute(arguments: [binding])
        }
    }

    private static func column(_ direction: Guard.Direction) -> String {
        switch direction {
        case .here: "lost_here"
        case .onTheServer: "lost_there"
        }
    }

    static func end(_ id: Int64, at now: Timestamp, in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE sync_passes SET ended_at = ? WHERE pass_id = ?")
            .execute(arguments: [now.rfc3339, id])
    }

    /// It goes on.
    static func reopen(_ id: Int64, in db: Database) throws {
        try db.execute(sql: "UPDATE sync_passes SET ended_at = NULL WHERE pass_id = ?", arguments: [id])
    }

    /// Counts what an action of the pass has taken away; less than nothing is what was brought back.
    static func note(_ count: Int, lost direction: Guard.Direction, in id: Int64, _ db: Database) throws {
        let column = column(direction)
        try db.cachedStatement(sql: "UPDATE sync_passes SET \(column) = max(0, \(column) + ?) WHERE pass_id = ?")
            .execute(arguments: [count, id])
    }

    /// What was taken away unconfirmed since the device had lived so many seconds.
    static func lost(_ binding: String, since lived: Int64, in db: Database) throws -> [Guard.Direction: Int] {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT coalesce(sum(lost_here), 0), coalesce(sum(lost_there), 0) FROM sync_passes
                    WHERE binding_id = ? AND lived_at >= ? AND NOT is_confirmed
                    """),
            arguments: [binding, lived])
        return [.here: row?[0] ?? 0, .onTheServer: row?[1] ?? 0]
    }

    static func find(_ id: Int64, in db: Database) throws -> SyncPass? {
        try Row.fetchOne(db, sql: "\(select) WHERE pass_id = ?", arguments: [id]).map(pass)
    }

    /// The newest first.
    static func latest(of binding: String?, limit: Int, in db: Database) throws -> [SyncPass] {
        try Row.fetchAll(
            db,
            sql: """
                \(select) WHERE ?1 IS NULL OR binding_id = ?1 ORDER BY pass_id DESC LIMIT ?2
                """,
            arguments: [binding, limit]
        ).map(pass)
    }

    /// Those that took a conflict of a pass back by itself, in their order.
    static func undoings(ofConflictsIn pass: Int64, in db: Database) throws -> [SyncPass] {
        try Row.fetchAll(
            db, sql: "\(select) WHERE undoes = ? AND undoes_conflict IS NOT NULL ORDER BY pass_id", arguments: [pass]
        ).map(self.pass)
    }

    /// The newest, where it never came to its end and takes no other back.
    static func cutOff(_ binding: String, in db: Database) throws -> SyncPass? {
        let newest = try latest(of: binding, limit: 1, in: db).first
        return newest?.endedAt == nil && newest?.undoes == nil ? newest : nil
    }

    private static let select = """
        SELECT *,
            EXISTS (
                SELECT 1 FROM sync_passes u WHERE u.pass_id = p.undone_by AND u.undone_by IS NULL
                    AND (u.ended_at IS NULL OR \(hasLeft("u", "failure")))) AS undone_in_part,
            p.undoes IS NOT NULL AND (p.ended_at IS NULL OR \(hasLeft("p", "mayGoWell"))) AS unfinished
        FROM sync_passes p
        """

    /// Whether the last that an undoing wrote down about any of its steps says so.
    private static func hasLeft(_ pass: String, _ what: String) -> String {
        """
        EXISTS (
            SELECT 1 FROM (
                SELECT trace, max(decision_id) FROM sync_decisions WHERE pass_id = \(pass).pass_id
                GROUP BY json_extract(trace, '$.reversed'))
            WHERE json_extract(trace, '$.\(what)') IS NOT NULL)
        """
    }

    /// Forgets passes but the newest `keeping`, with their decisions.
    static func prune(_ binding: String, keeping: Int, in db: Database) throws {
        let oldest = try Int64.fetchOne(
            db.cachedStatement(
                sql: "SELECT pass_id FROM sync_passes WHERE binding_id = ? ORDER BY pass_id DESC LIMIT 1 OFFSET ?"),
            arguments: [binding, keeping])
        guard let oldest else { return }
        for table in ["sync_decisions", "sync_losses", "sync_passes"] {
            try db.execute(
                sql: "DELETE FROM \(table) WHERE binding_id = ? AND pass_id <= ?", arguments: [binding, oldest])
        }
    }

    private static func pass(_ row: Row) -> SyncPass {
        let ended: String? = row["ended_at"]
        return SyncPass(
            id: row["pass_id"], bindingId: row["binding_id"],
            startedAt: JSONColumn.moment(row["started_at"]),
            endedAt: ended.map(JSONColumn.moment), undoes: row["undoes"], undoesConflict: row["undoes_conflict"],
            undoneBy: row["undone_by"],
            isUndoneInPart: row["undone_in_part"], isUnfinished: row["unfinished"])
    }
}

/// The table `sync_decisions`.
enum DecisionTable {
    /// - Parameter action: as JSON, where it is known.
    static func save(
        _ decision: Decision, written action: String? = nil, of binding: String, in db: Database
    ) throws {
        let places = decision.places
        try db.cachedStatement(
            sql: """
                INSERT INTO sync_decisions (pass_id, binding_id, at, place, other_place, action, trace, remote_id)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).write(
            [
                decision.passId, binding, decision.at.rfc3339, places[0].text, places.count > 1 ? places[1].text : nil,
                action ?? JSONColumn.spelled(decision.action), try decision.trace.json(), decision.trace.remoteId,
            ], in: db)
    }

    /// In the order in which they were taken.
    ///
    /// - Parameter most: the first so many; nil for all.
    static func of(_ pass: Int64, most: Int? = nil, in db: Database) throws -> [Decision] {
        try Row.fetchAll(
            db, sql: "SELECT * FROM sync_decisions WHERE pass_id = ? ORDER BY decision_id LIMIT ?",
            arguments: [pass, most ?? -1]
        ).map(decision)
    }

    /// What a pass tried and could not do, nor at another try.
    static func failed(in pass: Int64, in db: Database) throws -> [Decision] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM sync_decisions WHERE pass_id = ?1 AND json_extract(trace, '$.failure') IS NOT NULL
                    AND decision_id IN (
                        SELECT max(decision_id) FROM sync_decisions WHERE pass_id = ?1
                        GROUP BY coalesce(json_extract(trace, '$.reversed'), -decision_id))
                ORDER BY decision_id
                """,
            arguments: [pass]
        ).map(decision)
    }

    /// About one place, or a file that is or was there, wherever else it has been; the newest first.
    ///
    /// - Parameter id: of the file that is there now.
    static func about(_ place: Place, id: String?, of binding: String, limit: Int, in db: Database) throws -> [Decision]
    {
        try Row.fetchAll(
            db,
            sql: """
                WITH files (id) AS (
                    SELECT ?4 UNION SELECT remote_id FROM sync_decisions
                    WHERE binding_id = ?1 AND (place = ?2 OR other_place = ?2) AND remote_id IS NOT NULL)
                SELECT * FROM sync_decisions WHERE decision_id IN (
                    SELECT decision_id FROM sync_decisions WHERE binding_id = ?1 AND place = ?2
                    UNION SELECT decision_id FROM sync_decisions WHERE binding_id = ?1 AND other_place = ?2
                    UNION SELECT decision_id FROM sync_decisions
                        WHERE binding_id = ?1 AND remote_id IN (SELECT id FROM files))
                ORDER BY decision_id DESC LIMIT ?3
                """,
            arguments: [binding, place.text, limit, id]
        ).map(decision)
    }

    /// What was done, or tried, in a pass to decide conflicts, in the order in which it was: a pass may have done much else.
    static func deciding(in pass: Int64, in db: Database) throws -> [Decision] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM sync_decisions WHERE pass_id = ? AND json_extract(action, '$.reason') IN (\(decidingReasons))
                ORDER BY decision_id
                """,
            arguments: [pass]
        ).map(decision)
    }

    /// The reasons, as SQL lists them.
    private static let decidingReasons = Reason.allCases.filter(\.decidesAConflict).map { "'\($0.rawValue)'" }
        .joined(separator: ", ")

    /// Files of which a conflict was decided by later passes that were not taken back.
    static func decided(since pass: Int64, of binding: String, in db: Database) throws -> Set<String> {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM sync_decisions d WHERE binding_id = ? AND pass_id > ? AND remote_id IS NOT NULL
                    AND json_extract(action, '$.reason') IN (\(decidingReasons))
                    AND (SELECT undone_by FROM sync_passes p WHERE p.pass_id = d.pass_id) IS NULL
                    AND NOT EXISTS (
                        SELECT 1 FROM sync_passes p JOIN sync_decisions u ON u.pass_id = p.pass_id
                        WHERE p.undoes = d.pass_id AND p.undoes_conflict IS NOT NULL
                            AND json_extract(u.trace, '$.reopened.id') = d.remote_id
                            AND json_extract(u.trace, '$.failure') IS NULL)
                """,
            arguments: [binding, pass])
        return Set(try rows.map(decision).filter(\.hasDecidedAConflict).compactMap(\.trace.remoteId))
    }

    private static func decision(_ row: Row) throws -> Decision {
        Decision(
            id: row["decision_id"], passId: row["pass_id"],
            at: JSONColumn.moment(row["at"]),
            action: try JSONColumn.read(Action.self, row["action"]),
            trace: try JSONColumn.read(Decision.Trace.self, row["trace"]))
    }
}
