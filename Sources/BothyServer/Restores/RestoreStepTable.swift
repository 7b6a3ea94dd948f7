import BothyContract

/// The table `restore_steps`: the steps of one restore.
struct RestoreStepTable {
    private let db: any SQLConnection
    private let drive: Int64
    private let restoreId: String

    init(_ db: any SQLConnection, drive: Int64, restoreId: String) {
        self.db = db
        self.drive = drive
        self.restoreId = restoreId
    }

    /// Writes a node's step, in place of what was planned for it before.
    func put(_ step: RestoreStep) throws {
        try remove(step.nodeId)
        let placeholders = Array(repeating: "?", count: 19).joined(separator: ", ")
        try db.execute(
            "INSERT INTO restore_steps (drive_id, restore_id, \(RestoreStep.columns)) VALUES (\(placeholders))",
            [drive.sql, restoreId.sql] + step.values)
    }

    func remove(_ nodeId: String) throws {
        try db.execute(
            "DELETE FROM restore_steps WHERE drive_id = ? AND restore_id = ? AND node_id = ?",
            [drive.sql, restoreId.sql, nodeId.sql])
    }

    /// - Returns: how many were taken away; fewer than `limit` were all that there were.
    func removeSome(_ limit: Int) throws -> Int {
        try db.executeEach(
            "DELETE FROM restore_steps WHERE drive_id = ? AND restore_id = ? AND node_id = ?",
            of: """
                SELECT drive_id, restore_id, node_id FROM restore_steps WHERE drive_id = ? AND restore_id = ? LIMIT ?
                """,
            [drive.sql, restoreId.sql, limit.sql])
    }

    func find(_ nodeId: String) throws -> RestoreStep? {
        try db.first(
            """
            SELECT \(RestoreStep.columns) FROM restore_steps
            WHERE drive_id = ? AND restore_id = ? AND node_id = ?
            """,
            [drive.sql, restoreId.sql, nodeId.sql]
        ).map(RestoreStep.init)
    }

    /// The first that is not done.
    func next() throws -> RestoreStep? {
        try db.first(
            """
            SELECT \(RestoreStep.columns) FROM restore_steps
            WHERE drive_id = ? AND restore_id = ? AND outcome IS NULL ORDER BY rank, node_id LIMIT 1
            """,
            [drive.sql, restoreId.sql]
        ).map(RestoreStep.init)
    }

    func finish(_ nodeId: String, _ outcome: RestoreChange.Outcome) throws {
        try db.execute(
            "UPDATE restore_steps SET outcome = ? WHERE drive_id = ? AND restore_id = ? AND node_id = ?",
            [outcome.rawValue.sql, drive.sql, restoreId.sql, nodeId.sql])
    }

    /// A node that the restore itself moved out of another's way has a new version, and is still as it was planned.
    func expect(_ version: Int64, of nodeId: String) throws {
        try db.execute(
            "UPDATE restore_steps SET version = ? WHERE drive_id = ? AND restore_id = ? AND node_id = ?",
            [version.sql, drive.sql, restoreId.sql, nodeId.sql])
    }

    func counts() throws -> RestoreCounts {
        let rows = try db.query(
            """
            SELECT action, outcome, COUNT(*) FROM restore_steps WHERE drive_id = ? AND restore_id = ?
            GROUP BY action, outcome
            """,
            [drive.sql, restoreId.sql])
        var counts = RestoreCounts()
        for row in rows {
            let number = row.int(2)
            switch RestoreChange.Action(rawValue: row.string(0)) {
            case .putBack: counts.putBack += number
            case .trash: counts.trashed += number
            case .recreate: counts.recreated += number
            case .lost, nil: counts.lost += number
            }
            switch row.optional(1, SQLRow.string).flatMap(RestoreChange.Outcome.init) {
            case .done: counts.done += number
            case .skipped: counts.skipped += number
            case nil: break
            }
        }
        return counts
    }

    /// Where a page ended.
    struct Position: Codable, Sendable {
        var rank: Int64
        var restored: String
    }

    /// In the order of their rank.
    ///
    /// - Returns: at most `limit`, and where the next page begins; nil for none.
    func page(after position: Position?, limit: Int) throws -> (changes: [RestoreChange], next: Position?) {
        var steps = try db.query(
            """
            SELECT \(RestoreStep.columns) FROM restore_steps
            WHERE drive_id = ? AND restore_id = ? AND (rank, node_id) > (?, ?) ORDER BY rank, node_id LIMIT ?
            """,
            [
                drive.sql, restoreId.sql, (position?.rank ?? -1).sql, (position?.restored ?? "").sql,
                (limit + 1).sql,
            ]
        ).map(RestoreStep.init)
        let hasMore = steps.count > limit
        if hasMore { steps.removeLast() }
        let last = steps.last.map { Position(rank: $0.rank, restored: $0.nodeId) }
        return (steps.map(\.change), hasMore ? last : nil)
    }
}

extension RestoreStep {
    /// The columns that `init(_:)` reads, in its order.
    fileprivate static let columns = """
        node_id, rank, action, aspects, version, kind, new_id, parent_id, name, trashed, live, executable, \
        revision_id, path, past_path, lost_ms, outcome
        """

    fileprivate var values: [SQLValue] {
        [
            nodeId.sql, rank.sql, action.rawValue.sql, aspects.bits.sql, version.sql,
            (isFolder ? FileRow.folderKind : FileRow.fileKind).sql, newId.sql, target.parentId.sql, target.name.sql,
            target.trashed.sql, target.live.sql, target.executable.sql, revisionId.sql, path.sql, pastPath.sql,
            lostAt.sql, (outcome?.rawValue).sql,
        ]
    }

    fileprivate init(_ row: SQLRow) {
        guard let action = RestoreChange.Action(rawValue: row.string(2)) else {
            preconditionFailure("restore_steps: no action is called \(row.string(2))")
        }
        self.action = action
        nodeId = row.string(0)
        rank = row.int64(1)
        aspects = [RestoreChange.Aspect](bits: row.int64(3))
        version = row.int64(4)
        isFolder = row.int64(5) == FileRow.folderKind
        newId = row.optional(6, SQLRow.string)
        target = Target(
            parentId: row.string(7), name: row.string(8), trashed: row.bool(9), live: row.bool(10),
            executable: row.bool(11))
        revisionId = row.optional(12, SQLRow.string)
        path = row.optional(13, SQLRow.string)
        pastPath = row.optional(14, SQLRow.string)
        lostAt = row.optional(15, SQLRow.timestamp)
        outcome = row.optional(16, SQLRow.string).flatMap(RestoreChange.Outcome.init)
    }
}
