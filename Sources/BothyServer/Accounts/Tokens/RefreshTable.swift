import BothyContract

/// `refresh_families` and `refresh_tokens`.
package struct RefreshTable {
    private let connection: any SQLConnection

    package init(_ connection: any SQLConnection) { self.connection = connection }

    package struct Row: Sendable {
        package var deviceId: String
        package var family: RefreshFamily
        package var usedLived: Int64
        /// Generations that hold, with the hashes of their secrets.
        package var tokens: [(generation: Int64, secretHash: [UInt8])]
    }

    /// Begins a family with one token; the device's former families end.
    package func begin(_ token: RefreshToken, deviceId: String, lived: Int64) throws {
        try end(userId: token.userId, deviceId: deviceId)
        let family = RefreshFamily()
        try connection.execute(
            """
            INSERT INTO refresh_families (user_id, family_id, device_id, anchor, latest, used_lived)
                VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                token.userId.sql, token.familyId.sql, deviceId.sql, family.anchor.sql, family.latest.sql, lived.sql,
            ])
        try insert(token, generation: family.latest)
    }

    package func row(_ userId: Int64, _ familyId: String) throws -> Row? {
        let found = try connection.first(
            """
            SELECT device_id, anchor, latest, used_lived FROM refresh_families WHERE user_id = ? AND family_id = ?
            """, [userId.sql, familyId.sql])
        guard let found else { return nil }
        let tokens = try connection.query(
            "SELECT generation, secret_hash FROM refresh_tokens WHERE user_id = ? AND family_id = ?",
            [userId.sql, familyId.sql])
        return Row(
            deviceId: found.string(0), family: RefreshFamily(anchor: found.int64(1), latest: found.int64(2)),
            usedLived: found.int64(3), tokens: tokens.map { ($0.int64(0), $0.bytes(1)) })
    }

    /// Keeps what ``RefreshFamily/use(_:holding:)`` decided: `token` is the new one.
    package func advance(
        _ token: RefreshToken, family: RefreshFamily, generation: Int64, forget: [Int64], lived: Int64
    ) throws {
        let key = [token.userId.sql, token.familyId.sql]
        try connection.execute(
            """
            UPDATE refresh_families SET anchor = ?, latest = ?, used_lived = ? WHERE user_id = ? AND family_id = ?
            """, [family.anchor.sql, family.latest.sql, lived.sql] + key)
        for old in forget {
            try connection.execute(
                "DELETE FROM refresh_tokens WHERE user_id = ? AND family_id = ? AND generation = ?", key + [old.sql])
        }
        try insert(token, generation: generation)
    }

    package func end(userId: Int64, deviceId: String) throws {
        try connection.execute(
            "DELETE FROM refresh_families WHERE user_id = ? AND device_id = ?", [userId.sql, deviceId.sql])
    }

    /// Forgets families that were not used since `lived`. At most `limit` in one go.
    package func prune(usedBefore lived: Int64, limit: Int) throws {
        _ = try connection.executeEach(
            "DELETE FROM refresh_families WHERE user_id = ? AND family_id = ?",
            of: "SELECT user_id, family_id FROM refresh_families WHERE used_lived < ? ORDER BY used_lived LIMIT ?",
            [lived.sql, limit.sql])
    }

    private func insert(_ token: RefreshToken, generation: Int64) throws {
        try connection.execute(
            "INSERT INTO refresh_tokens (user_id, family_id, generation, secret_hash) VALUES (?, ?, ?, ?)",
            [
                token.userId.sql, token.familyId.sql, generation.sql, .bytes(SecretText.hash(token.secret)),
            ])
    }
}
