import BothyContract
import Foundation
import GRDB

/// The table `operations`: the journal. What is here is about files, where it does not say otherwise.
enum OperationTable {
    /// As they were from the beginning: what is rescued may be of any version.
    static let firstColumns = """
        id, request_id, subject, payload, places, scope, state, sent, attempts, next_attempt_ms, last_error, \
        acknowledged_version, created_ms, updated_ms
        """
    static let columns = "\(firstColumns), acknowledged_revision"

    // MARK: - Reading

    /// All, in order.
    static func all(in db: Database) throws -> [JournalOperation] {
        try Row.fetchAll(
            db.cachedStatement(sql: "SELECT \(columns) FROM operations WHERE domain = 'files' ORDER BY id")
        ).map(operation)
    }

    static func find(_ id: Int64, in db: Database) throws -> JournalOperation? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT \(columns) FROM operations WHERE id = ? AND domain = 'files'"),
            arguments: [id]
        ).map(operation)
    }

    static func of(_ subject: LUID, in db: Database) throws -> [JournalOperation] {
        try Row.fetchAll(
            db.cachedStatement(sql: "SELECT \(columns) FROM operations WHERE subject = ? ORDER BY id"),
            arguments: [subject.value]
        ).map(operation)
    }

    /// Deletions that have not been sent, and were done by one who had seen this.
    static func deletions(seen: SeenContent, in db: Database) throws -> [JournalOperation] {
        try Row.fetchAll(
            db.cachedStatement(sql: "SELECT \(columns) FROM operations WHERE kind = 'trash' AND NOT sent ORDER BY id")
        ).map(operation).filter { $0.action == .trash(seen: seen) }
    }

    /// The request ids of all.
    static func requestIds(in db: Database) throws -> Set<String> {
        try String.fetchSet(db, sql: "SELECT request_id FROM operations")
    }

    /// Moves, in order.
    static func moves(in db: Database) throws -> [JournalOperation] {
        try Row.fetchAll(
            db.cachedStatement(sql: "SELECT \(columns) FROM operations WHERE kind = 'move' ORDER BY id")
        ).map(operation)
    }

    static func isEmpty(in db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT 1 FROM operations WHERE domain = 'files' LIMIT 1") == nil
    }

    /// What has something to send yet, and whether that waits for a person.
    static func waiting(in db: Database) throws -> [LUID: Bool] {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT subject, max(state IN ('conflict', 'parked')) FROM operations
                    WHERE state <> 'acknowledged' AND domain = 'files' GROUP BY subject
                    """))
        return Dictionary(uniqueKeysWithValues: rows.map { (LUID($0[0] as Int64), $0[1]) })
    }

    /// What waits for a person.
    static func asking(in db: Database) throws -> Set<LUID> {
        let subjects = try Int64.fetchAll(
            db.cachedStatement(
                sql: "SELECT subject FROM operations WHERE state IN ('conflict', 'parked') AND domain = 'files'"))
        return Set(subjects.map { LUID($0) })
    }

    /// Whether this waits for a person.
    static func asks(_ subject: LUID, in db: Database) throws -> Bool {
        try Int.fetchOne(
            db.cachedStatement(
                sql: "SELECT 1 FROM operations WHERE subject = ? AND state IN ('conflict', 'parked') LIMIT 1"),
            arguments: [subject.value]) != nil
    }

    static func operation(_ row: Row) throws -> JournalOperation {
        let subject: Int64 = row[2]
        let (payload, places, scope): (String, String, String) = (row[3], row[4], row[5])
        let state: String = row[6]
        let (next, error): (Int64?, String?) = (row[9], row[10])
        return JournalOperation(
            id: row[0], requestId: row[1], action: try decoded(payload), subject: LUID(subject),
            places: try decoded(places), scope: try decoded(scope),
            state: JournalOperation.State(rawValue: state) ?? .parked, sent: row[7], attempts: row[8],
            nextAttemptAt: next.map(Timestamp.init(milliseconds:)), lastError: try error.map { try decoded($0) },
            acknowledgedVersion: row[11], acknowledgedRevision: row[14], createdAt: Timestamp(milliseconds: row[12]),
            updatedAt: Timestamp(milliseconds: row[13]))
    }

    static func decoded<Value: Decodable>(_ text: String) throws -> Value {
        try WireCoding.decode(Value.self, fromText: text)
    }

    static func encoded(_ value: some Encodable) throws -> String {
        try WireCoding.text(of: value)
    }

    // MARK: - Writing

    /// - Parameter id: its place in the order; nil for behind all others.
    /// - Returns: the operation with its place in the order.
    static func insert(
        _ action: JournalOperation.Action, on subject: LUID, as id: Int64?, requestId: String,
        places: [NameInFolder], scope: [LUID], now: Timestamp, in db: Database
    ) throws -> JournalOperation {
        // As fine as it is kept: what is shown at once is what is read from here later.
        let kept = Timestamp(milliseconds: now.milliseconds)
        let draft = JournalOperation(
            id: 0, requestId: requestId, action: action, subject: subject, places: places, scope: scope,
            createdAt: kept, updatedAt: kept)
        try write(draft, id: id, in: db)
        return draft.numbered(db.lastInsertedRowID)
    }

    /// Puts an operation into its own place in the order.
    static func insert(_ operation: JournalOperation, in db: Database) throws {
        try write(operation, id: operation.id, in: db)
    }

    /// Puts an operation behind all others.
    ///
    /// - Returns: it, with its place in the order.
    static func append(_ operation: JournalOperation, in db: Database) throws -> JournalOperation {
        try write(operation, id: nil, in: db)
        return operation.numbered(db.lastInsertedRowID)
    }

    private static func write(_ operation: JournalOperation, id: Int64?, in db: Database) throws {
        let (parent, name): (LUID?, String?) =
            switch operation.action {
            case .createFolder(let parent, let name), .upload(let parent, let name, _, _): (parent, name)
            default: (nil, nil)
            }
        try write(
            operation,
            OperationContent(
                subject: operation.subject, payload: try encoded(operation.action),
                places: try encoded(operation.places), scope: operation.scope, parent: parent, name: name,
                hash: operation.content?.checksum, revision: operation.acknowledgedRevision),
            id: id, in: db)
    }

    /// Writes what varies. What has left the journal meanwhile does not come back by it.
    static func save(_ operation: JournalOperation, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                UPDATE operations SET subject = ?, payload = ?, state = ?, sent = ?, attempts = ?, next_attempt_ms = ?,
                    last_error = ?, acknowledged_version = ?, acknowledged_revision = ?, updated_ms = ?
                WHERE id = ?
                """
        ).execute(arguments: [
            operation.subject.value, try encoded(operation.action), operation.state.rawValue, operation.sent,
            operation.attempts, operation.nextAttemptAt?.milliseconds, try operation.lastError.map(encoded),
            operation.acknowledgedVersion, operation.acknowledgedRevision, operation.updatedAt.milliseconds,
            operation.id,
        ])
    }

    /// The server shall not know it again.
    static func renew(_ id: Int64, requestId: String, in db: Database) throws {
        try db.execute(sql: "UPDATE operations SET request_id = ? WHERE id = ?", arguments: [requestId, id])
    }

    static func remove(_ id: Int64, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM operations WHERE id = ?").execute(arguments: [id])
    }

    /// What was said of one LUID holds for another from now on.
    static func retarget(from old: LUID, to new: LUID, in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE operations SET subject = ? WHERE subject = ?")
            .execute(arguments: [new.value, old.value])
    }

    // MARK: - Claims

    /// The thing that a request made, while no server object stands for it.
    static func subject(madeBy requestId: String, in db: Database) throws -> LUID? {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT o.subject FROM operations o JOIN luids l ON l.luid = o.subject
                    WHERE o.request_id IN (?, ?) AND o.kind IN ('create_folder', 'upload') AND l.server_id IS NULL
                        AND l.same_as IS NULL
                    """),
            arguments: [requestId, stem(of: requestId)]
        ).map(LUID.init)
    }

    /// A later session of one upload has its number after a hyphen.
    fileprivate static func stem(of requestId: String) -> String {
        requestId.lastIndex(of: "-").map { String(requestId[..<$0]) } ?? requestId
    }

    /// The first pending upload of this content that nothing of the server's stands for: a photo wherever it lies, a
    /// file with this folder and name.
    static func subject(
        uploading hash: ContentHash, to parent: LUID?, as name: String, in db: Database
    ) throws -> LUID? {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT o.subject FROM operations o JOIN luids l ON l.luid = o.subject
                    WHERE o.content_hash = ? AND o.kind = 'upload' AND l.server_id IS NULL AND l.same_as IS NULL
                        AND (l.kind = 'photo' OR o.parent = ? AND o.name = ?)
                    ORDER BY o.id LIMIT 1
                    """),
            arguments: [Data(hash.bytes), parent?.value, name]
        ).map(LUID.init)
    }

    /// The pending folder of this name in this folder.
    static func subject(creatingFolder name: String, in parent: LUID?, _ db: Database) throws -> LUID? {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT o.subject FROM operations o JOIN luids l ON l.luid = o.subject
                    WHERE o.kind = 'create_folder' AND o.parent = ? AND o.name = ? AND l.server_id IS NULL
                    ORDER BY o.id LIMIT 1
                    """),
            arguments: [parent?.value, name]
        ).map(LUID.init)
    }
}

extension JournalOperation {
    /// Whether this is what it made, or what somebody else made of the same in its folder. A photo that somebody else has put
    /// elsewhere is the same photo, and nobody here has seen it there.
    func made(_ file: ReplicaFile) -> Bool {
        if destination == file.parent { return true }
        return file.requestId.map { $0 == requestId || OperationTable.stem(of: $0) == requestId } ?? false
    }

    fileprivate func numbered(_ id: Int64) -> JournalOperation {
        JournalOperation(
            id: id, requestId: requestId, action: action, subject: subject, places: places, scope: scope, state: state,
            sent: sent, attempts: attempts, nextAttemptAt: nextAttemptAt, lastError: lastError,
            acknowledgedVersion: acknowledgedVersion, acknowledgedRevision: acknowledgedRevision,
            createdAt: createdAt, updatedAt: updatedAt)
    }
}
