import BothyContract

/// What time does to accounts: a new signing key each season, and forgetting what nobody can use any more.
package struct AccountUpkeep: Sendable {
    /// Rows that one round takes; there is one each hour.
    private static let batch = 1_000

    private let database: any Database
    private let keys: SigningKeys
    private let tokens: AccessTokens
    private let livedMilliseconds: @Sendable () -> Int64

    package init(
        database: any Database, keys: SigningKeys, tokens: AccessTokens,
        livedMilliseconds: @escaping @Sendable () -> Int64
    ) {
        self.database = database
        self.keys = keys
        self.tokens = tokens
        self.livedMilliseconds = livedMilliseconds
    }

    package func round() async throws {
        let lived = livedMilliseconds() / 1000
        let believed = try await database.write(from: .reserve) { [keys] db in
            try RefreshTable(db).prune(usedBefore: lived - AccountLimits.refreshTokenLifetime, limit: Self.batch)
            try InviteTable(db).prune(lived: lived)
            _ = try keys.rotateIfDue(lived: lived, in: db)
            return try keys.load(lived: lived, in: db)
        }
        await tokens.use(believed)
        try await forgetEmptyBuckets()
    }

    /// All of them: strangers make more in an hour than one batch has.
    private func forgetEmptyBuckets() async throws {
        let throttle = LoginThrottle(livedMilliseconds: livedMilliseconds)
        while try await database.write(from: .reserve, { try throttle.prune(limit: Self.batch, in: $0) }) == Self.batch
        {
            try Task.checkCancellation()
        }
    }
}
