import BothyContract
import Foundation
import JWTKit
import Synchronization

/// Signs access tokens, and says whose a token is.
///
/// The algorithm is fixed by the key: a header that says anything but `EdDSA`, another type, or a key that is not ours is
/// refused before any signature is computed, so neither `none` nor a public key used as an HMAC secret gets anywhere.
package final class AccessTokens: Sendable {
    package struct Claims: Hashable, Sendable {
        package var userId: Int64
        package var deviceId: String
        package var session: Int64
        /// Seconds since 1970.
        package var issuedAt: Int64
        package var expiresAt: Int64

        package init(userId: Int64, deviceId: String, session: Int64, issuedAt: Int64, expiresAt: Int64) {
            self.userId = userId
            self.deviceId = deviceId
            self.session = session
            self.issuedAt = issuedAt
            self.expiresAt = expiresAt
        }
    }

    /// Seconds that a token may seem to come from the future, between servers whose clocks differ.
    private static let leeway: Int64 = 60
    private static let longestToken = 2_048

    private struct KeyRing: Sendable {
        var signing: String
        var collection: JWTKeyCollection
        var kids: Set<String>
    }

    private let issuer: String
    private let clock: any ServerClock
    private let ring: Mutex<KeyRing>
    // On the path of every request, and a signature costs as much as the rest of a small one: so checked tokens are kept,
    // behind a lock rather than an actor.
    private let checked = Mutex(TwoGenerationCache<String, Claims>(capacity: 4_096))

    /// - Parameters:
    ///   - issuer: the server's own id.
    ///   - keys: the one that signs first.
    package init(issuer: String, keys: [SigningKeys.Key], clock: any ServerClock) async {
        precondition(!keys.isEmpty, "a server has a key to sign with")
        self.issuer = issuer
        self.clock = clock
        self.ring = Mutex(await Self.makeRing(keys))
    }

    /// Takes over the keys after a rotation. Tokens of keys that are gone stop being believed.
    package func use(_ keys: [SigningKeys.Key]) async {
        let new = await Self.makeRing(keys)
        ring.withLock { $0 = new }
        checked.withLock { $0.removeAll() }
    }

    package func sign(userId: Int64, deviceId: String, session: Int64) async throws -> String {
        let now = clock.now().seconds
        let ring = ring.withLock { $0 }
        var header = JWTHeader()
        header.typ = AccessToken.type
        let token = AccessToken(
            issuer: issuer, userId: userId, deviceId: deviceId, session: session, issuedAt: now,
            expiresAt: now + AccountLimits.accessTokenLifetime)
        return try await ring.collection.sign(token, kid: JWKIdentifier(string: ring.signing), header: header)
    }

    /// - Throws: ``Problem`` `token_invalid` or `token_expired`.
    package func verify(_ text: String) async throws -> Claims {
        if let claims = checked.withLock({ $0[text] }) {
            try checkTimes(claims)
            return claims
        }
        let claims = try await verifySignature(text)
        try checkTimes(claims)
        checked.withLock { $0[text] = claims }
        return claims
    }

    private func verifySignature(_ text: String) async throws -> Claims {
        let ring = ring.withLock { $0 }
        guard text.utf8.count <= Self.longestToken, let kid = Self.acceptableKid(text), ring.kids.contains(kid) else {
            throw Self.invalid
        }
        let token: AccessToken
        do {
            token = try await ring.collection.verify(text, as: AccessToken.self)
        } catch {
            // Which of the many ways in which a token can be wrong is nobody's business but the log's.
            throw Self.invalid
        }
        guard token.issuer == issuer, token.audience == AccessToken.audience, let userId = Int64(token.subject) else {
            throw Self.invalid
        }
        return Claims(
            userId: userId, deviceId: token.deviceId, session: token.session, issuedAt: token.issuedAt,
            expiresAt: token.expiresAt)
    }

    /// A token from the future was signed before the clock was set back; it would live for too long.
    private func checkTimes(_ claims: Claims) throws {
        let now = clock.now().seconds
        guard now < claims.expiresAt, claims.issuedAt <= now + Self.leeway else {
            throw Problem(.tokenExpired, "The access token has expired. Refresh it and ask again.")
        }
    }

    /// The header's key, if everything else in the header is as we write it.
    private static func acceptableKid(_ text: String) -> String? {
        guard let header = try? DefaultJWTParser().parse(Array(text.utf8), as: AccessToken.self).header,
            header.alg == AccessToken.algorithm, header.typ == AccessToken.type, header.crit == nil
        else { return nil }
        return header.kid
    }

    private static let invalid = Problem(
        .tokenInvalid, "The access token is not one of this server's. Sign in again.")

    private static func makeRing(_ keys: [SigningKeys.Key]) async -> KeyRing {
        let collection = JWTKeyCollection()
        for key in keys { await collection.add(eddsa: key.privateKey, kid: JWKIdentifier(string: key.kid)) }
        return KeyRing(signing: keys[0].kid, collection: collection, kids: Set(keys.map(\.kid)))
    }
}
