import BothyContent
import BothyContract
import GRDB

/// `upload_transfers`, one row an upload.
enum UploadTransferTable {
    static func save(_ transfer: UploadTransfer, in db: Database) throws {
        try db.cachedStatement(sql: upsert).write(values(of: transfer), in: db)
    }

    static func find(_ id: String, in db: Database) throws -> UploadTransfer? {
        try TransferSQL.rows(of: "upload_transfers", where: "transfer_id = ?", id, in: db).first
            .map(UploadTransfer.init)
    }

    /// Those that are not over and would send the same file to the same place.
    static func open(for order: UploadOrder, in db: Database) throws -> [UploadTransfer] {
        let condition = "local_path = ? AND state NOT IN ('completed', 'canceled')"
        return try TransferSQL.rows(of: "upload_transfers", where: condition, order.localPath, in: db)
            .map(UploadTransfer.init).filter { $0.answers(order) }
    }

    static func all(over: Bool, in db: Database) throws -> [UploadTransfer] {
        let condition = over ? "" : "WHERE state NOT IN ('completed', 'canceled')"
        return try Row.fetchAll(db, sql: "\(select) \(condition)").map(UploadTransfer.init)
    }

    /// The newest; of those that are not over, what failed before what did not.
    static func newest(over: Bool, most: Int, in db: Database) throws -> [UploadTransfer] {
        let condition = over ? "state IN" : "state NOT IN"
        return try Row.fetchAll(
            db,
            sql: """
                \(select) WHERE \(condition) ('completed', 'canceled')
                ORDER BY state = 'failed' DESC, updated_at DESC, transfer_id LIMIT ?
                """,
            arguments: [most]
        ).map(UploadTransfer.init)
    }

    private static let select = "SELECT * FROM upload_transfers"

    private static let columns = [
        "transfer_id", "generation", "local_path", "spooled", "file_size", "source_modified", "source_inode", "name",
        "parent_id", "file_id", "base_revision_id", "mime_type", "executable", "conflict", "chunked", "chunk_size",
        "uploaded_chunks", "plan", "received_blocks", "sent_bytes", "session_id", "session_expires_at",
        "remote_file_id", "remote_revision_id",
        "expected_hash", "file_hash_sha256", "state", "pause_reason", "shown_bytes", "last_error", "failures",
        "attempts_per_chunk",
        "last_byte_offset", "last_server_status", "runner", "has_keeper", "replaced_by", "created_at", "updated_at",
    ]

    private static let upsert = TransferSQL.upsert("upload_transfers", columns)

    private static func values(of transfer: UploadTransfer) throws -> [any StatementBinding] {
        [
            transfer.transferId, transfer.generation, transfer.localPath, transfer.spooled, transfer.source?.size,
            transfer.source?.modifiedAt.rfc3339, transfer.source.map { Int64(bitPattern: $0.inode) }, transfer.name,
            transfer.parentId, transfer.fileId, transfer.baseRevisionId, transfer.mimeType, transfer.executable,
            transfer.conflict.rawValue, transfer.chunked, transfer.chunkSize,
            TransferSQL.noChunks, transfer.plan.rawValue, TransferSQL.text(transfer.receivedBlocks), transfer.sentBytes,
            transfer.sessionId, transfer.sessionExpiresAt?.rfc3339,
            transfer.remoteFileId, transfer.remoteRevisionId, transfer.expectedHash?.hex, transfer.fileHashSha256?.hex,
            TransferSQL.name(of: transfer.state), TransferSQL.reason(of: transfer.state), transfer.shownBytes,
            try TransferSQL.text(transfer.lastError), transfer.failures,
            TransferSQL.text(transfer.attemptsPerChunk), transfer.lastByteOffset, transfer.lastServerStatus,
            transfer.runner, transfer.hasKeeper, transfer.replacedBy, transfer.createdAt.rfc3339,
            transfer.updatedAt.rfc3339,
        ]
    }
}

extension UploadTransfer {
    /// Whether this transfer is what `order` asks for. The base revision is part of the question: content made
    /// from another revision is another upload.
    func answers(_ order: UploadOrder) -> Bool {
        localPath == order.localPath && name == order.name && parentId == order.parentId && fileId == order.fileId
            && conflict == order.conflict && baseRevisionId == order.baseRevisionId && !spooled
    }

    fileprivate init(_ row: Row) throws {
        let order = UploadOrder(
            localPath: row["local_path"], name: row["name"], parentId: row["parent_id"], fileId: row["file_id"],
            baseRevisionId: row["base_revision_id"],
            conflict: ConflictPolicy(rawValue: row["conflict"]) ?? .fail, mimeType: row["mime_type"])
        self.init(
            transferId: row["transfer_id"], order: order, spooled: row["spooled"],
            now: try TransferSQL.timestamp(row["created_at"]))
        generation = row["generation"]
        executable = row["executable"]
        if let size: Int64 = row["file_size"], let inode: Int64 = row["source_inode"] {
            source = SourcePin(
                size: size, modifiedAt: try TransferSQL.timestamp(row["source_modified"]),
                inode: UInt64(bitPattern: inode))
        }
        chunked = row["chunked"]
        chunkSize = max(1, row["chunk_size"])
        plan = ChunkPlan.Kind(rawValue: row["plan"]) ?? .fixed
        receivedBlocks = TransferSQL.chunks(row["received_blocks"])
        sentBytes = row["sent_bytes"]
        sessionId = row["session_id"]
        sessionExpiresAt = try (row["session_expires_at"] as String?).map(TransferSQL.timestamp)
        remoteFileId = row["remote_file_id"]
        remoteRevisionId = row["remote_revision_id"]
        expectedHash = (row["expected_hash"] as String?).flatMap { ContentHash(hex: $0) }
        fileHashSha256 = (row["file_hash_sha256"] as String?).flatMap { ContentHash(hex: $0) }
        state = TransferSQL.state(row["state"], reason: row["pause_reason"])
        wish = (row["wish"] as String?).flatMap(TransferWish.init)
        shownBytes = row["shown_bytes"]
        lastError = TransferSQL.failure(row["last_error"])
        failures = row["failures"]
        attemptsPerChunk = TransferSQL.attempts(row["attempts_per_chunk"])
        lastByteOffset = row["last_byte_offset"]
        lastServerStatus = row["last_server_status"]
        runner = row["runner"]
        hasKeeper = row["has_keeper"]
        replacedBy = row["replaced_by"]
        updatedAt = try TransferSQL.timestamp(row["updated_at"])
    }
}
