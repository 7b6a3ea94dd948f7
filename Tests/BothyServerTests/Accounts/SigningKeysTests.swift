import BothyContract
import Testing

@testable import BothyServer

@Suite struct SigningKeysTests {
    @Test func aRetiredKeyIsBelievedForAsLongAsItsTokensLive() async throws {
        let folder = try TemporaryFolder()
        let database = try await SQLiteDatabase.open(path: folder.file("bothy.sqlite"))
        let keys = SigningKeys()
        func believed(at lived: Int64) async throws -> [String] {
            try await database.write { try keys.load(lived: lived, in: $0).map(\.kid) }
        }
        let first = try await believed(at: 0)
        let retired = SigningKeys.signingPeriod
        #expect(try await database.write { try keys.rotateIfDue(lived: retired, in: $0) })
        let both = try await believed(at: retired + SigningKeys.grace)
        #expect(both.count == 2 && both.last == first.first)
        #expect(try await believed(at: retired + SigningKeys.grace + 1) == [both[0]])
        try await database.close()
    }

    /// Whoever has stolen an old key signs nothing with it any more.
    @Test func whatAnExpiredKeySignsIsRefused() async throws {
        try await AccountServer.with { server in
            let services = server.services
            let claims = try await services.tokens.verify(try await server.register().accessToken)
            let lived = services.lived.now()
            let (issuer, keys) = try await services.database.write { db in
                (try ServerIdentity.issuer(db) ?? "", try services.signingKeys.load(lived: lived, in: db))
            }
            let thief = await AccessTokens(issuer: issuer, keys: keys, clock: server.clock)
            func code() async throws -> ProblemCode? {
                let token = try await thief.sign(
                    userId: claims.userId, deviceId: claims.deviceId, session: claims.session)
                return try await problemCode { _ = try await services.tokens.verify(token) }
            }
            let upkeep = AccountUpkeep(
                database: services.database, keys: services.signingKeys, tokens: services.tokens,
                livedMilliseconds: { services.lived.milliseconds() })
            server.clock.advance(seconds: SigningKeys.signingPeriod)
            try await upkeep.round()
            #expect(try await code() == nil)
            server.clock.advance(seconds: SigningKeys.grace + 1)
            try await upkeep.round()
            #expect(try await code() == .tokenInvalid)
        }
    }
}
