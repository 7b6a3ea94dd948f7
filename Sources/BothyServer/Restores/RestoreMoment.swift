import BothyContract

/// A moment of a drive: the last change that had happened by then.
struct RestoreMoment: Equatable, Sendable {
    var at: Timestamp
    /// 0 before the first change.
    var sequence: Int64
    var tag: UInt32

    private init(at: Timestamp, sequence: Int64, tag: UInt32) {
        self.at = at
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
        let born = try FileTable(db, drive: drive).find(File.rootId)?.createdAt ?? now
        let beginning = try NodeHistory(db, drive: drive).beginning()
        guard at.milliseconds >= born.milliseconds, row != nil || beginning == 0,
            row?.int64(0) ?? 0 >= beginning
        else { throw try Self.forgotten(born, beginning, now, db, drive) }
        self.init(at: at, sequence: row?.int64(0) ?? 0, tag: UInt32(truncatingIfNeeded: row?.int64(1) ?? 0))
    }

    /// - Throws: `cursor_expired`, `moment_forgotten`.
    init(cursor text: String, now: Timestamp, in db: any SQLConnection, drive: Int64) throws {
        let cursor = try ChangeLog(db, drive: drive).validate(text)
        let born = try FileTable(db, drive: drive).find(File.rootId)?.createdAt ?? now
        let beginning = try NodeHistory(db, drive: drive).beginning()
        guard cursor.sequence >= beginning else { throw try Self.forgotten(born, beginning, now, db, drive) }
        let row = try db.first(
            "SELECT at_ms FROM changes WHERE drive_id = ? AND sequence = ?", [drive.sql, cursor.sequence.sql])
        self.init(at: row?.timestamp(0) ?? born, sequence: cursor.sequence, tag: cursor.tag)
    }

    private static func forgotten(
        _ born: Timestamp, _ beginning: Int64, _ now: Timestamp, _ db: any SQLConnection, _ drive: Int64
    ) throws -> Problem {
        let oldest = try db.first(
            "SELECT at_ms FROM changes WHERE drive_id = ? AND sequence >= ? ORDER BY sequence LIMIT 1",
            [drive.sql, beginning.sql])
        let earliest = beginning == 0 ? born : oldest?.timestamp(0) ?? now
        return Problem(.momentForgotten, "What was before \(earliest) is not remembered.").with {
            $0.earliest = earliest
        }
    }
}
