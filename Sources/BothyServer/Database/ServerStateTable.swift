/// `server_state`: what a server knows of itself, a text for each key.
package struct ServerStateTable {
    private let connection: any SQLConnection

    package init(_ connection: any SQLConnection) { self.connection = connection }

    package func value(_ key: String) throws -> String? {
        try connection.first("SELECT value FROM server_state WHERE key = ?", [key.sql])?.string(0)
    }

    package func set(_ key: String, _ value: String) throws {
        try connection.execute(
            "INSERT INTO server_state (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            [key.sql, value.sql])
    }

    /// Sets what is made once and holds for good: where two make it, the first one's stays.
    ///
    /// - Returns: what stands there now.
    package func keepFirst(_ key: String, _ value: String) throws -> String {
        try connection.execute(
            "INSERT INTO server_state (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING", [key.sql, value.sql])
        return try self.value(key) ?? value
    }
}
