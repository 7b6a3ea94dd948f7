/// Who this server is, made at its first start and kept in `server_state`: what its tokens and ids carry.
struct ServerIdentity: Sendable {
    private static let issuerKey = "issuer"

    /// The `iss` of access tokens.
    let issuer: String
    /// The node of its Snowflake ids, 0 to 127.
    let node: Int

    static func load(_ database: any Database, random: SecretBytes) async throws -> ServerIdentity {
        let newIssuer = SecretText.base64URL(random(12))
        let bytes = random(2)
        let newNode = (Int(bytes[0]) << 8 | Int(bytes[1])) % 1024
        return try await database.write(from: .reserve) { connection in
            let state = ServerStateTable(connection)
            let issuer = try state.keepFirst(issuerKey, newIssuer)
            let node = try state.keepFirst("node", String(newNode))
            guard let node = Int(node), (0..<1024).contains(node) else {
                throw DatabaseError.corrupt("server_state: node is “\(node)”, not a number below 1024")
            }
            // Earlier releases had nodes of 10 bits.
            return ServerIdentity(issuer: issuer, node: node % 128)
        }
    }

    /// - Returns: nil before its first start.
    static func issuer(_ connection: any SQLConnection) throws -> String? {
        try ServerStateTable(connection).value(issuerKey)
    }
}
