import BothyContract
import Foundation
import GRDB

/// The table `conflict_policies`: what a person wants done about conflicts, of a file or of a folder with all that lies
/// in it; of the root, for the account.
enum ConflictPolicyTable {
    static func policy(of luid: LUID, in db: Database) throws -> ConflictResolution? {
        try String.fetchOne(
            db, sql: "SELECT policy FROM conflict_policies WHERE luid = ?", arguments: [luid.value]
        ).flatMap(ConflictResolution.init)
    }

    static func set(_ policy: ConflictResolution?, of luid: LUID, in db: Database) throws {
        guard let policy else {
            return try db.execute(sql: "DELETE FROM conflict_policies WHERE luid = ?", arguments: [luid.value])
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO conflict_policies (luid, policy) VALUES (?, ?)",
            arguments: [luid.value, policy.rawValue])
    }

    static func all(in db: Database) throws -> [(luid: LUID, policy: ConflictResolution)] {
        try Row.fetchAll(db, sql: "SELECT luid, policy FROM conflict_policies ORDER BY luid").compactMap { row in
            let policy: String = row[1]
            return ConflictResolution(rawValue: policy).map { (LUID(row[0]), $0) }
        }
    }
}

/// The table `decisions`: what was decided about conflicts here.
enum ConflictDecisionTable {
    /// Older ones cannot be taken back any more.
    private static let most = 1000

    private static let columns = "id, decided_ms, automatic, choice, operation, made, path, undone_ms"

    static func insert(
        _ choice: ConflictDecision.Choice, automatic: Bool, about operation: JournalOperation,
        made: JournalOperation?, path: String?, now: Timestamp, in db: Database
    ) throws -> Int64 {
        try db.execute(
            sql: """
                INSERT INTO decisions (decided_ms, automatic, choice, operation, made_operation, made, path, told)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                now.milliseconds, automatic, choice.rawValue, try text(operation), made?.id, try made.map(text), path,
                !automatic,
            ])
        let id = db.lastInsertedRowID
        try db.execute(sql: "DELETE FROM decisions WHERE id <= ?", arguments: [id - Int64(most)])
        return id
    }

    static func find(_ id: Int64, in db: Database) throws -> ConflictDecision? {
        try Row.fetchOne(db, sql: "SELECT \(columns) FROM decisions WHERE id = ?", arguments: [id]).map(decision)
    }

    /// The newest first.
    static func all(in db: Database) throws -> [ConflictDecision] {
        try Row.fetchAll(db, sql: "SELECT \(columns) FROM decisions ORDER BY id DESC").map(decision)
    }

    /// What was decided without asking, and nobody was told of yet, in its order; from now on they were.
    static func takeUntold(in db: Database) throws -> [ConflictDecision] {
        let untold = try Row.fetchAll(db, sql: "SELECT \(columns) FROM decisions WHERE NOT told ORDER BY id").map(
            decision)
        if !untold.isEmpty { try db.execute(sql: "UPDATE decisions SET told = 1 WHERE NOT told") }
        return untold
    }

    static func markUndone(_ id: Int64, now: Timestamp, in db: Database) throws {
        try db.execute(sql: "UPDATE decisions SET undone_ms = ? WHERE id = ?", arguments: [now.milliseconds, id])
    }

    private static func decision(_ row: Row) throws -> ConflictDecision {
        let (choice, operation, made): (String, String, String?) = (row[3], row[4], row[5])
        let undone: Int64? = row[7]
        return ConflictDecision(
            id: row[0], decidedAt: Timestamp(milliseconds: row[1]), isAutomatic: row[2],
            choice: ConflictDecision.Choice(rawValue: choice) ?? .both, operation: try read(operation),
            made: try made.map(read), path: row[6], undoneAt: undone.map(Timestamp.init(milliseconds:)))
    }

    private static func text(_ operation: JournalOperation) throws -> String {
        try WireCoding.text(of: operation)
    }

    private static func read(_ text: String) throws -> JournalOperation {
        try WireCoding.decode(JournalOperation.self, fromText: text)
    }
}
