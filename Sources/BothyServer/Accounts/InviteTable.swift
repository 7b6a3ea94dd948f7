import BothyContract

/// `invites`: codes that let one account each in.
package struct InviteTable {
    /// Lived seconds.
    package static let lifetime: Int64 = 14 * 24 * 3600

    private let connection: any SQLConnection

    package init(_ connection: any SQLConnection) { self.connection = connection }

    /// - Parameter inviter: the account that makes it; nil for the server's operator.
    package func insert(code: String, note: String, by inviter: Int64? = nil, now: Timestamp, lived: Int64) throws {
        try connection.execute(
            "INSERT INTO invites (code_hash, note, inviter_id, created_ms, expires_lived) VALUES (?, ?, ?, ?, ?)",
            [Self.hash(code), note.sql, inviter.sql, now.sql, (lived + Self.lifetime).sql])
    }

    /// Who made it; nil for the server's operator, and for an account that is gone.
    package func inviter(code: String) throws -> Int64? {
        try connection.first(
            "SELECT a.user_id FROM invites i JOIN accounts a ON a.user_id = i.inviter_id WHERE i.code_hash = ?",
            [Self.hash(code)])?.int64(0)
    }

    /// Those that still let somebody in.
    package func open(by inviter: Int64, lived: Int64) throws -> Int {
        try connection.first(
            "SELECT count(*) FROM invites WHERE inviter_id = ? AND used_by IS NULL AND expires_lived > ?",
            [inviter.sql, lived.sql])?.int(0) ?? 0
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
