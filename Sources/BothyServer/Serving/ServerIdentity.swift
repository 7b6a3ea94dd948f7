/// Who this server is, made at its first start and kept in `server_state`: what its tokens and ids carry.
struct ServerIdentity: Sendable {
    /// The `iss` of access tokens.
    let issuer: String
    /// The node of its Snowflake ids, 0 to 1023.
    let node: Int

    static func load(_ database: any Database, random: SecretBytes) async throws -> ServerIdentity {
        let newIssuer = SecretText.base64URL(random(12))
        let bytes = random(2)
        let newNode = (Int(bytes[0]) << 8 | Int(bytes[1])) % 1024
        return try await database.write { connection in
            let issuer = try value("issuer", orElse: newIssuer, connection)
            let node = try value("node", orElse: String(newNode), connection)
            guard let node = Int(node), (0..<1024).contains(node) else {
                throw DatabaseError.corrupt("server_state: node is “\(node)”, not a number below 1024")
            }
            return ServerIdentity(issuer: issuer, node: node)
        }
    }

    /// - Returns: nil before its first start.
    static func issuer(_ connection: any SQLConnection) throws -> String? {
        try connection.first("SELECT value FROM server_state WHERE key = ?", ["issuer".sql])?.string(0)
    }

    private static func value(_ key: String, orElse new: String, _ connection: any SQLConnection) throws -> String {
        try connection.execute(
            "INSERT INTO server_state (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING", [key.sql, new.sql])
        return try connection.first("SELECT value FROM server_state WHERE key = ?", [key.sql])?.string(0) ?? new
    }
}
