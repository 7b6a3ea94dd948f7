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

    /// The change is the newest whose time is not after `at`: where a clock was set back, the one that was logged last.
    ///
    /// It is sought from the end of the log: what is restored is mostly what was just spoilt, and a restore looks at
    /// everything after it anyway.
    ///
    /// - Throws: `invalid_parameter` for a time that has not come, `moment_forgotten`.
    init(at: Timestamp, now: Timestamp, in db: any SQLConnection, drive: Int64) throws {
        guard at <= now else {
            throw Problem(.invalidParameter, "That moment has not come: it is \(now) on the server.")
        }
        let row = try db.first(
            """
            SELECT sequence, tag FROM changes WHERE drive_id = ? AND at_ms <= ? ORDER BY sequence DESC LIMIT 1
            """,
            [drive.sql, at.sql])
        let kept = try KeptMoments(db, drive: drive, now: now)
        guard at.milliseconds >= kept.born.milliseconds, row != nil || kept.beginning == 0,
            row?.int64(0) ?? 0 >= kept.beginning
        else { throw try kept.forgotten() }
        self.init(at: at, sequence: row?.int64(0) ?? 0, tag: UInt32(truncatingIfNeeded: row?.int64(1) ?? 0))
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
