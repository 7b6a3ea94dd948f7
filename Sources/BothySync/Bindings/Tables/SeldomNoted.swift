import GRDB

/// Which of the tables that nearly always hold nothing of a folder hold something: the others need not be asked about each of its files.
struct SeldomNoted {
    /// What a person decided about single items, and has not been acted on.
    let hasChoices: Bool
    /// Files of which the decision of a conflict was taken back.
    var hasReopened: Bool
    /// What was taken away and counts for a guard.
    var hasLosses: Bool

    init(_ binding: String, in db: Database) throws {
        func holds(_ table: String) throws -> Bool {
            try Bool.fetchOne(
                db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE binding_id = ?)"),
                arguments: [binding]) ?? false
        }
        hasChoices = try holds("sync_choices")
        hasReopened = try holds("sync_reopened")
        hasLosses = try holds("sync_losses")
    }
}
