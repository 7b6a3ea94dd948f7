import BothyContract

/// `invites`: codes that let one account each in.
package struct InviteTable {
    /// Lived seconds.
    package static let lifetime: Int64 = 14 * 24 * 3600

    private let connection: any SQLConnection

    package init(_ connection: any SQLConnection) { self.connection = connection }

    package func insert(code: String, note: String, now: Timestamp, lived: Int64) throws {
        try connection.execute(
            "INSERT INTO invites (code_hash, note, created_ms, expires_lived) VALUES (?, ?, ?, ?)",
            [Self.hash(code), note.sql, now.sql, (lived + Self.lifetime).sql])
    }

    /// Uses the invite up for `userId`, in the transaction that makes the account.
    ///
    /// - Returns: false for a code that is unknown, used or too old.
    package func use(code: String, by userId: Int64, lived: Int64) throws -> Bool {
        try connection.execute(
            "UPDATE invites SET used_by = ? WHERE code_hash = ? AND used_by IS NULL AND expires_lived > ?",
            [userId.sql, Self.hash(code), lived.sql]) == 1
    }

    /// Whether the code would let someone in now.
    package func holds(code: String, lived: Int64) throws -> Bool {
        try connection.first(
            "SELECT 1 FROM invites WHERE code_hash = ? AND used_by IS NULL AND expires_lived > ?",
            [Self.hash(code), lived.sql]) != nil
    }

    package func prune(lived: Int64) throws {
        try connection.execute("DELETE FROM invites WHERE expires_lived <= ?", [lived.sql])
    }

    private static func hash(_ code: String) -> SQLValue { .bytes(SecretText.hash(SecretText.normalizedCode(code))) }
}
