import BothyContract

/// Accounts and their sessions: register, sign in, refresh, sign out, change a password.
package struct Accounts: Sendable {
    /// What the service stands on, besides the database.
    package struct Ground: Sendable {
        package var clock: any ServerClock
        /// Milliseconds that the server has run, over all its starts.
        package var livedMilliseconds: @Sendable () -> Int64
        package var random: SecretBytes
        package var userIds: SnowflakeIds
        package var newDeviceId: @Sendable (Timestamp) -> String
        /// Makes the account's drive with its root, in the transaction that makes the account.
        package var createDrive: @Sendable (any SQLConnection, _ userId: Int64, Timestamp) throws -> Void
        /// Told when a device's session has ended, so that its streams end too.
        package var onSignOut: @Sendable (_ userId: Int64, _ deviceId: String) async -> Void

        package init(
            clock: any ServerClock, livedMilliseconds: @escaping @Sendable () -> Int64, random: SecretBytes = .system,
            userIds: SnowflakeIds, newDeviceId: @escaping @Sendable (Timestamp) -> String,
            createDrive: @escaping @Sendable (any SQLConnection, _ userId: Int64, Timestamp) throws -> Void,
            onSignOut: @escaping @Sendable (_ userId: Int64, _ deviceId: String) async -> Void
        ) {
            self.clock = clock
            self.livedMilliseconds = livedMilliseconds
            self.random = random
            self.userIds = userIds
            self.newDeviceId = newDeviceId
            self.createDrive = createDrive
            self.onSignOut = onSignOut
        }

        var lived: Int64 { livedMilliseconds() / 1000 }
    }

    let database: any Database
    let ground: Ground
    let hasher: PasswordHasher
    let tokens: AccessTokens
    let sessions: DeviceSessions
    let throttle: LoginThrottle
    let registration: RegistrationPolicy
    /// Accounts up to which everybody follows everybody.
    let everybodyFollowsUpTo: Int
    /// For the first account from another machine; printed at the start, and new with each.
    package let setupCode: String

    package init(
        database: any Database, ground: Ground, hasher: PasswordHasher, tokens: AccessTokens, sessions: DeviceSessions,
        registration: RegistrationPolicy, everybodyFollowsUpTo: Int = 0
    ) {
        self.database = database
        self.ground = ground
        self.hasher = hasher
        self.tokens = tokens
        self.sessions = sessions
        self.throttle = LoginThrottle(livedMilliseconds: ground.livedMilliseconds)
        self.registration = registration
        self.everybodyFollowsUpTo = everybodyFollowsUpTo
        self.setupCode = SecretText.code(ground.random(16))
    }

    /// Whether nobody has registered yet.
    package func isEmpty() async throws -> Bool {
        try await database.read { try AccountTable($0).isEmpty() }
    }

    /// A device's sign-in, as the transaction that made it left it.
    struct SignIn: Sendable {
        var user: User
        var device: DeviceTable.Row
        var session: Int64
        /// Devices that gave way to it.
        var gone = [String]()
        var refreshToken: RefreshToken
    }

    /// Signs `deviceId` in within a transaction.
    func signIn(_ user: User, _ deviceId: String, _ device: DeviceDescription, in connection: any SQLConnection) throws
        -> SignIn
    {
        let devices = DeviceTable(connection)
        let (session, gone) = try devices.signIn(user.id, deviceId, device, now: ground.clock.now())
        let token = newRefreshToken(userId: user.id, familyId: SecretText.base64URL(ground.random(16)))
        try RefreshTable(connection).begin(token, deviceId: deviceId, lived: ground.lived)
        guard let row = try devices.row(user.id, deviceId) else { preconditionFailure("the device was just written") }
        return SignIn(user: user, device: row, session: session, gone: gone, refreshToken: token)
    }

    /// The answer to a committed sign-in or refresh.
    func answer(_ signIn: SignIn) async throws -> SessionResponse {
        let device = signIn.device
        sessions.forget(userId: signIn.user.id, deviceIds: [device.id])
        await signedOut(signIn.user.id, signIn.gone)
        let access = try await tokens.sign(userId: signIn.user.id, deviceId: device.id, session: signIn.session)
        return SessionResponse(
            accessToken: access, refreshToken: signIn.refreshToken.text, expiresIn: AccountLimits.accessTokenLifetime,
            user: signIn.user, device: device.device(current: device.id))
    }

    func newRefreshToken(userId: Int64, familyId: String) -> RefreshToken {
        RefreshToken(userId: userId, familyId: familyId, secret: SecretText.base64URL(ground.random(32)))
    }

    /// To be called once sign-outs are committed: their tokens and streams end now.
    func signedOut(_ userId: Int64, _ deviceIds: [String]) async {
        sessions.forget(userId: userId, deviceIds: deviceIds)
        for deviceId in deviceIds { await ground.onSignOut(userId, deviceId) }
    }
}
