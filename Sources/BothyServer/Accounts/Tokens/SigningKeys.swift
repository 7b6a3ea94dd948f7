import BothyContract
import Crypto
import JWTKit

/// The Ed25519 keys of `signing_keys`: the newest signs, the others are believed while their tokens may live.
package struct SigningKeys: Sendable {
    package struct Key: Sendable {
        package var kid: String
        package var privateKey: EdDSA.PrivateKey
        package var createdLived: Int64

        package init(kid: String, privateKey: EdDSA.PrivateKey, createdLived: Int64) {
            self.kid = kid
            self.privateKey = privateKey
            self.createdLived = createdLived
        }
    }

    /// Lived seconds that a key signs.
    package static let signingPeriod: Int64 = 90 * 24 * 3600
    /// Lived seconds that a retired key is believed: longer than its last token lives.
    package static let grace: Int64 = AccountLimits.accessTokenLifetime + 300

    private let random: SecretBytes

    package init(random: SecretBytes = .system) { self.random = random }

    /// The keys that are believed, the one that signs first; the first key is made here.
    package func load(lived: Int64, in connection: any SQLConnection) throws -> [Key] {
        let keys = try read(connection, lived: lived)
        if !keys.isEmpty { return keys }
        try rotate(lived: lived, in: connection)
        return try read(connection, lived: lived)
    }

    /// Makes a new key the one that signs. Nobody is signed out.
    package func rotate(lived: Int64, in connection: any SQLConnection) throws {
        try connection.execute("DELETE FROM signing_keys WHERE retired_lived < ?", [(lived - Self.grace).sql])
        try connection.execute("UPDATE signing_keys SET retired_lived = ? WHERE retired_lived IS NULL", [lived.sql])
        let key = try Curve25519.Signing.PrivateKey(rawRepresentation: random(32))
        try connection.execute(
            "INSERT INTO signing_keys (kid, private_key, created_lived) VALUES (?, ?, ?)",
            [
                SecretText.base64URL(random(9)).sql, .bytes(Array(key.rawRepresentation)), lived.sql,
            ])
    }

    /// - Returns: whether the key that signed until now had signed for long enough.
    package func rotateIfDue(lived: Int64, in connection: any SQLConnection) throws -> Bool {
        guard let newest = try read(connection, lived: lived).first, lived - newest.createdLived >= Self.signingPeriod
        else {
            return false
        }
        try rotate(lived: lived, in: connection)
        return true
    }

    private func read(_ connection: any SQLConnection, lived: Int64) throws -> [Key] {
        try connection.query(
            """
            SELECT kid, private_key, created_lived FROM signing_keys
                WHERE retired_lived IS NULL OR retired_lived >= ?
                ORDER BY CASE WHEN retired_lived IS NULL THEN 0 ELSE 1 END, retired_lived DESC
            """, [(lived - Self.grace).sql]
        ).map { row in
            let key = try Curve25519.Signing.PrivateKey(rawRepresentation: row.bytes(1))
            return Key(kid: row.string(0), privateKey: EdDSA.PrivateKey(backing: key), createdLived: row.int64(2))
        }
    }
}
