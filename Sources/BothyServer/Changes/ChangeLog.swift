import BothyContract

/// The table `changes`: a log per drive, gapless, its sequence taken inside the transaction that makes the change.
package struct ChangeLog {
    package struct Entry: Sendable {
        package var sequence: Int64
        package var tag: UInt32
        package var kind: Change.Kind
        package var entityId: String
    }

    private let db: any SQLConnection
    private let drive: Int64

    package init(_ db: any SQLConnection, drive: Int64) {
        self.db = db
        self.drive = drive
    }

    /// Logs a change.
    ///
    /// - Returns: its place.
    @discardableResult
    package func append(
        _ kind: Change.Kind, _ entityId: String, removed: Bool = false, stamp: ChangeStamp
    ) throws -> ChangeCursor {
        let tag = stamp.ids.tag()
        let rows = try db.query(
            """
            UPDATE drives SET last_sequence = last_sequence + 1, last_tag = ? WHERE drive_id = ?
            RETURNING last_sequence
            """,
            [Int64(tag).sql, drive.sql])
        guard let sequence = rows.first?.int64(0) else { throw Problem(.notFound, "There is no such drive.") }
        let entry = Entry(sequence: sequence, tag: tag, kind: kind, entityId: entityId)
        try write(entry, removed: removed, lived: try lived(after: sequence - 1, stamp), stamp)
        return ChangeCursor(epoch: try ServerEpoch.read(db), sequence: sequence, tag: tag)
    }

    /// Seconds that the server had lived at a change; nil where it is not in the log.
    func lived(at sequence: Int64) throws -> Int64? {
        try db.first(
            "SELECT at_lived FROM changes WHERE drive_id = ? AND sequence = ?", [drive.sql, sequence.sql])?.int64(0)
    }

    /// What the change after another is logged with. Requests overtake one another, and a kill sets lived time back by a minute: in
    /// the log it never goes back.
    func lived(after sequence: Int64, _ stamp: ChangeStamp) throws -> Int64 {
        max(stamp.lived, try lived(at: sequence) ?? 0)
    }

    /// Writes a change into the log, at a place that the caller has taken.
    func write(_ entry: Entry, removed: Bool = false, lived: Int64, _ stamp: ChangeStamp) throws {
        try db.execute(
            """
            INSERT INTO changes (drive_id, sequence, tag, kind, entity_id, removed, at_ms, at_lived, device_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                drive.sql, entry.sequence.sql, Int64(entry.tag).sql, entry.kind.rawValue.sql, entry.entityId.sql,
                removed.sql, stamp.now.sql, lived.sql, stamp.deviceId.sql,
            ])
    }

    /// The place of the last change.
    package func head() throws -> ChangeCursor {
        let row = try db.first("SELECT last_sequence, last_tag FROM drives WHERE drive_id = ?", [drive.sql])
        guard let row else { throw Problem(.notFound, "There is no such drive.") }
        return ChangeCursor(
            epoch: try ServerEpoch.read(db), sequence: row.int64(0), tag: UInt32(truncatingIfNeeded: row.int64(1)))
    }

    /// Reads a cursor that a client hands back.
    ///
    /// - Throws: `cursor_expired` for one that is too old, of another epoch, of another past, or made up.
    package func validate(_ text: String) throws -> ChangeCursor {
        guard let cursor = ChangeCursor(text: text) else { throw Self.expired }
        try validate(cursor)
        return cursor
    }

    package func validate(_ cursor: ChangeCursor) throws {
        guard cursor.epoch == (try ServerEpoch.read(db)) else { throw Self.expired }
        if cursor.sequence == 0 {
            let row = try db.first("SELECT oldest_sequence FROM drives WHERE drive_id = ?", [drive.sql])
            guard cursor.tag == 0, row?.int64(0) == 0 else { throw Self.expired }
            return
        }
        let row = try db.first(
            "SELECT tag FROM changes WHERE drive_id = ? AND sequence = ?", [drive.sql, cursor.sequence.sql])
        guard let row, row.int64(0) == Int64(cursor.tag) else { throw Self.expired }
    }

    package func entries(after sequence: Int64, limit: Int) throws -> [Entry] {
        try db.query(
            """
            SELECT sequence, tag, kind, entity_id FROM changes WHERE drive_id = ? AND sequence > ?
            ORDER BY sequence LIMIT ?
            """,
            [drive.sql, sequence.sql, limit.sql]
        ).map { row in
            guard let kind = Change.Kind(rawValue: row.string(2)) else {
                throw DatabaseError.corrupt("changes: unknown kind \(row.string(2))")
            }
            return Entry(
                sequence: row.int64(0), tag: UInt32(truncatingIfNeeded: row.int64(1)), kind: kind,
                entityId: row.string(3))
        }
    }

    /// Whether one change of an entity is all that came after a place.
    package func isAll(_ kind: Change.Kind, _ entityId: String, after place: ChangeCursor) throws -> Bool {
        let entries = try entries(after: place.sequence, limit: 2)
        return entries.count == 1 && entries[0].kind == kind && entries[0].entityId == entityId
    }

    /// Files and folders that changed after a place, each once.
    package func files(changedAfter sequence: Int64) throws -> [String] {
        try db.query(
            "SELECT DISTINCT entity_id FROM changes WHERE drive_id = ? AND sequence > ? AND kind = ?",
            [drive.sql, sequence.sql, Change.Kind.file.rawValue.sql]
        ).map { $0.string(0) }
    }

    /// Those that others than one device changed after a place, each once.
    ///
    /// - Returns: at most `limit`.
    package func files(changedAfter sequence: Int64, notBy deviceId: String, limit: Int) throws -> [String] {
        try db.query(
            """
            SELECT DISTINCT entity_id FROM changes WHERE drive_id = ? AND sequence > ? AND kind = ?
                AND (device_id IS NULL OR device_id <> ?) LIMIT ?
            """,
            [drive.sql, sequence.sql, Change.Kind.file.rawValue.sql, deviceId.sql, limit.sql]
        ).map { $0.string(0) }
    }

    /// Forgets what is older than `lived`, but never the last change: a cursor «now» always holds.
    ///
    /// - Returns: how many were forgotten, at most `limit`.
    package func prune(livedBefore lived: Int64, limit: Int) throws -> Int {
        let rows = try db.query(
            """
            SELECT c.sequence, c.at_lived FROM changes c JOIN drives d ON d.drive_id = c.drive_id
            WHERE c.drive_id = ? AND c.sequence < d.last_sequence ORDER BY c.sequence LIMIT ?
            """,
            [drive.sql, limit.sql])
        let old = rows.prefix { $0.int64(1) < lived }
        guard let last = old.last?.int64(0) else { return 0 }
        try db.execute("DELETE FROM changes WHERE drive_id = ? AND sequence <= ?", [drive.sql, last.sql])
        // What is not remembered for another reason is not remembered by this.
        try db.execute(
            """
            UPDATE drives SET oldest_sequence = ?,
                history_from = CASE WHEN history_from > ? THEN history_from ELSE ? END WHERE drive_id = ?
            """, [(last + 1).sql, last.sql, last.sql, drive.sql])
        return old.count
    }

    /// Drives behind one, at most `limit` of them in their order, each with whether its log has what
    /// ``prune(livedBefore:limit:)`` forgets. A log's lived time never goes back, so its first entry tells.
    static func drives(
        after drive: Int64, withChangesBefore lived: Int64, limit: Int, in db: any SQLConnection
    ) throws -> [(drive: Int64, isOld: Bool)] {
        try db.query(oldest, [drive.sql, limit.sql]).map { row in
            (row.int64(0), row.optional(1, SQLRow.int64).map { $0 < lived } ?? false)
        }
    }

    static let oldest = """
        SELECT d.drive_id, (
            SELECT c.at_lived FROM changes c WHERE c.drive_id = d.drive_id AND c.sequence < d.last_sequence
            ORDER BY c.sequence LIMIT 1
        ) FROM drives d WHERE d.drive_id > ? ORDER BY d.drive_id LIMIT ?
        """

    private static var expired: Problem {
        Problem(.cursorExpired, "This cursor is not of this log, or too old. List everything again to link anew.")
    }
}
