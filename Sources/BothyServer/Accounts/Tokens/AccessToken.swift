import JWTKit

/// What an access token says (RFC 9068): a JWT of type `at+jwt`, signed with Ed25519.
package struct AccessToken: JWTPayload, Hashable {
    package static let type = "at+jwt"
    package static let algorithm = "EdDSA"
    package static let audience = "bothy"

    /// The server that signed it, by the id that it made for itself.
    package var issuer: String
    package var audience: String
    package var subject: String
    package var deviceId: String
    /// The device's sign-in that the token belongs to.
    package var session: Int64
    /// Seconds since 1970.
    package var issuedAt: Int64
    package var expiresAt: Int64

    enum CodingKeys: String, CodingKey {
        case issuer = "iss"
        case audience = "aud"
        case subject = "sub"
        case deviceId = "dev"
        case session = "ses"
        case issuedAt = "iat"
        case expiresAt = "exp"
    }

    package init(issuer: String, userId: Int64, deviceId: String, session: Int64, issuedAt: Int64, expiresAt: Int64) {
        self.issuer = issuer
        self.audience = Self.audience
        self.subject = String(userId)
        self.deviceId = deviceId
        self.session = session
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }

    /// Claims are checked by ``AccessTokens``, which has the clock.
    package func verify(using algorithm: some JWTAlgorithm) async throws {}
}
