import BothyContract

/// A row of `restores`.
struct RestoreRow: Equatable, Sendable {
    var id: String
    /// The folder or file that is put back.
    var fileId: String
    var moment: Int64
    var momentTag: UInt32
    var at: Timestamp
    /// The moment that was asked for, where `at` is another one.
    var askedAt: Timestamp?
    var state: DriveRestore.State
    /// It is to run as soon as it is planned.
    var wanted: Bool
    /// The place in the log up to which it is planned.
    var planned: Int64
    var deviceId: String?
    var requestId: String?
    var bodyHash: ContentHash?
    /// The request that carried a dry run out.
    var runRequestId: String?
    var runBodyHash: ContentHash?
    var before: String?
    var after: String?
    var createdAt: Timestamp
    /// When it was last of use to anyone.
    var touchedLived: Int64

    var isUnderWay: Bool { state == .planning || state == .running }
}

/// The table `restores` of one drive.
struct RestoreTable {
    private let db: any SQLConnection
    private let drive: Int64

    init(_ db: any SQLConnection, drive: Int64) {
        self.db = db
        self.drive = drive
    }

    func find(_ id: String) throws -> RestoreRow? { try find(where: "restore_id = ?", id) }

    /// - Throws: `not_found`.
    func require(_ id: String) throws -> RestoreRow {
        guard let row = try find(id) else {
            throw Problem(.notFound, "There is no such restore, or its plan has expired.")
        }
        return row
    }

    /// What a request began, or carried out.
    func find(by requestId: String) throws -> RestoreRow? {
        try find(where: "request_id = ? AND request_id IS NOT NULL", requestId)
            ?? find(where: "run_request_id = ? AND run_request_id IS NOT NULL", requestId)
    }

    private func find(where condition: String, _ value: String) throws -> RestoreRow? {
        try db.first(
            "SELECT \(RestoreRow.columns) FROM restores WHERE drive_id = ? AND \(condition)", [drive.sql, value.sql]
        ).map(RestoreRow.init)
    }

    /// Whether one is being planned, and has not found all that it will ask for.
    func isPlanning() throws -> Bool {
        try db.first(
            "SELECT 1 FROM restores WHERE drive_id = ? AND state = ? LIMIT 1",
            [drive.sql, DriveRestore.State.planning.rawValue.sql]) != nil
    }

    /// The one that is to change the drive and has not finished.
    func underWay() throws -> String? {
        try db.first(
            """
            SELECT restore_id FROM restores WHERE drive_id = ? AND wanted = 1 AND state <> 'finished' LIMIT 1
            """,
            [drive.sql])?.string(0)
    }

    /// The same in any drive: what a server that was stopped left behind.
    static func underWay(in db: any SQLConnection) throws -> (drive: Int64, row: RestoreRow)? {
        try db.first(
            """
            SELECT \(RestoreRow.columns), drive_id FROM restores WHERE wanted = 1 AND state <> 'finished' LIMIT 1
            """
        ).map { ($0.int64(RestoreRow.columnCount), RestoreRow($0)) }
    }

    func insert(_ row: RestoreRow) throws {
        let placeholders = Array(repeating: "?", count: RestoreRow.columnCount + 1).joined(separator: ", ")
        try db.execute(
            "INSERT INTO restores (drive_id, \(RestoreRow.columns)) VALUES (\(placeholders))",
            [drive.sql, row.id.sql, row.fileId.sql, row.moment.sql, Int64(row.momentTag).sql, row.at.sql]
                + row.mutableValues + [row.requestId.sql, row.bodyHash.sql, row.createdAt.sql, row.askedAt.sql])
    }

    /// Writes what a restore's life may change.
    func update(_ row: RestoreRow) throws {
        try db.execute(
            """
            UPDATE restores SET state = ?, wanted = ?, planned = ?, device_id = ?, run_request_id = ?,
                run_body_hash = ?, before_cursor = ?, after_cursor = ?, touched_lived = ?
            WHERE drive_id = ? AND restore_id = ?
            """,
            row.mutableValues + [drive.sql, row.id.sql])
    }

    /// Forgets plans that nobody carried out by `plans`, and restores that finished before `finished`, with at most
    /// `limit` of their steps.
    ///
    /// - Returns: rows taken away.
    static func prune(
        plansBefore plans: Int64, finishedBefore finished: Int64, limit: Int, in db: any SQLConnection
    ) throws -> Int {
        let old = try db.first(
            """
            SELECT drive_id, restore_id FROM restores
            WHERE touched_lived < ? AND (wanted = 0 OR touched_lived < ? AND state = 'finished')
            ORDER BY touched_lived LIMIT 1
            """,
            [max(plans, finished).sql, finished.sql])
        guard let old else { return 0 }
        let steps = try RestoreStepTable(db, drive: old.int64(0), restoreId: old.string(1)).removeSome(limit)
        guard steps < limit else { return steps }
        return try steps + db.execute("DELETE FROM restores WHERE drive_id = ? AND restore_id = ?", old.values)
    }
}

extension RestoreRow {
    /// The columns that `init(_:)` reads, in its order.
    fileprivate static let columns = """
        restore_id, file_id, moment, moment_tag, at_ms, state, wanted, planned, device_id, run_request_id, \
        run_body_hash, before_cursor, after_cursor, touched_lived, request_id, body_hash, created_ms, asked_ms
        """
    fileprivate static let columnCount = 18

    /// In the order of `RestoreTable.update`.
    fileprivate var mutableValues: [SQLValue] {
        [
            state.rawValue.sql, wanted.sql, planned.sql, deviceId.sql, runRequestId.sql, runBodyHash.sql, before.sql,
            after.sql, touchedLived.sql,
        ]
    }

    fileprivate init(_ row: SQLRow) {
        guard let state = DriveRestore.State(rawValue: row.string(5)) else {
            preconditionFailure("restores: no state is called \(row.string(5))")
        }
        self.state = state
        id = row.string(0)
        fileId = row.string(1)
        moment = row.int64(2)
        momentTag = UInt32(truncatingIfNeeded: row.int64(3))
        at = row.timestamp(4)
        wanted = row.bool(6)
        planned = row.int64(7)
        deviceId = row.optional(8, SQLRow.string)
        runRequestId = row.optional(9, SQLRow.string)
        runBodyHash = row.optional(10, SQLRow.hash)
        before = row.optional(11, SQLRow.string)
        after = row.optional(12, SQLRow.string)
        touchedLived = row.int64(13)
        requestId = row.optional(14, SQLRow.string)
        bodyHash = row.optional(15, SQLRow.hash)
        createdAt = row.timestamp(16)
        askedAt = row.optional(17, SQLRow.timestamp)
    }
}
