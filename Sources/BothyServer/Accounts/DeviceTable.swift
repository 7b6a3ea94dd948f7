import BothyContract

/// `devices`.
package struct DeviceTable {
    private let connection: any SQLConnection

    package init(_ connection: any SQLConnection) { self.connection = connection }

    package struct Row: Sendable {
        package var id: String
        package var name: String
        package var platform: String
        /// The sign-in that is valid now; nil when the device is signed out.
        package var session: Int64?
        package var createdAt: Timestamp
        package var lastSeenAt: Timestamp

        package func device(current: String) -> Device {
            Device(
                id: id, name: name, platform: platform, createdAt: createdAt, lastSeenAt: lastSeenAt,
                current: id == current)
        }
    }

    /// Devices of one account, those signed out included; the one unseen for longest gives way.
    package static let mostDevices = 256

    private static let columns = "device_id, name, platform, session, created_ms, seen_ms"

    package func row(_ userId: Int64, _ deviceId: String) throws -> Row? {
        try connection.first(
            "SELECT \(Self.columns) FROM devices WHERE user_id = ? AND device_id = ?", [userId.sql, deviceId.sql]
        ).map(Self.read)
    }

    /// Those that are signed in, in the order of their ids.
    package func signedIn(_ userId: Int64, after deviceId: String = "", limit: Int = mostDevices) throws -> [Row] {
        try connection.query(
            """
            SELECT \(Self.columns) FROM devices WHERE user_id = ? AND session IS NOT NULL AND device_id > ?
                ORDER BY device_id LIMIT ?
            """, [userId.sql, deviceId.sql, limit.sql]
        ).map(Self.read)
    }

    /// Signs a device in, as a new one or again, and makes room for it.
    ///
    /// - Returns: the number of this sign-in, and the devices that gave way to it.
    func signIn(
        _ userId: Int64, _ deviceId: String, _ description: DeviceDescription, now: Timestamp
    ) throws -> (session: Int64, gone: [String]) {
        try connection.execute(
            """
            INSERT INTO devices (user_id, device_id, name, platform, sign_ins, session, created_ms, seen_ms)
                VALUES (?, ?, ?, ?, 1, 1, ?, ?)
                ON CONFLICT (user_id, device_id) DO UPDATE SET name = excluded.name, platform = excluded.platform,
                    sign_ins = devices.sign_ins + 1, session = devices.sign_ins + 1, seen_ms = excluded.seen_ms
            """,
            [
                userId.sql, deviceId.sql, description.name.sql, description.platform.sql, now.sql, now.sql,
            ])
        let gone = try connection.query(
            """
            SELECT device_id FROM devices
                WHERE user_id = ? ORDER BY CASE WHEN device_id = ? THEN 0 WHEN session IS NOT NULL THEN 1 ELSE 2 END,
                    seen_ms DESC, device_id LIMIT 1000 OFFSET ?
            """, [userId.sql, deviceId.sql, Self.mostDevices.sql]
        ).map { $0.string(0) }
        for id in gone {
            try connection.execute("DELETE FROM devices WHERE user_id = ? AND device_id = ?", [userId.sql, id.sql])
        }
        let row = try connection.first(
            "SELECT sign_ins FROM devices WHERE user_id = ? AND device_id = ?", [userId.sql, deviceId.sql])
        guard let row else { preconditionFailure("the device was just written") }
        return (row.int64(0), gone)
    }

    package func seen(_ userId: Int64, _ deviceId: String, now: Timestamp) throws {
        try connection.execute(
            "UPDATE devices SET seen_ms = ? WHERE user_id = ? AND device_id = ?", [now.sql, userId.sql, deviceId.sql])
    }

    /// Ends the device's session and its refresh tokens.
    ///
    /// - Returns: whether it was signed in.
    package func signOut(_ userId: Int64, _ deviceId: String) throws -> Bool {
        try RefreshTable(connection).end(userId: userId, deviceId: deviceId)
        return try connection.execute(
            "UPDATE devices SET session = NULL WHERE user_id = ? AND device_id = ? AND session IS NOT NULL",
            [userId.sql, deviceId.sql]) > 0
    }

    /// Signs out every device of an account but `kept`.
    ///
    /// - Returns: those that were signed in.
    package func signOutAll(_ userId: Int64, but kept: String? = nil) throws -> [String] {
        let others = try signedIn(userId).map(\.id).filter { $0 != kept }
        for other in others { _ = try signOut(userId, other) }
        return others
    }

    private static func read(_ row: SQLRow) -> Row {
        Row(
            id: row.string(0), name: row.string(1), platform: row.string(2), session: row.optional(3, SQLRow.int64),
            createdAt: row.timestamp(4), lastSeenAt: row.timestamp(5))
    }
}
