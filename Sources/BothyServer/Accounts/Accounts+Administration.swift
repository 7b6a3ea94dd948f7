import BothyContract

/// What the operator does with accounts.
extension Accounts {
    package struct Overview: Sendable {
        package var user: User
        package var disabled: Bool
        package var used: Int64
        package var quota: Int64?
        /// Devices that are signed in.
        package var devices: Int
    }

    /// Accounts in one page of ``overview(after:)``.
    private static let page = 200
    /// Rows that one transaction of a deletion takes: others wait for no longer than that.
    private static let batch = 1_000

    /// A page in the order in which accounts were made.
    package func overview(after userId: Int64) async throws -> [Overview] {
        try await database.read { connection in
            try AccountTable(connection).rows(after: userId, limit: Self.page).map { row in
                let usage = try DriveQuota(connection, drive: row.user.id).usage()
                let devices = try connection.first(
                    "SELECT count(*) FROM devices WHERE user_id = ? AND session IS NOT NULL", [row.user.id.sql])
                return Overview(
                    user: row.user, disabled: row.disabled, used: usage?.used ?? 0,
                    quota: usage?.quota, devices: devices?.int(0) ?? 0)
            }
        }
    }

    /// - Returns: a code that lets one person in.
    package func invite(note: String) async throws -> String {
        let code = SecretText.code(ground.random(16))
        try await database.write(from: .reserve) { connection in
            let invites = InviteTable(connection)
            try invites.prune(lived: ground.lived)
            try invites.insert(code: code, note: note, now: ground.clock.now(), lived: ground.lived)
        }
        return code
    }

    /// Gives the account a new password, and signs every device out.
    ///
    /// - Returns: the password.
    package func resetPassword(email: String) async throws -> String {
        let user = try await known(email)
        let password = SecretText.code(ground.random(16))
        let hash = try await hasher.hash(password)
        let ended = try await database.write(from: .reserve) { connection in
            try AccountTable(connection).setPassword(user.id, hash)
            return try DeviceTable(connection).signOutAll(user.id)
        }
        await signedOut(user.id, ended)
        return password
    }

    /// A disabled account keeps everything, and nobody gets in.
    package func setDisabled(email: String, _ disabled: Bool) async throws {
        let user = try await known(email)
        let devices = try await database.write(from: .reserve) { connection in
            try PostCounts(connection).following(user.id) {
                try AccountTable(connection).setDisabled(user.id, disabled)
            }
            // What others have not seen meanwhile comes to them.
            if !disabled { try ArrivalTable(connection).again(by: user.id) }
            return try DeviceTable(connection).signedIn(user.id).map(\.id)
        }
        // Sessions stay, and hold again when the account does; what streams now ends.
        if disabled { await signedOut(user.id, devices) } else { sessions.forget(userId: user.id, deviceIds: devices) }
    }

    /// - Parameter bytes: nil for no limit.
    /// - Returns: whose drive it is, and the change that tells of it.
    @discardableResult
    package func setQuota(email: String, _ bytes: Int64?) async throws -> (driveId: Int64, cursor: ChangeCursor) {
        let user = try await known(email)
        let stamp = ChangeStamp(driveId: user.id, deviceId: nil, now: ground.clock.now(), lived: ground.lived)
        let cursor = try await database.write(from: .reserve) { connection in
            try connection.execute("UPDATE drives SET quota_bytes = ? WHERE drive_id = ?", [bytes.sql, user.id.sql])
            return try ChangeLog(connection, drive: user.id).append(.quota, String(user.id), stamp: stamp)
        }
        return (user.id, cursor)
    }

    /// Deletes an account with everything it kept: see ``remove(_:check:)``.
    package func delete(email: String) async throws {
        try await remove(try await known(email).id)
    }

    /// Empties drives whose account is gone.
    package func finishDeletions() async throws {
        let orphans = try await database.read { connection in
            try connection.query(
                """
                SELECT drive_id FROM drives WHERE NOT EXISTS
                    (SELECT 1 FROM accounts WHERE accounts.user_id = drives.owner_id) LIMIT 100
                """
            ).map { $0.int64(0) }
        }
        for drive in orphans { try await emptyDrive(drive) }
    }

    /// Tables of a drive by what leads their rows after the drive's id, those that others refer to last. Blocks stay in the
    /// packs until they are reclaimed, which goes by what the database knows.
    static let driveTables: [(table: String, key: String)] = [
        ("upload_chunks", "upload_id, position"), ("uploads", "upload_id"), ("content_blocks", "content_id, position"),
        ("contents", "content_id"), ("revisions", "revision_id"), ("blocks", "hash"), ("changes", "sequence"),
        ("deletions", "deletion_id"), ("outcomes", "request_id"), ("restore_steps", "restore_id, node_id"),
        ("restores", "restore_id"), ("node_history", "node_id, until_sequence"), ("name_words", "word, node_id"),
        ("names_to_index", "node_id"), ("text_words", "word, batch"), ("texts", "content_id"),
        ("texts_to_index", "content_id"), ("folder_counts", "folder_id, kind"), ("nodes", "node_id"),
    ]

    func emptyDrive(_ driveId: Int64) async throws {
        var isGone = false
        while !isGone {
            for (table, key) in Self.driveTables { try await empty(table, key, of: driveId) }
            // What was under way when the account went may have written behind the one that empties. Without its root nothing more can.
            isGone = try await database.write(from: .reserve) { connection in
                for (table, _) in Self.driveTables {
                    let rest = try connection.first("SELECT 1 FROM \(table) WHERE drive_id = ? LIMIT 1", [driveId.sql])
                    if rest != nil { return false }
                }
                try connection.execute("DELETE FROM drives WHERE drive_id = ?", [driveId.sql])
                return true
            }
        }
    }

    private func empty(_ table: String, _ key: String, of driveId: Int64) async throws {
        let conditions = key.split(separator: ", ").map { "\($0) = ?" }.joined(separator: " AND ")
        var deleted = Self.batch
        while deleted == Self.batch {
            deleted = try await database.write(from: .reserve) { connection in
                try connection.executeEach(
                    "DELETE FROM \(table) WHERE drive_id = ? AND \(conditions)",
                    of: "SELECT drive_id, \(key) FROM \(table) WHERE drive_id = ? LIMIT ?",
                    [driveId.sql, Self.batch.sql])
            }
        }
    }

    private func known(_ email: String) async throws -> User {
        let key = EmailAddress.key(of: email)
        guard let row = try await database.read({ try AccountTable($0).row(emailKey: key) }) else {
            throw ServerFault(
                .missing, "There is no account with the email \(email). “bothy server user list” shows all.")
        }
        return row.user
    }
}
