import BothyContract
import BothyServer
import Crypto
import Foundation
import JWTKit
import Testing

/// Tokens that are not ours, in the ways that have worked elsewhere.
@Suite struct AccessTokensTests {
    private let clock = TestClock()
    private let key = SigningKeys.Key(kid: "one", privateKey: .init(backing: .init()), createdLived: 0)

    private func tokens(_ keys: [SigningKeys.Key]? = nil) async -> AccessTokens {
        await AccessTokens(issuer: "server", keys: keys ?? [key], clock: clock)
    }

    /// A token with everything right, but for what `change` does to it.
    private func forged(
        by signer: SigningKeys.Key? = nil, header: (inout JWTHeader) -> Void = { _ in },
        claims: (inout AccessToken) -> Void = { _ in }
    ) async throws -> String {
        let signer = signer ?? key
        let now = clock.now().seconds
        var token = AccessToken(
            issuer: "server", userId: 1, deviceId: "d", session: 1, issuedAt: now, expiresAt: now + 900)
        claims(&token)
        var head = JWTHeader()
        head.typ = AccessToken.type
        head.kid = signer.kid
        header(&head)
        let collection = JWTKeyCollection()
        await collection.add(eddsa: signer.privateKey)
        return try await collection.sign(token, header: head)
    }

    private func code(of token: String, _ tokens: AccessTokens? = nil) async throws -> ProblemCode? {
        let checker: AccessTokens
        if let tokens { checker = tokens } else { checker = await self.tokens() }
        return try await problemCode { _ = try await checker.verify(token) }
    }

    @Test func whatItSignedSaysWhoseItIs() async throws {
        let tokens = await tokens()
        let claims = try await tokens.verify(try await tokens.sign(userId: 7, deviceId: "laptop", session: 3))
        #expect(claims.userId == 7 && claims.deviceId == "laptop" && claims.session == 3)
        #expect(claims.expiresAt - claims.issuedAt == AccountLimits.accessTokenLifetime)
    }

    @Test func theForgerysMakeIsRightWhereNothingIsWrong() async throws {
        #expect(try await code(of: try await forged()) == nil)
    }

    @Test func anotherKeyUnderOurNameDoesNotPass() async throws {
        let theirs = SigningKeys.Key(kid: "one", privateKey: .init(backing: .init()), createdLived: 0)
        #expect(try await code(of: try await forged(by: theirs)) == .tokenInvalid)
    }

    @Test func anUnknownKeyAndNoKeyDoNotPass() async throws {
        #expect(try await code(of: try await forged(header: { $0.kid = "nobody" })) == .tokenInvalid)
        #expect(try await code(of: try await forged(header: { $0.kid = nil })) == .tokenInvalid)
    }

    @Test(arguments: ["none", "None", "NONE", "HS256", "ES256", "RS256", ""])
    func anotherAlgorithmDoesNotPass(_ algorithm: String) async throws {
        #expect(try await code(of: try await forged(header: { $0.alg = algorithm })) == .tokenInvalid)
        let unsigned = try await forged(header: { $0.alg = algorithm }).split(separator: ".").prefix(2)
        #expect(try await code(of: unsigned.joined(separator: ".") + ".") == .tokenInvalid)
    }

    @Test func aPublicKeyIsNoSharedSecret() async throws {
        var header = JWTHeader()
        header.typ = AccessToken.type
        header.kid = key.kid
        let now = clock.now().seconds
        let token = AccessToken(
            issuer: "server", userId: 1, deviceId: "d", session: 1, issuedAt: now, expiresAt: now + 900)
        for secret in [
            key.privateKey.publicKey.rawRepresentation, Data(key.privateKey.publicKey.pemRepresentation.utf8),
        ] {
            let collection = JWTKeyCollection()
            await collection.add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
            #expect(try await code(of: try await collection.sign(token, header: header)) == .tokenInvalid)
        }
    }

    @Test func anotherIssuerAudienceAndTypeDoNotPass() async throws {
        #expect(try await code(of: try await forged(claims: { $0.issuer = "another" })) == .tokenInvalid)
        #expect(try await code(of: try await forged(claims: { $0.audience = "another" })) == .tokenInvalid)
        #expect(try await code(of: try await forged(claims: { $0.subject = "root" })) == .tokenInvalid)
        #expect(try await code(of: try await forged(header: { $0.typ = "JWT" })) == .tokenInvalid)
        #expect(try await code(of: try await forged(header: { $0.crit = ["b64"] })) == .tokenInvalid)
    }

    @Test func itEndsWithItsTime() async throws {
        let tokens = await tokens()
        let token = try await tokens.sign(userId: 1, deviceId: "d", session: 1)
        clock.advance(seconds: AccountLimits.accessTokenLifetime - 1)
        #expect(try await code(of: token, tokens) == nil)
        clock.advance(seconds: 1)
        #expect(try await code(of: token, tokens) == .tokenExpired, "also when it was checked before")
    }

    @Test func aClockThatWasSetBackMakesNoTokenLiveLonger() async throws {
        let tokens = await tokens()
        let token = try await tokens.sign(userId: 1, deviceId: "d", session: 1)
        clock.jump(seconds: -365 * 24 * 3600)
        #expect(try await code(of: token, tokens) == .tokenExpired)
    }

    @Test func aRotationSignsNobodyOut() async throws {
        let tokens = await tokens()
        let old = try await tokens.sign(userId: 1, deviceId: "d", session: 1)
        let newer = SigningKeys.Key(kid: "two", privateKey: .init(backing: .init()), createdLived: 1)
        await tokens.use([newer, key])
        #expect(try await code(of: old, tokens) == nil)
        let new = try await tokens.sign(userId: 1, deviceId: "d", session: 1)
        await tokens.use([newer])
        #expect(try await code(of: new, tokens) == nil)
        #expect(try await code(of: old, tokens) == .tokenInvalid, "its key is gone")
    }

    @Test(arguments: ["", ".", "..", "...", "a.b.c", String(repeating: "a", count: 100_000), "e30.e30.e30", "💾.💾.💾"])
    func nonsenseDoesNotPass(_ text: String) async throws {
        #expect(try await code(of: text) == .tokenInvalid)
    }

    @Test func everyFlippedByteIsNoticed() async throws {
        let tokens = await tokens()
        let token = try await tokens.sign(userId: 1, deviceId: "d", session: 1)
        let bytes = Array(token.utf8)
        // The last character of a part of base 64 may carry bits that count for nothing.
        for index in bytes.indices.dropLast() where bytes[index] != UInt8(ascii: ".") {
            var changed = bytes
            changed[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let text = String(decoding: changed, as: UTF8.self)
            #expect(try await code(of: text, tokens) == .tokenInvalid, "byte \(index)")
        }
    }
}
