/// Adds up what one drive keeps. It reads every row of it once and none of its bytes: some seconds for a million
/// versions.
struct StorageTable {
    private let db: any SQLConnection
    private let drive: Int64

    init(_ db: any SQLConnection, drive: Int64) {
        self.db = db
        self.drive = drive
    }

    func figures() throws -> StorageFigures {
        var figures = StorageFigures()
        try addNodes(to: &figures)
        try addVersions(to: &figures)
        try addAttachments(to: &figures)
        try addBlocks(to: &figures)
        return figures
    }

    private func addNodes(to figures: inout StorageFigures) throws {
        let rows = try db.query(
            "SELECT kind, count(*), coalesce(sum(size), 0) FROM nodes WHERE drive_id = ? AND purged = 0 GROUP BY kind",
            [drive.sql])
        for row in rows {
            if row.int64(0) == FileRow.folderKind {
                // The drive's root is nobody's folder.
                figures.folders += row.int64(1) - 1
            } else {
                figures.files += row.int64(1)
                figures.currentBytes += row.int64(2)
            }
        }
    }

    private func addVersions(to figures: inout StorageFigures) throws {
        let row = try db.first(
            "SELECT count(*), coalesce(sum(size), 0) FROM revisions WHERE drive_id = ?", [drive.sql])
        figures.versions = row?.int64(0) ?? 0
        figures.logicalBytes = row?.int64(1) ?? 0
    }

    private func addAttachments(to figures: inout StorageFigures) throws {
        let row = try db.first(
            "SELECT count(*), coalesce(sum(size), 0) FROM attachments WHERE author_id = ?", [drive.sql])
        figures.attachments = row?.int64(0) ?? 0
        figures.attachedBytes = row?.int64(1) ?? 0
    }

    private func addBlocks(to figures: inout StorageFigures) throws {
        let page = Int64(PackFormat.pageBytes)
        let rows = try db.query(
            """
            SELECT CASE WHEN refs > 0 THEN 1 ELSE 0 END AS referred, count(*), coalesce(sum(size), 0),
                coalesce(sum((coalesce(stored, size) + ?) / ?), 0), coalesce(sum(coalesce(stored, size)), 0)
            FROM blocks WHERE drive_id = ? GROUP BY CASE WHEN refs > 0 THEN 1 ELSE 0 END
            """, [(page - 1).sql, page.sql, drive.sql])
        for row in rows {
            let (count, bytes) = (row.int64(1), row.int64(2))
            let stored = row.int64(4) + PackFormat.overhead(blocks: count, pages: row.int64(3))
            if row.bool(0) {
                figures.blocks = count
                figures.uniqueBytes = bytes
                figures.storedBytes = stored
                figures.savedBytes = bytes - row.int64(4)
            } else {
                figures.waitingBytes = stored
            }
        }
    }
}
