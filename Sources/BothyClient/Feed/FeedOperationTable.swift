import BothyContract
import GRDB

/// The table `feed_operations`.
enum FeedOperationTable {
    static func all(in db: Database) throws -> [FeedOperation] {
        try Row.fetchAll(db, sql: "SELECT \(columns) FROM feed_operations ORDER BY id").map(operation)
    }

    static func find(_ id: Int64, in db: Database) throws -> FeedOperation? {
        try Row.fetchOne(db, sql: "SELECT \(columns) FROM feed_operations WHERE id = ?", arguments: [id])
            .map(operation)
    }

    static func count(in db: Database) throws -> Int {
        try Int.fetchOne(
            db, sql: "SELECT count(*) FROM feed_operations WHERE state <> ?",
            arguments: [FeedOperation.State.acknowledged.rawValue]) ?? 0
    }

    /// The same request twice is written down once.
    static func insert(
        _ action: FeedOperation.Action, requestId: String, now: Timestamp, in db: Database
    ) throws -> FeedOperation {
        let known = try Row.fetchOne(
            db, sql: "SELECT \(columns) FROM feed_operations WHERE request_id = ?", arguments: [requestId])
        if let known = try known.map(operation) {
            guard known.action == action else {
                throw ClientFailure(Problem(.idempotencyMismatch, "Something else was written under this request."))
            }
            return known
        }
        try db.execute(
            sql: """
                INSERT INTO feed_operations (request_id, action, state, attempts, created_ms) VALUES (?, ?, ?, 0, ?)
                """,
            arguments: [
                requestId, try WireCoding.text(of: action), FeedOperation.State.pending.rawValue, now.milliseconds,
            ])
        return FeedOperation(id: db.lastInsertedRowID, requestId: requestId, action: action, createdAt: now)
    }

    static func update(_ operation: FeedOperation, in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE feed_operations SET state = ?, attempts = ?, next_attempt_ms = ?, last_error = ? WHERE id = ?
                """,
            arguments: [
                operation.state.rawValue, operation.attempts, operation.nextAttemptAt?.milliseconds,
                try operation.lastError.map { try WireCoding.text(of: $0) }, operation.id,
            ])
    }

    static func delete(_ id: Int64, in db: Database) throws {
        try db.execute(sql: "DELETE FROM feed_operations WHERE id = ?", arguments: [id])
    }

    /// The feed that is kept here has them by now.
    static func deleteAcknowledged(upTo id: Int64, in db: Database) throws {
        try db.execute(
            sql: "DELETE FROM feed_operations WHERE state = ? AND id <= ?",
            arguments: [FeedOperation.State.acknowledged.rawValue, id])
    }

    private static let columns =
        "id, request_id, action, state, attempts, next_attempt_ms, last_error, created_ms"

    private static func operation(_ row: Row) throws -> FeedOperation {
        FeedOperation(
            id: row[0], requestId: row[1], action: try WireCoding.decode(FeedOperation.Action.self, fromText: row[2]),
            state: FeedOperation.State(rawValue: row[3]) ?? .pending, attempts: row[4],
            nextAttemptAt: (row[5] as Int64?).map { Timestamp(milliseconds: $0) },
            lastError: try (row[6] as String?).map { try WireCoding.decode(ClientFailure.self, fromText: $0) },
            createdAt: Timestamp(milliseconds: row[7]))
    }
}
