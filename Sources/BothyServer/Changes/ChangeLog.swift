import BothyContract

/// The table `changes`: a log per drive, gapless, its sequence taken inside the transaction that makes the change.
package struct ChangeLog {
    package struct Entry: Sendable {
        package var sequence: Int64
        package var tag: UInt32
        package var kind: Change.Kind
        package var entityId: String
        package var removal = Removal.none
    }

    /// Whether a change deleted for good, as the column `removed` has it.
    package enum Removal: Int64, Sendable {
        case none = 0
        /// The thing itself.
        case itself = 1
        /// A folder above it, in an earlier change, which is all that happened: this one only tells of it.
        case withFolder = 2
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
        _ kind: Change.Kind, _ entityId: String, removal: Removal = .none, stamp: ChangeStamp
    ) throws -> ChangeCursor {
        let tag = stamp.ids.tag()
        let rows = try db.query(
            """
            UPDATE drives SET last_sequence = last_sequence + 1, last_tag = ? WHERE drive_id = ?
            RETURNING last_sequence
            """,
            [Int64(tag).sql, drive.sql])
        guard let sequence = rows.first?.int64(0) else { throw Problem(.notFound, "There is no such drive.") }
        let entry = Entry(sequence: sequence, tag: tag, kind: kind, entityId: entityId, removal: removal)
        try write(entry, lived: try lived(after: sequence - 1, stamp), stamp)
        return ChangeCursor(epoch: try ServerEpoch.read(db), sequence: sequence, tag: tag)
    }

    /// Logs that files and folders are gone with the folder that they lay in: an entry for each, in this order.
    ///
    /// - Returns: the place of the last; nil where there is none.
    package func append(goneWithTheirFolder ids: [String], stamp: ChangeStamp) throws -> ChangeCursor? {
        guard !ids.isEmpty else { return nil }
        let tags = ids.map { _ in stamp.ids.tag() }
        let rows = try db.query(
            """
            UPDATE drives SET last_sequence = last_sequence + ?, last_tag = ? WHERE drive_id = ?
            RETURNING last_sequence
            """,
            [ids.count.sql, Int64(tags[ids.count - 1]).sql, drive.sql])
        guard let last = rows.first?.int64(0) else { throw Problem(.notFound, "There is no such drive.") }
        let before = last - Int64(ids.count)
        let lived = try lived(after: before, stamp)
        for (place, id) in ids.enumerated() {
            let entry = Entry(
                sequence: before + 1 + Int64(place), tag: tags[place], kind: .file, entityId: id, removal: .withFolder)
            try write(entry, lived: lived, stamp)
        }
        return ChangeCursor(epoch: try ServerEpoch.read(db), sequence: last, tag: tags[ids.count - 1])
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
    func write(_ entry: Entry, lived: Int64, _ stamp: ChangeStamp) throws {
        try db.execute(
            """
            INSERT INTO changes (drive_id, sequence, tag, kind, entity_id, removed, at_ms, at_lived, device_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                drive.sql, entry.sequence.sql, Int64(entry.tag).sql, entry.kind.rawValue.sql, entry.entityId.sql,
                entry.removal.rawValue.sql, stamp.now.sql, lived.sql, stamp.deviceId.sql,
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
            SELECT sequence, tag, kind, entity_id, removed FROM changes WHERE drive_id = ? AND sequence > ?
            ORDER BY sequence LIMIT ?
            """,
            [drive.sql, sequence.sql, limit.sql]
        ).map { row in
            guard let kind = Change.Kind(rawValue: row.string(2)), let removal = Removal(rawValue: row.int64(4)) else {
                throw DatabaseError.corrupt("changes: unknown kind \(row.string(2)), removed \(row.int64(4))")
            }
            return Entry(
                sequence: row.int64(0), tag: UInt32(truncatingIfNeeded: row.int64(1)), kind: kind,
                entityId: row.string(3), removal: removal)
        }
    }

    /// Whether one change of an entity is all that came after a place.
    package func isAll(_ kind: Change.Kind, _ entityId: String, after place: ChangeCursor) throws -> Bool {
        let entries = try entries(after: place.sequence, limit: 2)
        return entries.count == 1 && entries[0].kind == kind && entries[0].entityId == entityId
    }

    /// Whether more happened after a place than is looked at one by one. What went with its folder is one thing with that.
    package func hasTooMuchToCheck(after sequence: Int64) throws -> Bool {
        let most = FileLimits.maximumChangesToCheck
        guard try head().sequence - sequence > most else { return false }
        return try db.first(
            """
            SELECT 1 FROM changes WHERE drive_id = ? AND sequence > ? AND removed <> ?
            ORDER BY sequence LIMIT 1 OFFSET ?
            """,
            [drive.sql, sequence.sql, Removal.withFolder.rawValue.sql, most.sql]) != nil
    }

    /// Files and folders that changed after a place, each once; not what only went with its folder.
    ///
    /// - Returns: at most `limit`.
    package func files(changedAfter sequence: Int64, limit: Int = .max) throws -> [String] {
        try db.query(
            """
            SELECT DISTINCT entity_id FROM changes WHERE drive_id = ? AND sequence > ? AND kind = ? AND removed <> ?
            LIMIT ?
            """,
            [
                drive.sql, sequence.sql, Change.Kind.file.rawValue.sql, Removal.withFolder.rawValue.sql, limit.sql,
            ]
        ).map { $0.string(0) }
    }

    /// Those that others than one device changed after a place, each once.
    ///
    /// - Returns: at most `limit`.
    package func files(changedAfter sequence: Int64, notBy deviceId: String, limit: Int) throws -> [String] {
        try db.query(
            """
            SELECT DISTINCT entity_id FROM changes WHERE drive_id = ? AND sequence > ? AND kind = ? AND removed <> ?
                AND (device_id IS NULL OR device_id <> ?) LIMIT ?
            """,
            [
                drive.sql, sequence.sql, Change.Kind.file.rawValue.sql, Removal.withFolder.rawValue.sql, deviceId.sql,
                limit.sql,
            ]
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
        Problem(.cursorExpired, "This cursor is not from this log, or too old. List everything again to start over.")
    }
}
