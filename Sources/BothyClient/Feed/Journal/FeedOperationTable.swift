import BothyContract
import GRDB

/// The feed's part of the table `operations`.
enum FeedOperationTable {
    private static let columns = OperationTable.columns

    /// In order.
    static func all(in db: Database) throws -> [FeedOperation] {
        try Row.fetchAll(
            db.cachedStatement(sql: "SELECT \(columns) FROM operations WHERE domain = 'feed' ORDER BY id")
        ).map { try operation($0, in: db) }
    }

    static func find(_ id: Int64, in db: Database) throws -> FeedOperation? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT \(columns) FROM operations WHERE domain = 'feed' AND id = ?"),
            arguments: [id]
        ).map { try operation($0, in: db) }
    }

    private static func find(requestId: String, in db: Database) throws -> FeedOperation? {
        try Row.fetchOne(
            db, sql: "SELECT \(columns) FROM operations WHERE domain = 'feed' AND request_id = ?",
            arguments: [requestId]
        ).map { try operation($0, in: db) }
    }

    /// The server has them, and the feed that is kept here has not yet.
    static func acknowledged(in db: Database) throws -> Set<Int64> {
        try Int64.fetchSet(
            db, sql: "SELECT id FROM operations WHERE domain = 'feed' AND state = 'acknowledged'")
    }

    /// Writes down what is done. The same request twice is written down once.
    ///
    /// - Throws: `idempotencyMismatch` where something else was done under this request.
    static func insert(_ deed: FeedDeed, requestId: String, now: Timestamp, in db: Database) throws -> FeedOperation {
        if let known = try find(requestId: requestId, in: db) {
            guard known.action == deed.action else {
                throw ClientFailure(Problem(.idempotencyMismatch, "This request was already used for something else."))
            }
            return known
        }
        let post = try deed.post.map { try FeedLuids.ensure(.post, $0, in: db) }
        let subject =
            try deed.person.map { try FeedLuids.ensure(.person, $0, in: db) }
            ?? deed.comment.map { try FeedLuids.ensure(.comment, $0, in: db) }
            ?? (deed.makesComment ? LuidTable.make(.comment, in: db) : nil) ?? post ?? LuidTable.make(.post, in: db)
        let operation = FeedOperation(
            id: 0, requestId: requestId, action: deed.action, subject: subject, post: subject == post ? nil : post,
            createdAt: now)
        try insert(operation, as: nil, in: db)
        return try find(db.lastInsertedRowID, in: db) ?? operation
    }

    /// - Parameter id: its place in the order; nil for behind all others.
    static func insert(_ operation: FeedOperation, as id: Int64?, in db: Database) throws {
        try OperationTable.write(
            operation,
            OperationContent(
                subject: operation.subject, payload: try WireCoding.text(of: operation.action),
                scope: [operation.post].compactMap(\.self)),
            id: id, in: db)
    }

    /// It says something else, and is as far as it was.
    static func save(_ action: FeedOperation.Action, of id: Int64, in db: Database) throws {
        try db.execute(
            sql: "UPDATE operations SET payload = ? WHERE id = ?", arguments: [try WireCoding.text(of: action), id])
    }

    /// It is to be sent anew, with another text.
    static func rewrite(
        _ operation: FeedOperation, as action: FeedOperation.Action, requestId: String, now: Timestamp, in db: Database
    ) throws {
        try db.execute(
            sql: """
                UPDATE operations SET payload = ?, request_id = ?, state = 'queued', attempts = 0, next_attempt_ms = NULL,
                    last_error = NULL, updated_ms = ?
                WHERE id = ?
                """,
            arguments: [try WireCoding.text(of: action), requestId, now.milliseconds, operation.id])
    }

    /// The feed that is kept here has them by now.
    static func remove(_ ids: Set<Int64>, in db: Database) throws {
        for id in ids { try OperationTable.remove(id, in: db) }
    }

    static func operation(_ row: Row, in db: Database) throws -> FeedOperation {
        let (subject, scope): (Int64, [LUID]) = (row[2], try OperationTable.decoded(row[5]))
        let post = scope.first
        let subjectId = try FeedLuids.number(of: LUID(subject), in: db)
        let action: FeedOperation.Action = try OperationTable.decoded(row[3])
        var operation = FeedOperation(
            id: row[0], requestId: row[1], action: action, subject: LUID(subject),
            post: post, files: try action.filesUnderWay.map { try LuidTable.resolved($0, in: db) },
            subjectId: subjectId,
            postId: post == nil && action.isAboutPost
                ? subjectId : try post.flatMap { try FeedLuids.number(of: $0, in: db) },
            state: JournalOperation.State(rawValue: row[6]) ?? .parked,
            createdAt: Timestamp(milliseconds: row[12]))
        (operation.sent, operation.attempts) = (row[7], row[8])
        operation.nextAttemptAt = (row[9] as Int64?).map(Timestamp.init(milliseconds:))
        operation.lastError = try (row[10] as String?).map { try OperationTable.decoded($0) }
        operation.acknowledgedVersion = row[11]
        operation.updatedAt = Timestamp(milliseconds: row[13])
        return operation
    }
}
