import BothyContract

/// The moments of a drive of which everything is kept: those after changes that are the last of their span, and all that were not
/// thinned. What a file's version was after one of them, ``VersionThinning`` never lets go.
struct KeptMoments {
    struct Place: Equatable, Sendable {
        var sequence: Int64
        var tag: UInt32
        var at: Timestamp
    }

    /// The sequence from which on the drive can be told as it was.
    let beginning: Int64
    /// When the drive was made.
    let born: Timestamp

    private let db: any SQLConnection
    private let drive: Int64
    private let now: Timestamp
    private let spans: ThinnedSpans

    init(_ db: any SQLConnection, drive: Int64, now: Timestamp) throws {
        self.db = db
        self.drive = drive
        self.now = now
        beginning = try NodeHistory(db, drive: drive).beginning()
        born = try FileTable(db, drive: drive).find(File.rootId)?.createdAt ?? now
        spans = try ThinnedSpans.read(db)
    }

    /// The last change, not after this one, after which everything is kept.
    ///
    /// - Returns: nil where that is the change itself.
    /// - Throws: `moment_forgotten` where there is none.
    func change(notAfter sequence: Int64) throws -> Place? {
        guard let span = try span(goingOnAfter: sequence) else { return nil }
        let row = try db.first(
            """
            SELECT sequence, tag, at_ms FROM changes WHERE drive_id = ? AND sequence < ? AND at_lived < ?
            ORDER BY sequence DESC LIMIT 1
            """,
            [drive.sql, sequence.sql, span.lowerBound.sql])
        guard let row, row.int64(0) >= beginning else { throw Self.forgotten(try end(of: span, from: sequence)) }
        return Place(
            sequence: row.int64(0), tag: UInt32(truncatingIfNeeded: row.int64(1)), at: row.timestamp(2))
    }

    /// What is said of a moment before the drive's history.
    func forgotten() throws -> Problem {
        guard beginning > 0 else { return Self.forgotten(born) }
        let oldest = try db.first(
            "SELECT sequence, at_ms FROM changes WHERE drive_id = ? AND sequence >= ? ORDER BY sequence LIMIT 1",
            [drive.sql, beginning.sql])
        guard let oldest else { return Self.forgotten(now) }
        let span = try span(goingOnAfter: oldest.int64(0))
        return Self.forgotten(try span.map { try end(of: $0, from: oldest.int64(0)) } ?? oldest.timestamp(1))
    }

    private static func forgotten(_ earliest: Timestamp) -> Problem {
        Problem(.momentForgotten, "The history does not go back before \(earliest).").with { $0.earliest = earliest }
    }

    /// The span that this change shares with the next one: what was between the two is not kept.
    private func span(goingOnAfter sequence: Int64) throws -> Range<Int64>? {
        let rows = try db.query(
            "SELECT at_lived FROM changes WHERE drive_id = ? AND sequence >= ? ORDER BY sequence LIMIT 2",
            [drive.sql, sequence.sql])
        // Before the first change nothing was there, and after the last is now.
        guard sequence > 0, rows.count == 2 else { return nil }
        return spans.span(of: rows[0].int64(0), holding: rows[1].int64(0))
    }

    /// When the last change of a span was.
    ///
    /// - Parameter sequence: of a change in it.
    private func end(of span: Range<Int64>, from sequence: Int64) throws -> Timestamp {
        let next = try db.first(
            """
            SELECT sequence FROM changes WHERE drive_id = ? AND sequence > ? AND at_lived >= ? ORDER BY sequence LIMIT 1
            """,
            [drive.sql, sequence.sql, span.upperBound.sql])
        let last = try db.first(
            "SELECT at_ms FROM changes WHERE drive_id = ? AND sequence < ? ORDER BY sequence DESC LIMIT 1",
            [drive.sql, (next?.int64(0) ?? .max).sql])
        return last?.timestamp(0) ?? now
    }
}
