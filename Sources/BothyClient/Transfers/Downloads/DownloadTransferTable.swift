import BothyContract
import GRDB

/// `download_transfers`, one row a download.
enum DownloadTransferTable {
    static func save(_ transfer: DownloadTransfer, in db: Database) throws {
        try db.cachedStatement(sql: upsert).write(values(of: transfer), in: db)
    }

    static func find(_ id: String, in db: Database) throws -> DownloadTransfer? {
        try TransferSQL.rows(of: "download_transfers", where: "transfer_id = ?", id, in: db).first
            .map(DownloadTransfer.init)
    }

    /// Those that are not over and would put the same file in the same place.
    static func open(for order: DownloadOrder, in db: Database) throws -> [DownloadTransfer] {
        let condition = "destination_path = ? AND state NOT IN ('completed', 'canceled')"
        return try TransferSQL.rows(of: "download_transfers", where: condition, order.destination, in: db)
            .map(DownloadTransfer.init).filter { $0.answers(order) }
    }

    /// Those that are not over and whose destinations begin so.
    static func open(to beginning: String, in db: Database) throws -> [(id: String, destination: String)] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT transfer_id, destination_path FROM download_transfers
                    WHERE substr(destination_path, 1, length(?)) = ? AND state NOT IN ('completed', 'canceled')
                    """),
            arguments: [beginning, beginning]
        )
        .map { ($0["transfer_id"], $0["destination_path"]) }
    }

    static func all(over: Bool, in db: Database) throws -> [DownloadTransfer] {
        let condition = over ? "" : "WHERE state NOT IN ('completed', 'canceled')"
        return try Row.fetchAll(db, sql: "\(select) \(condition)").map(DownloadTransfer.init)
    }

    /// The newest; of those that are not over, what failed before what did not.
    static func newest(over: Bool, most: Int, in db: Database) throws -> [DownloadTransfer] {
        let condition = over ? "state IN" : "state NOT IN"
        return try Row.fetchAll(
            db,
            sql: """
                \(select) WHERE \(condition) ('completed', 'canceled')
                ORDER BY state = 'failed' DESC, updated_at DESC, transfer_id LIMIT ?
                """,
            arguments: [most]
        ).map(DownloadTransfer.init)
    }

    private static let select = "SELECT * FROM download_transfers"

    private static let columns = [
        "transfer_id", "remote_file_id", "revision_id", "follows_head", "name", "expected_size", "expected_hash",
        "etag", "modified_at", "executable", "destination_path", "temp_path", "replacing", "chunk_size",
        "downloaded_chunks", "basis_path", "fetched_bytes", "state", "pause_reason", "shown_bytes", "last_error",
        "failures", "attempts_per_chunk",
        "last_byte_offset", "last_server_status", "runner", "created_at", "updated_at", "replaces_size",
        "replaces_modified", "replaces_inode", "replaces_hash",
    ]

    private static let upsert = TransferSQL.upsert("download_transfers", columns)

    private static func values(of transfer: DownloadTransfer) throws -> [any StatementBinding] {
        [
            transfer.transferId, transfer.remoteFileId, transfer.revisionId, transfer.followsHead, transfer.name,
            transfer.expectedSize, transfer.expectedHash?.hex, transfer.etag, transfer.modifiedAt?.rfc3339,
            transfer.executable, transfer.destinationPath, transfer.tempPath, transfer.replacing,
            transfer.chunkSize, TransferSQL.blob(transfer.downloadedChunks), transfer.basisPath, transfer.fetchedBytes,
            TransferSQL.name(of: transfer.state),
            TransferSQL.reason(of: transfer.state), transfer.shownBytes, try TransferSQL.text(transfer.lastError),
            transfer.failures, TransferSQL.text(transfer.attemptsPerChunk), transfer.lastByteOffset,
            transfer.lastServerStatus, transfer.runner, transfer.createdAt.rfc3339, transfer.updatedAt.rfc3339,
            transfer.replaces?.size, transfer.replaces?.modifiedAt.rfc3339,
            transfer.replaces.map { Int64(bitPattern: $0.inode) }, transfer.replaces?.content?.hex,
        ]
    }
}

extension DownloadTransfer {
    func answers(_ order: DownloadOrder) -> Bool {
        destinationPath == order.destination && remoteFileId == order.fileId
            && (order.revisionId == nil ? followsHead : !followsHead && revisionId == order.revisionId)
            && replacing == order.replacing
    }

    fileprivate init(_ row: Row) throws {
        var order = DownloadOrder(
            fileId: row["remote_file_id"], revisionId: row["follows_head"] ? nil : row["revision_id"],
            name: row["name"], destination: row["destination_path"], replacing: row["replacing"])
        order.basis = row["basis_path"]
        if let size: Int64 = row["replaces_size"], let inode: Int64 = row["replaces_inode"] {
            order.replaces = SourcePin(
                size: size, modifiedAt: try TransferSQL.timestamp(row["replaces_modified"]),
                inode: UInt64(bitPattern: inode),
                content: (row["replaces_hash"] as String?).flatMap { ContentHash(hex: $0) })
        }
        self.init(
            transferId: row["transfer_id"], order: order, now: try TransferSQL.timestamp(row["created_at"]))
        fetchedBytes = row["fetched_bytes"]
        revisionId = row["revision_id"]
        expectedSize = row["expected_size"]
        expectedHash = (row["expected_hash"] as String?).flatMap { ContentHash(hex: $0) }
        etag = row["etag"]
        modifiedAt = try (row["modified_at"] as String?).map(TransferSQL.timestamp)
        executable = row["executable"]
        chunkSize = max(1, row["chunk_size"])
        downloadedChunks = ChunkProgress(total: grid?.total ?? 0, bytes: TransferSQL.bytes(row["downloaded_chunks"]))
        state = TransferSQL.state(row["state"], reason: row["pause_reason"])
        wish = (row["wish"] as String?).flatMap(TransferWish.init)
        shownBytes = row["shown_bytes"]
        lastError = TransferSQL.failure(row["last_error"])
        failures = row["failures"]
        attemptsPerChunk = TransferSQL.attempts(row["attempts_per_chunk"])
        lastByteOffset = row["last_byte_offset"]
        lastServerStatus = row["last_server_status"]
        runner = row["runner"]
        updatedAt = try TransferSQL.timestamp(row["updated_at"])
    }
}
