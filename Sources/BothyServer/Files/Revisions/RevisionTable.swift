import BothyContract

/// A row of `revisions`: one state of a file's content, for good.
package struct RevisionRow: Equatable, Sendable {
    package var id: String
    package var fileId: String
    /// The file's version that the revision made: newer revisions have greater ones, whatever the clock did.
    package var version: Int64
    package var contentId: Int64
    package var mimeType: String
    package var size: Int64
    package var checksum: ContentHash
    package var createdAt: Timestamp
    package var modifiedAt: Timestamp
    package var deviceId: String?

    package init(
        id: String, fileId: String, version: Int64, contentId: Int64, mimeType: String, size: Int64,
        checksum: ContentHash, createdAt: Timestamp, modifiedAt: Timestamp, deviceId: String?
    ) {
        self.id = id
        self.fileId = fileId
        self.version = version
        self.contentId = contentId
        self.mimeType = mimeType
        self.size = size
        self.checksum = checksum
        self.createdAt = createdAt
        self.modifiedAt = modifiedAt
        self.deviceId = deviceId
    }

    package func revision(downloadUrl: String) -> FileRevision {
        FileRevision(
            revisionId: id, fileId: fileId, mimeType: mimeType, size: size, modifiedAt: modifiedAt,
            createdAt: createdAt, deviceId: deviceId, downloadUrl: downloadUrl, checksum: checksum)
    }

    static let columns = """
        revision_id, node_id, version, content_id, mime_type, size, checksum, created_ms, modified_s, modified_ns, \
        device_id
        """

    init(_ row: SQLRow) {
        id = row.string(0)
        fileId = row.string(1)
        version = row.int64(2)
        contentId = row.int64(3)
        mimeType = row.string(4)
        size = row.int64(5)
        checksum = row.hash(6)
        createdAt = row.timestamp(7)
        modifiedAt = Timestamp(seconds: row.int64(8), nanoseconds: Int32(row.int64(9)))
        deviceId = row.optional(10, SQLRow.string)
    }
}

/// The table `revisions` of one drive. Rows are written once, and go with their file, or when old versions are
/// thinned (``OldVersions``).
package struct RevisionTable {
    private let db: any SQLConnection
    private let drive: Int64

    package init(_ db: any SQLConnection, drive: Int64) {
        self.db = db
        self.drive = drive
    }

    package func find(_ id: String) throws -> RevisionRow? {
        try db.first(
            "SELECT \(RevisionRow.columns) FROM revisions WHERE drive_id = ? AND revision_id = ?",
            [drive.sql, id.sql]
        ).map(RevisionRow.init)
    }

    /// Newest first.
    ///
    /// - Parameter version: the version of the last row of the page before; nil for the first page.
    package func page(of fileId: String, before version: Int64?, limit: Int) throws -> [RevisionRow] {
        try db.query(
            """
            SELECT \(RevisionRow.columns) FROM revisions WHERE drive_id = ? AND node_id = ? AND version < ?
            ORDER BY version DESC LIMIT ?
            """,
            [drive.sql, fileId.sql, (version ?? .max).sql, limit.sql]
        ).map(RevisionRow.init)
    }

    /// What a file was made with; nil where it was made empty, or that version was let go of.
    func first(of fileId: String) throws -> RevisionRow? {
        try page(of: fileId, before: FileRow.firstVersion + 1, limit: 1).first
    }

    /// What a file's head was after a change of the drive; nil where it had no content yet.
    package func head(of fileId: String, after sequence: Int64) throws -> RevisionRow? {
        try db.first(
            """
            SELECT \(RevisionRow.columns) FROM revisions WHERE drive_id = ? AND node_id = ? AND sequence <= ?
            ORDER BY version DESC LIMIT 1
            """,
            [drive.sql, fileId.sql, sequence.sql]
        ).map(RevisionRow.init)
    }

    /// Writes a revision that becomes its file's head, and counts its reference to its content.
    ///
    /// - Parameter sequence: of the change that makes it, which is in the log: it was made when that was.
    package func insert(_ row: RevisionRow, by sequence: Int64) throws {
        try write(row, by: sequence, lived: try ChangeLog(db, drive: drive).lived(at: sequence))
        try ContentTable(db, drive: drive).retain(row.contentId)
    }

    /// Writes a revision that becomes its file's head; the reference to its content is the caller's to count.
    ///
    /// - Parameters:
    ///   - sequence: of the change that makes it.
    ///   - lived: when that was, in seconds that the server has lived.
    func write(_ row: RevisionRow, by sequence: Int64, lived: Int64?) throws {
        try db.execute(
            """
            INSERT INTO revisions (drive_id, \(RevisionRow.columns), sequence, made_lived)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                drive.sql, row.id.sql, row.fileId.sql, row.version.sql, row.contentId.sql, row.mimeType.sql,
                row.size.sql, row.checksum.sql, row.createdAt.sql, row.modifiedAt.seconds.sql,
                Int64(row.modifiedAt.nanoseconds).sql, row.deviceId.sql, sequence.sql, lived.sql,
            ])
        try TextQueue(db, drive: drive).note(row)
    }

    /// The content of a revision; nil where it is not there.
    package func contentId(of id: String) throws -> Int64? {
        try db.first(
            "SELECT content_id FROM revisions WHERE drive_id = ? AND revision_id = ?", [drive.sql, id.sql])?.int64(0)
    }

    /// Blocks of contents that go with their revisions in one transaction, except for a content that has more: some thirty milliseconds.
    package static let mostBlocks = 5_000

    /// Takes away at most `limit` revisions of a file that is cut off, and lets go of their contents; fewer where these are made of many
    /// blocks.
    ///
    /// - Parameter mostBlocks: after which no other goes.
    /// - Returns: how many went, of how many blocks their contents were, and whether there are more.
    package func deleteSome(
        of fileId: String, limit: Int, mostBlocks: Int = Self.mostBlocks, lived: Int64
    ) throws -> (gone: Int, blocks: Int, areMore: Bool) {
        let rows = try page(of: fileId, before: nil, limit: limit)
        let contents = ContentTable(db, drive: drive)
        var (gone, blocks) = (0, 0)
        for row in rows where blocks < mostBlocks {
            try db.execute(
                "DELETE FROM revisions WHERE drive_id = ? AND revision_id = ?", [drive.sql, row.id.sql])
            blocks += try contents.release(row.contentId, lived: lived)
            gone += 1
        }
        return (gone, blocks, gone < rows.count || rows.count == limit)
    }
}
