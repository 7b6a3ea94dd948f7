import BothyContract
import GRDB

/// The transfers' records. Saves that come while one commit is under way share the next.
package actor TransferStore {
    private let database: ClientDatabase
    private var waiting = [String: TransferRecord]()
    private var waiters = [CheckedContinuation<Void, any Error>]()
    private var committing = false

    package init(database: ClientDatabase) { self.database = database }

    // MARK: - Saving

    package func save(_ record: TransferRecord) async throws { try await save([record]) }

    /// - Parameter isWanted: asked of each when its turn has come: what was saved later, or is, stays.
    package func save(
        _ records: [TransferRecord], where isWanted: @Sendable (TransferRecord) -> Bool = { _ in true }
    ) async throws {
        let records = records.filter(isWanted)
        guard !records.isEmpty else { return }
        for record in records { waiting[record.id] = record }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            waiters.append(continuation)
            if !committing {
                committing = true
                Task { await commit() }
            }
        }
    }

    private func commit() async {
        while !waiters.isEmpty {
            let (records, group) = (Array(waiting.values), waiters)
            waiting = [:]
            waiters = []
            do {
                try await database.write { db in
                    for record in records { try Self.write(record, in: db) }
                }
                for waiter in group { waiter.resume() }
            } catch {
                for waiter in group { waiter.resume(throwing: error) }
            }
        }
        committing = false
    }

    static func write(_ record: TransferRecord, in db: Database) throws {
        switch record {
        case .upload(let transfer): try UploadTransferTable.save(transfer, in: db)
        case .download(let transfer): try DownloadTransferTable.save(transfer, in: db)
        }
    }

    // MARK: - Reading

    package func find(_ id: String) async throws -> TransferRecord? {
        try await database.read { db in try Self.find(id, in: db) }
    }

    package func all(over: Bool) async throws -> [TransferRecord] {
        try await database.read { db in
            try UploadTransferTable.all(over: over, in: db).map(TransferRecord.upload)
                + DownloadTransferTable.all(over: over, in: db).map(TransferRecord.download)
        }
    }

    /// The ids that begin so, at most two: enough to tell one from several.
    package func ids(beginning prefix: String) async throws -> [String] {
        try await database.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT transfer_id FROM upload_transfers WHERE substr(transfer_id, 1, ?) = ?
                    UNION SELECT transfer_id FROM download_transfers WHERE substr(transfer_id, 1, ?) = ? LIMIT 2
                    """,
                arguments: [prefix.count, prefix, prefix.count, prefix])
        }
    }

    /// Downloads that are not over, by how their destinations begin.
    package func openDownloads(to beginning: String) async throws -> [(id: String, destination: String)] {
        try await database.read { db in try DownloadTransferTable.open(to: beginning, in: db) }
    }

    package func countOfOpen() async throws -> Int {
        try await database.read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT (SELECT count(*) FROM upload_transfers WHERE state NOT IN ('completed', 'canceled'))
                        + (SELECT count(*) FROM download_transfers WHERE state NOT IN ('completed', 'canceled'))
                    """) ?? 0
        }
    }

    // MARK: - Who runs what

    /// What other processes ask of those that `runner` runs.
    package func wishes(to runner: String) async throws -> [(id: String, wish: TransferWish)] {
        try await database.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT transfer_id, wish FROM upload_transfers WHERE runner = ? AND wish IS NOT NULL
                    UNION ALL SELECT transfer_id, wish FROM download_transfers WHERE runner = ? AND wish IS NOT NULL
                    """,
                arguments: [runner, runner]
            )
            .compactMap { row in TransferWish(rawValue: row["wish"]).map { (row["transfer_id"], $0) } }
        }
    }

    package func setWish(_ wish: TransferWish?, of id: String) async throws {
        try await database.write { db in
            for table in ["upload_transfers", "download_transfers"] {
                try db.execute(
                    sql: "UPDATE \(table) SET wish = ? WHERE transfer_id = ?", arguments: [wish?.rawValue, id])
            }
        }
    }

    /// Reads a record, lets `change` decide, and writes what it made of it, with nobody between.
    package func update(
        _ id: String, _ change: @escaping @Sendable (inout TransferRecord) throws -> Void
    ) async throws -> TransferRecord? {
        try await database.write { db in
            guard var record = try Self.find(id, in: db) else { return nil }
            try change(&record)
            try Self.write(record, in: db)
            return record
        }
    }

    package func transact<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await database.write(body)
    }

    package func look<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await database.read(body)
    }

    // MARK: - Removing

    package func removeAll() async throws {
        try await database.write { db in
            try db.execute(sql: "DELETE FROM upload_transfers")
            try db.execute(sql: "DELETE FROM download_transfers")
            try SketchTable.removeAll(in: db)
            try DriveParameters.forget(in: db)
        }
    }

    /// Removes those that were over before `moment`.
    package func removeOver(before moment: Timestamp) async throws {
        try await database.write { db in
            for table in ["upload_transfers", "download_transfers"] {
                try db.execute(
                    sql: "DELETE FROM \(table) WHERE state IN ('completed', 'canceled') AND updated_at < ?",
                    arguments: [moment.rfc3339])
            }
        }
    }

    static func find(_ id: String, in db: Database) throws -> TransferRecord? {
        if let upload = try UploadTransferTable.find(id, in: db) { return .upload(upload) }
        return try DownloadTransferTable.find(id, in: db).map(TransferRecord.download)
    }
}
