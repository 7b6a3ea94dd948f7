import BothyContract
import Foundation
import GRDB

/// What a domain alone understands of an operation, as it lies in the journal.
struct OperationContent {
    var subject: LUID
    var payload: String
    var places = "[]"
    var scope = [LUID]()
    var parent: LUID?
    var name: String?
    var hash: ContentHash?
    var revision: String?
}

/// The journal as it is for all domains.
extension OperationTable {
    /// In order.
    static func every(in db: Database) throws -> [any DomainOperation] {
        try Row.fetchAll(db.cachedStatement(sql: "SELECT \(columns), domain FROM operations ORDER BY id"))
            .map { try operation($0, in: db) }
    }

    static func any(_ id: Int64, in db: Database) throws -> (any DomainOperation)? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT \(columns), domain FROM operations WHERE id = ?"), arguments: [id]
        ).map { try operation($0, in: db) }
    }

    private static func operation(_ row: Row, in db: Database) throws -> any DomainOperation {
        let domain: String = row[15]
        switch JournalDomainName(rawValue: domain) {
        case .files: return try operation(row)
        case .feed: return try FeedOperationTable.operation(row, in: db)
        case nil:
            throw ClientFailure(
                .homeNewer, "A waiting change is of a kind that this Bothy does not know.",
                remedy: "Install the newer Bothy again that wrote it.")
        }
    }

    /// The operations of a database that may be damaged, an earlier or a newer Bothy's: each that can be read.
    ///
    /// - Parameter unreadable: called of each that cannot, and where nothing after it can be read.
    static func readable(in db: Database, unreadable: (any Error) -> Void) -> [any DomainOperation] {
        var found = [any DomainOperation]()
        do {
            guard try db.tableExists("operations") else { return [] }
            let hasDomains = try db.columns(in: "operations").contains { $0.name == "domain" }
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT \(firstColumns), NULL, \(hasDomains ? "domain" : "'files'") FROM operations ORDER BY id
                    """)
            while let row = try rows.next() {
                do { found.append(try operation(row, in: db)) } catch { unreadable(error) }
            }
        } catch {
            unreadable(error)
        }
        return found
    }

    /// Whether something is sent now, or waits for nothing but its turn.
    static func isSending(_ domain: JournalDomainName, in db: Database) throws -> Bool {
        try Int.fetchOne(
            db,
            sql: """
                SELECT 1 FROM operations
                WHERE state IN ('queued', 'sending') AND next_attempt_ms IS NULL AND domain = ? LIMIT 1
                """, arguments: [domain.rawValue]) != nil
    }

    /// Whether something is to be sent, now or at its time.
    static func hasToSend(_ domain: JournalDomainName, in db: Database) throws -> Bool {
        try Int.fetchOne(
            db, sql: "SELECT 1 FROM operations WHERE state IN ('queued', 'sending') AND domain = ? LIMIT 1",
            arguments: [domain.rawValue]) != nil
    }

    /// Those whose work is not done at the server; nil for all domains.
    static func countOfOpen(_ domain: JournalDomainName? = nil, in db: Database) throws -> Int {
        try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM operations WHERE state <> 'acknowledged' AND domain = coalesce(?, domain)
                """, arguments: [domain?.rawValue]) ?? 0
    }

    /// Puts an operation into the journal.
    ///
    /// - Parameter id: its place in the order; nil for behind all others.
    static func write(
        _ operation: some DomainOperation, _ content: OperationContent, id: Int64?, in db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO operations (id, request_id, domain, kind, subject, payload, places, scope, parent, name,
                    content_hash, state, sent, attempts, next_attempt_ms, last_error, acknowledged_version, created_ms,
                    updated_ms, acknowledged_revision)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            id, operation.requestId, operation.domain.rawValue, operation.kind, content.subject.value,
            content.payload, content.places, try encoded(content.scope), content.parent?.value, content.name,
            content.hash.map { Data($0.bytes) }, operation.state.rawValue, operation.sent,
            operation.attempts, operation.nextAttemptAt?.milliseconds, try operation.lastError.map(encoded),
            operation.acknowledgedVersion, operation.createdAt.milliseconds, operation.updatedAt.milliseconds,
            content.revision,
        ])
    }

    /// Writes how far an operation is, and nothing of what it does.
    static func note(_ operation: any DomainOperation, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                UPDATE operations SET state = ?, sent = ?, attempts = ?, next_attempt_ms = ?, last_error = ?,
                    acknowledged_version = ?, updated_ms = ?
                WHERE id = ?
                """
        ).execute(arguments: [
            operation.state.rawValue, operation.sent, operation.attempts, operation.nextAttemptAt?.milliseconds,
            try operation.lastError.map(encoded), operation.acknowledgedVersion, operation.updatedAt.milliseconds,
            operation.id,
        ])
    }
}
