import BothyContract

/// `accounts`.
package struct AccountTable {
    private let connection: any SQLConnection

    package init(_ connection: any SQLConnection) { self.connection = connection }

    package struct Row: Sendable {
        package var user: User
        package var password: PasswordHash?
        package var disabled: Bool
        package var createdAt: Timestamp
    }

    private static let columns = "user_id, email, display_name, password, disabled, created_ms"

    package func isEmpty() throws -> Bool { try connection.first("SELECT 1 FROM accounts LIMIT 1") == nil }

    package func row(_ userId: Int64) throws -> Row? {
        try connection.first("SELECT \(Self.columns) FROM accounts WHERE user_id = ?", [userId.sql]).map(Self.read)
    }

    package func row(emailKey: String) throws -> Row? {
        try connection.first("SELECT \(Self.columns) FROM accounts WHERE email_key = ?", [emailKey.sql]).map(Self.read)
    }

    /// - Throws: `account_disabled` where the drive is of an account that is disabled; `not_found` where it is of none any more.
    package func requireEnabledOwner(ofDrive driveId: Int64) throws {
        let owner = try connection.first(
            "SELECT a.disabled FROM drives d JOIN accounts a ON a.user_id = d.owner_id WHERE d.drive_id = ?",
            [driveId.sql])
        guard let owner else { throw Problem(.notFound, "There is no content here.") }
        if owner.bool(0) { throw Problem.disabledAccount }
    }

    /// A page in the order in which accounts were made.
    package func rows(after userId: Int64, limit: Int) throws -> [Row] {
        try connection.query(
            "SELECT \(Self.columns) FROM accounts WHERE user_id > ? ORDER BY user_id LIMIT ?", [userId.sql, limit.sql]
        ).map(Self.read)
    }

    /// - Throws: ``DatabaseError/uniqueViolation(_:)`` where the email or the id is in use.
    package func insert(_ user: User, emailKey: String, password: PasswordHash, now: Timestamp) throws {
        try connection.execute(
            """
            INSERT INTO accounts (user_id, email, email_key, display_name, password, created_ms)
                VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                user.id.sql, user.email.sql, emailKey.sql, user.displayName.sql, password.text.sql, now.sql,
            ])
    }

    package func setPassword(_ userId: Int64, _ password: PasswordHash) throws {
        try connection.execute(
            "UPDATE accounts SET password = ? WHERE user_id = ?", [password.text.sql, userId.sql])
    }

    package func setDisabled(_ userId: Int64, _ disabled: Bool) throws {
        try connection.execute(
            "UPDATE accounts SET disabled = ? WHERE user_id = ?", [disabled.sql, userId.sql])
    }

    package func delete(_ userId: Int64) throws {
        try connection.execute("DELETE FROM accounts WHERE user_id = ?", [userId.sql])
    }

    private static func read(_ row: SQLRow) -> Row {
        Row(
            user: User(id: row.int64(0), email: row.string(1), displayName: row.string(2)),
            password: PasswordHash(text: row.string(3)), disabled: row.bool(4), createdAt: row.timestamp(5))
    }
}

extension Problem {
    /// What everything of a disabled account is answered with.
    static var disabledAccount: Problem {
        Problem(.accountDisabled, "This account is disabled.")
    }
}
