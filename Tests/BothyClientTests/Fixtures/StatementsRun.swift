import GRDB
import Testing

@testable import BothyClient

/// The statements that a connection ran, in their order: what reading costs, whatever the machine.
///
/// Unchecked because a connection runs one at a time, and whoever asks has waited for it.
final class StatementsRun: @unchecked Sendable {
    private(set) var all = [String]()

    /// Writes down from here on what this connection runs.
    func follow(_ db: Database) {
        db.trace { event in if case .statement(let statement) = event { self.all.append(statement.sql) } }
    }

    func end(on db: Database) { db.trace(nil) }

    /// How SQLite goes through the tables of the cache: each step a search by an index, or one of these.
    func scans(in db: Database) throws -> [String] {
        try Set(all).filter { $0.contains("remote_files") || $0.contains("luids") }.flatMap { sql in
            let plan = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
            plan.setUncheckedArguments(StatementArguments())
            return try Row.fetchAll(plan).map { $0["detail"] as String }
                .filter { !$0.hasPrefix("SEARCH") }.map { "\($0): \(sql)" }
        }
    }
}

extension ReplicaStore {
    /// A cache of `files` files in `folders` folders of the root, as a server might have told it.
    func fill(files: Int, in folders: Int) async throws {
        try await transact { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                    INSERT INTO luids (luid, kind, server_id) SELECT i, 'file', 'id-' || i FROM n
                    """, arguments: [files + folders + 1])
            try db.execute(
                sql: """
                    INSERT INTO remote_files (luid, parent, rank, name, size, version, created_ms, updated_ms,
                        modified_s, modified_ns, starred, hidden, executable, link)
                    SELECT luid, CASE WHEN luid <= :last THEN 1 ELSE luid % :folders + 2 END,
                        CASE WHEN luid <= :last THEN 0 ELSE 1 END, 'name-' || luid, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1
                    FROM luids WHERE luid > 1
                    """, arguments: ["last": folders + 1, "folders": folders])
        }
    }
}
