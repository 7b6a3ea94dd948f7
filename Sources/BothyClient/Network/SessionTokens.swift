import BothyContract

/// The device's tokens: read from its secrets, refreshed once however many ask, in however many processes.
package actor SessionTokens {
    private let secrets: SecretStore
    private let clock: any ClientClock
    private let exchange: @Sendable (ServerAddress, String) async throws -> SessionResponse
    private var session: StoredSession?
    private var refreshing: Task<StoredSession, any Error>?

    /// The part of a token's life after which it is renewed before it is refused: a refusal costs a body sent.
    private static let renewalShare = 0.8

    /// - Parameter exchange: gives a refresh token to the server for a new session.
    package init(
        secrets: SecretStore, clock: any ClientClock,
        exchange: @escaping @Sendable (ServerAddress, String) async throws -> SessionResponse
    ) {
        self.secrets = secrets
        self.clock = clock
        self.exchange = exchange
    }

    /// - Throws: `signInNeeded` when nobody is signed in.
    package func current() async throws -> StoredSession {
        let stored = try loaded()
        return isStale(stored) ? try await refreshed(after: stored) : stored
    }

    /// The same, for callers that ask only whose it is: nothing is asked of the server, also where a token is nearly over.
    package func known() throws -> StoredSession { try loaded() }

    package func signedIn() throws -> StoredSession? {
        session = try secrets.session()
        return session
    }

    package func replace(with session: StoredSession) throws {
        try secrets.save(session)
        self.session = session
    }

    package func forget() throws {
        try secrets.forgetSession()
        session = nil
    }

    /// A session of the same account that is newer than the one whose access token was refused.
    ///
    /// - Throws: `signInNeeded` when nobody is signed in any more, or somebody else: what was asked for one account is
    ///   done in no other.
    package func refreshed(after refused: StoredSession) async throws -> StoredSession {
        if let session, session.accessToken != refused.accessToken { return try Self.checked(session, for: refused) }
        if let refreshing { return try Self.checked(try await refreshing.value, for: refused) }
        // A task of its own: a caller that is cancelled must not take the answer from the others.
        let task = Task { try await refresh(after: refused) }
        refreshing = task
        defer { refreshing = nil }
        return try await task.value
    }

    private static func checked(_ session: StoredSession, for refused: StoredSession) throws -> StoredSession {
        guard session.server == refused.server, session.user.id == refused.user.id else { throw somebodyElse }
        return session
    }

    private func refresh(after refused: StoredSession) async throws -> StoredSession {
        let lock = try await FileLock.take(secrets.refreshLockPath, clock: clock)
        defer { withExtendedLifetime(lock) {} }
        guard let found = try secrets.session() else { throw Self.nobody }
        var stored = try Self.checked(found, for: refused)
        if stored.accessToken != refused.accessToken {
            session = stored
            return stored
        }
        let answer = try await exchange(stored.server, stored.refreshToken)
        stored.accessToken = answer.accessToken
        stored.refreshToken = answer.refreshToken
        stored.expiresIn = answer.expiresIn
        stored.obtainedAt = clock.now()
        stored.user = answer.user
        stored.device = answer.device
        try replace(with: stored)
        return stored
    }

    private func loaded() throws -> StoredSession {
        if let session { return session }
        guard let stored = try secrets.session() else { throw Self.nobody }
        session = stored
        return stored
    }

    /// By the calendar, which may jump: a jump costs one refresh and decides nothing else.
    private func isStale(_ session: StoredSession) -> Bool {
        let age = clock.now().seconds(since: session.obtainedAt)
        return age < -60 || Double(age) > Double(session.expiresIn) * Self.renewalShare
    }

    private static let somebodyElse = ClientFailure(
        .signInNeeded, "Another account was signed in on this device meanwhile.",
        remedy: "Sign in with the account that started this, or start it again.")
    private static let nobody = ClientFailure(
        .signInNeeded, "Nobody is signed in on this device.",
        remedy: "Sign in with “bothy login”, or create an account with “bothy register”.")
}
