import BothyContract

/// The table `texts_to_index` of one drive: contents that the index of texts may not follow yet.
///
/// A row is written in the transaction that changes what a file holds, or what it is called, so that a crash leaves nothing
/// out; ``TextIndexing`` looks at each, and finds out by itself what is to be done.
package struct TextQueue {
    private let db: any SQLConnection
    private let drive: Int64

    package init(_ db: any SQLConnection, drive: Int64) {
        self.db = db
        self.drive = drive
    }

    /// A revision becomes its file's head: its content may be a text, and that of the one before may be no file's any more.
    package func note(_ head: RevisionRow) throws {
        if head.size > 0, MediaType.mayBeText(head.mimeType) { try add(head.contentId) }
        guard head.version > 1 else { return }
        let before = try RevisionTable(db, drive: drive).page(of: head.fileId, before: head.version, limit: 1).first
        if let before { try noteLoss(of: before.contentId) }
    }

    /// Nothing may hold the content any more.
    package func noteLoss(of contentId: Int64) throws {
        try db.execute(
            """
            INSERT INTO texts_to_index (drive_id, content_id)
                SELECT drive_id, content_id FROM texts WHERE drive_id = ? AND content_id = ?
            ON CONFLICT DO NOTHING
            """,
            [drive.sql, contentId.sql])
    }

    package func add(contentOf revisionId: String) throws {
        guard let contentId = try RevisionTable(db, drive: drive).contentId(of: revisionId) else { return }
        try add(contentId)
    }

    private func add(_ contentId: Int64) throws {
        try db.execute(
            "INSERT INTO texts_to_index (drive_id, content_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
            [drive.sql, contentId.sql])
    }

    package func remove(_ contentId: Int64) throws {
        try db.execute(
            "DELETE FROM texts_to_index WHERE drive_id = ? AND content_id = ?", [drive.sql, contentId.sql])
    }

    package func isEmpty() throws -> Bool {
        try db.first("SELECT 1 FROM texts_to_index WHERE drive_id = ? LIMIT 1", [drive.sql]) == nil
    }

    /// The next contents to look at, in any drive.
    ///
    /// - Parameters:
    ///   - drive: the one that was looked at last, whose turn comes again after all others'.
    ///   - passed: of a drive, the content up to which all are left out.
    package static func next(
        in db: any SQLConnection, after drive: Int64 = .min, passing passed: [Int64: Int64] = [:], limit: Int
    ) throws -> [(drive: Int64, contentId: Int64)] {
        let waiting = "SELECT drive_id, content_id FROM texts_to_index WHERE"
        let without = String(repeating: " AND NOT (drive_id = ? AND content_id <= ?)", count: passed.count)
        let left = passed.flatMap { [$0.key.sql, $0.value.sql] }
        let order = "ORDER BY drive_id, content_id LIMIT ?"
        var rows = try db.query("\(waiting) drive_id > ?\(without) \(order)", [drive.sql] + left + [limit.sql])
        if rows.count < limit {
            rows += try db.query(
                "\(waiting) drive_id <= ?\(without) \(order)", [drive.sql] + left + [(limit - rows.count).sql])
        }
        return rows.map { ($0.int64(0), $0.int64(1)) }
    }
}
