import BothyContract

/// A moment of a drive: the last change that had happened by then.
struct RestoreMoment: Equatable, Sendable {
    var at: Timestamp
    /// The moment that was asked for, where not everything that the drive was then is kept: this is the last one before it of which
    /// everything is.
    var askedAt: Timestamp?
    /// 0 before the first change.
    var sequence: Int64
    var tag: UInt32

    private init(at: Timestamp, askedAt: Timestamp? = nil, sequence: Int64, tag: UInt32) {
        self.at = at
        self.askedAt = askedAt
        self.sequence = sequence
        self.tag = tag
    }

    /// A change whose time is not after a moment, as it was found beside the writer.
    struct Sought: Sendable {
        /// The log's end then: what came after it was not looked at.
        var end: Int64 = 0
        var found: (sequence: Int64, tag: UInt32)?
    }

    /// Changes that are looked at in one read.
    private static let page = 10_000

    /// Seeks the newest change whose time is not after `at`, page by page: where a clock was set back, the one that was logged last.
    ///
    /// It is sought from the end of the log: what is restored is mostly what was just spoilt, and a restore looks at
    /// everything after it anyway.
    static func seek(
        _ at: Timestamp, in database: any Database, drive: Int64, page: Int = page
    ) async throws -> Sought {
        let end = try await database.read { try ChangeLog($0, drive: drive).head().sequence }
        var (sought, before): (Sought, Int64?) = (Sought(end: end), end + 1)
        while let last = before, sought.found == nil {
            (sought.found, before) = try await database.read { db in
                let rows = try db.query(
                    """
                    SELECT sequence, tag, at_ms FROM changes WHERE drive_id = ? AND sequence < ?
                    ORDER BY sequence DESC LIMIT ?
                    """,
                    [drive.sql, last.sql, page.sql])
                let row = rows.first { $0.timestamp(2) <= at }
                return (row.map(Self.change), rows.count == page ? rows.last?.int64(0) : nil)
            }
        }
        return sought
    }

    private static func change(_ row: SQLRow) -> (sequence: Int64, tag: UInt32) {
        (row.int64(0), UInt32(truncatingIfNeeded: row.int64(1)))
    }

    /// - Throws: `invalid_parameter` for a time that has not come, `moment_forgotten`.
    init(at: Timestamp, _ sought: Sought, now: Timestamp, in db: any SQLConnection, drive: Int64) throws {
        guard at <= now else {
            throw Problem(.invalidParameter, "This moment is in the future: it is \(now) on the server.")
        }
        let later = try db.first(
            """
            SELECT sequence, tag FROM changes WHERE drive_id = ? AND sequence > ? AND at_ms <= ?
            ORDER BY sequence DESC LIMIT 1
            """,
            [drive.sql, sought.end.sql, at.sql])
        let change = later.map(Self.change) ?? sought.found
        let kept = try KeptMoments(db, drive: drive, now: now)
        guard at.milliseconds >= kept.born.milliseconds, change != nil || kept.beginning == 0,
            change?.sequence ?? 0 >= kept.beginning
        else { throw try kept.forgotten() }
        self.init(at: at, sequence: change?.sequence ?? 0, tag: change?.tag ?? 0)
        try settle(on: kept)
    }

    /// - Throws: `cursor_expired`, `moment_forgotten`.
    init(cursor text: String, now: Timestamp, in db: any SQLConnection, drive: Int64) throws {
        let cursor = try ChangeLog(db, drive: drive).validate(text)
        let kept = try KeptMoments(db, drive: drive, now: now)
        guard cursor.sequence >= kept.beginning else { throw try kept.forgotten() }
        let row = try db.first(
            "SELECT at_ms FROM changes WHERE drive_id = ? AND sequence = ?", [drive.sql, cursor.sequence.sql])
        self.init(at: row?.timestamp(0) ?? kept.born, sequence: cursor.sequence, tag: cursor.tag)
        try settle(on: kept)
    }

    /// Goes back to the last change after which everything is kept, where that is another one.
    private mutating func settle(on kept: KeptMoments) throws {
        guard let earlier = try kept.change(notAfter: sequence) else { return }
        self = RestoreMoment(at: earlier.at, askedAt: at, sequence: earlier.sequence, tag: earlier.tag)
    }
}
