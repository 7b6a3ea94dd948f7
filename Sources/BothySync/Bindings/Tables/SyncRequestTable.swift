import GRDB

/// The table `sync_requests`: under which id an action was sent to the server, so that after a crash the same action is
/// sent under the same id and acts once.
enum SyncRequestTable {
    /// The number of what was begun last; 0 where nothing is kept.
    static func newest(in db: Database) throws -> Int64 {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(begun) FROM sync_requests")) ?? 0
    }

    /// The id of an action that is about to be sent; its `fresh` is written where it never was.
    ///
    /// - Parameter newest: the number of what was begun last; this one's own, then, where it is begun now.
    static func id(
        of beginning: BindingStore.Beginning, after newest: inout Int64, binding: String, in db: Database
    ) throws -> String {
        try db.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO sync_requests (binding_id, action, request_id, step, begun)
                VALUES (?, ?, ?, ?, ?)
                """
        ).write([binding, beginning.key, beginning.fresh, beginning.action, newest + 1], in: db)
        if db.changesCount == 1 {
            newest += 1
            return beginning.fresh
        }
        let known = try String.fetchOne(
            db.cachedStatement(sql: "SELECT request_id FROM sync_requests WHERE binding_id = ? AND action = ?"),
            arguments: [binding, beginning.key])
        guard let known else { preconditionFailure("what is not new is there") }
        return known
    }

    /// Actions that were begun and never came to an answer here, in the order of their beginning.
    static func unanswered(
        binding: String, in db: Database
    ) throws -> [(key: String, requestId: String, step: String)] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT action, request_id, step FROM sync_requests WHERE binding_id = ? ORDER BY begun"),
            arguments: [binding]
        ).map { ($0[0], $0[1], $0[2]) }
    }

    /// Requests that never get an answer are remembered: what a slow network still carries may arrive at any time, and
    /// must be known again then. More than this, the oldest are given up.
    static let mostKept = 4 * ActionWave.mostSmall

    static func prune(binding: String, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                DELETE FROM sync_requests WHERE binding_id = ?1 AND begun NOT IN
                    (SELECT begun FROM sync_requests WHERE binding_id = ?1 ORDER BY begun DESC LIMIT \(mostKept))
                """
        ).execute(arguments: [binding])
    }

    /// The server has answered.
    static func forget(_ action: String, binding: String, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM sync_requests WHERE binding_id = ? AND action = ?")
            .write([binding, action], in: db)
    }

    static func forgetAll(binding: String, in db: Database) throws {
        try db.execute(sql: "DELETE FROM sync_requests WHERE binding_id = ?", arguments: [binding])
    }
}

/// The table `sync_choices`: what a person decided about single items, until it has been acted on.
enum SyncChoiceTable {
    static func all(of binding: String, in db: Database) throws -> [Place: Choice] {
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT place, choice FROM sync_choices WHERE binding_id = ?"),
            arguments: [binding])
        return try Dictionary(
            rows.map { (Place(text: $0[0]), try JSONColumn.read(Choice.self, $0[1])) }, uniquingKeysWith: { $1 })
    }

    static func save(_ choice: Choice?, at place: Place, of binding: String, in db: Database) throws {
        guard let choice else {
            return try db.cachedStatement(sql: "DELETE FROM sync_choices WHERE binding_id = ? AND place = ?")
                .execute(arguments: [binding, place.text])
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO sync_choices (binding_id, place, choice) VALUES (?, ?, ?)",
            arguments: [binding, place.text, try JSONColumn.text(choice)])
    }

    /// A folder that is sent again was made on the server: what holds for it holds from now on for each thing in it, by
    /// itself. Its own choice has been acted on, and a pass may end before all that is in it is sent.
    ///
    /// - Parameter id: of the folder, under which all in it is agreed on by now.
    static func handDown(from folder: Place, _ id: String, of binding: String, in db: Database) throws {
        let written = try String.fetchOne(
            db.cachedStatement(sql: "SELECT choice FROM sync_choices WHERE binding_id = ? AND place = ?"),
            arguments: [binding, folder.text])
        let sendAgain = try JSONColumn.text(Choice.sendAgain)
        guard written == sendAgain else { return }
        // What was decided about one of them alone stands.
        try db.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO sync_choices (binding_id, place, choice)
                SELECT binding_id, ?3 || '/' || name, ?4 FROM synced_nodes
                WHERE binding_id = ?1 AND parent_id = ?2 AND name <> ''
                """
        ).execute(arguments: [binding, id, folder.text, sendAgain])
    }
}

/// The table `sync_reopened`: files of which a conflict was decided, and that was taken back.
enum ReopenedTable {
    static func all(of binding: String, in db: Database) throws -> [String] {
        try String.fetchAll(
            db.cachedStatement(sql: "SELECT remote_id FROM sync_reopened WHERE binding_id = ?"), arguments: [binding])
    }

    static func open(_ id: String, of binding: String, in db: Database) throws {
        try db.execute(
            sql: "INSERT OR IGNORE INTO sync_reopened (binding_id, remote_id) VALUES (?, ?)", arguments: [binding, id])
    }

    static func close(_ id: String, of binding: String, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM sync_reopened WHERE binding_id = ? AND remote_id = ?")
            .execute(arguments: [binding, id])
    }
}

/// The table `sync_plans`: what dry runs told, to be done exactly like that.
enum SyncPlanTable {
    static func save(_ plan: WrittenPlan, of binding: String, at now: String, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO sync_plans (plan_id, binding_id, actions, terms, made_at)
                VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [plan.id, binding, plan.actions, plan.terms, now])
        // A plan is of its moment: the newest few are enough.
        try db.execute(
            sql: """
                DELETE FROM sync_plans WHERE binding_id = ?1 AND plan_id NOT IN
                    (SELECT plan_id FROM sync_plans WHERE binding_id = ?1 ORDER BY made_at DESC LIMIT \(mostKept))
                """,
            arguments: [binding])
    }

    static func find(_ id: String, of binding: String, in db: Database) throws -> KeptPlan? {
        try Row.fetchOne(
            db, sql: "SELECT actions, terms FROM sync_plans WHERE plan_id = ? AND binding_id = ?",
            arguments: [id, binding]
        ).map { row in
            KeptPlan(
                try JSONColumn.read([Action].self, row["actions"]),
                under: try JSONColumn.read(PlanTerms.self, row["terms"]))
        }
    }

    private static let mostKept = 20
}
