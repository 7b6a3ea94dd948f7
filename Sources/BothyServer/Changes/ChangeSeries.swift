import BothyContract

/// Changes that one transaction makes one after another: what they all look up is looked up once, and what they all count is written
/// once, at its end.
///
/// Nothing else may write the drive's row or its log between the beginning and ``finish()``, nor move a folder.
struct ChangeSeries {
    /// Of the folders that they go into.
    var ancestry: Ancestry
    /// Seconds that the server has lived, as the log has it for all of them.
    let lived: Int64

    private let db: any SQLConnection
    private let stamp: ChangeStamp
    private let epoch: Int64
    private let quota: Int64?
    /// The last place in the log when it began.
    private let before: Int64
    private var sequence: Int64
    private var tag: UInt32
    private var contentId: Int64
    private var used: Int64
    private var items: Int64
    private let mostItems: Int64?
    /// How many nodes more there are at each place.
    private var counts = [FolderCounts.Place: Int]()

    init(in db: any SQLConnection, stamp: ChangeStamp) throws {
        let row = try db.first(
            """
            SELECT last_sequence, last_tag, last_content_id, used_bytes, quota_bytes, items, most_items FROM drives
            WHERE drive_id = ?
            """,
            [stamp.driveId.sql])
        guard let row else { throw Problem(.notFound, "There is no such drive.") }
        self.db = db
        self.stamp = stamp
        before = row.int64(0)
        sequence = before
        tag = UInt32(truncatingIfNeeded: row.int64(1))
        contentId = row.int64(2)
        used = row.int64(3)
        quota = row.optional(4, SQLRow.int64)
        items = row.int64(5)
        mostItems = row.optional(6, SQLRow.int64)
        epoch = try ServerEpoch.read(db)
        lived = try ChangeLog(db, drive: stamp.driveId).lived(after: row.int64(0), stamp)
        ancestry = Ancestry(db, drive: stamp.driveId)
    }

    /// The last place in the log.
    var end: ChangeCursor { ChangeCursor(epoch: epoch, sequence: sequence, tag: tag) }

    /// See ``ChangeLog/append(_:_:removal:stamp:)``.
    mutating func append(_ kind: Change.Kind, _ entityId: String) throws -> ChangeCursor {
        sequence += 1
        tag = stamp.ids.tag()
        let entry = ChangeLog.Entry(sequence: sequence, tag: tag, kind: kind, entityId: entityId)
        try ChangeLog(db, drive: stamp.driveId).write(entry, lived: lived, stamp)
        return end
    }

    /// The id of a new content; never used twice.
    mutating func newContentId() -> Int64 {
        contentId += 1
        return contentId
    }

    /// Whether so many bytes more fit the drive's quota.
    func hasRoom(for bytes: Int64) -> Bool { quota.map { used + bytes <= $0 } ?? true }

    /// So many bytes more count to the quota.
    mutating func charge(_ bytes: Int64) { used += bytes }

    /// Whether the drive may have one file more.
    var hasPlace: Bool { mostItems.map { items < $0 } ?? true }

    /// One node more is at a place.
    mutating func count(_ place: FolderCounts.Place) {
        counts[place, default: 0] += 1
        items += 1
    }

    /// Writes what was counted, where something was.
    func finish() throws {
        guard sequence > before else { return }
        try db.execute(
            """
            UPDATE drives SET last_sequence = ?, last_tag = ?, last_content_id = ?, used_bytes = ?, items = ?
            WHERE drive_id = ?
            """,
            [sequence.sql, Int64(tag).sql, contentId.sql, used.sql, items.sql, stamp.driveId.sql])
        let folders = FolderCounts(db, drive: stamp.driveId)
        for (place, count) in counts { try folders.add(count, at: place) }
    }
}
