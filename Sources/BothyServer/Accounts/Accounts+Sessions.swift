import BothyContract

extension Accounts {
    /// Signs a device in.
    ///
    /// - Throws: ``Problem`` `wrong_credentials`, the same after the same time whether the account exists or not;
    ///   `too_many_requests`; `account_disabled`, only to someone who knows the password.
    package func login(_ request: LoginRequest, from origin: AccountOrigin) async throws -> SessionResponse {
        let device = try AccountFields.device(request.device)
        let emailKey = EmailAddress.key(of: request.email)
        guard emailKey.utf8.count <= AccountLimits.emailLength.upperBound,
            request.password.utf8.count <= AccountLimits.passwordLength.upperBound
        else { throw Self.wrongCredentials }

        let attempt = try await takeAttempt(emailKey, knownDevice: request.deviceId, origin)
        guard try await hasher.matches(request.password, attempt.account?.password),
            let account = attempt.account, let password = account.password
        else { throw Self.wrongCredentials }
        guard !account.disabled else {
            throw Problem.disabledAccount
        }
        let renewed = hasher.isOutdated(password) ? try await hasher.hash(request.password) : nil
        let deviceId = attempt.knownDevice ?? ground.newDeviceId(ground.clock.now())
        let signedIn = try await database.write(from: .reserve) { connection in
            let accounts = AccountTable(connection)
            // The password may have been changed while it was being checked.
            guard let current = try accounts.row(account.user.id), current.password == password else {
                throw Self.wrongCredentials
            }
            if let renewed { try accounts.setPassword(account.user.id, renewed) }
            try throttle.refund(attempt.ticket, in: connection)
            return try signIn(current.user, deviceId, device, in: connection)
        }
        return try await answer(signedIn)
    }

    /// A new access token, and a successor for the refresh token: see ``RefreshFamily``.
    package func refresh(_ request: RefreshRequest) async throws -> SessionResponse {
        guard let token = RefreshToken(text: request.refreshToken) else { throw Self.refreshRefused }
        let successor = newRefreshToken(userId: token.userId, familyId: token.familyId)
        let outcome = try await database.write(from: .reserve) {
            try useRefreshToken(token, successor: successor, in: $0)
        }
        switch outcome {
        case .refreshed(let signedIn): return try await answer(signedIn)
        case .disabled: throw Problem.disabledAccount
        case .refused: throw Self.refreshRefused
        case .revoked(let deviceId):
            await signedOut(token.userId, [deviceId])
            throw Problem(
                .refreshTokenInvalid,
                "This refresh token was replaced and then used again, so someone else may hold it. The device was signed out: sign in again."
            )
        }
    }

    /// Signs the caller's device out.
    package func logout(_ caller: Caller) async throws {
        try await signOut(deviceId: caller.deviceId, of: caller)
    }

    /// Signs one of the caller's devices out: its tokens and its streams end at once.
    package func signOut(deviceId: String, of caller: Caller) async throws {
        let found = try await database.write(from: .reserve) { connection in
            let devices = DeviceTable(connection)
            guard let row = try devices.row(caller.userId, deviceId), row.session != nil else { return false }
            return try devices.signOut(caller.userId, deviceId)
        }
        guard found else { throw Problem(.notFound, "No device of this account with this id is signed in.") }
        await signedOut(caller.userId, [deviceId])
    }

    /// Signs out every device of the account but the caller's: their tokens and their streams end at once.
    ///
    /// - Returns: how many there were.
    package func signOutOthers(of caller: Caller) async throws -> Int {
        let ended = try await database.write(from: .reserve) {
            try DeviceTable($0).signOutAll(caller.userId, but: caller.deviceId)
        }
        await signedOut(caller.userId, ended)
        return ended.count
    }

    /// - Parameter limit: devices in the page, at least 1.
    package func devices(of caller: Caller, after page: DevicePage?, limit: Int) async throws -> GetDevicesResponse {
        let rows = try await database.read {
            try DeviceTable($0).signedIn(caller.userId, after: page?.after ?? "", limit: limit + 1)
        }
        let next = rows.count > limit ? DevicePage(after: rows[limit - 1].id).text : nil
        return GetDevicesResponse(
            devices: rows.prefix(limit).map { $0.device(current: caller.deviceId) },
            pagination: PaginationMetadata(next: next, limit: limit))
    }

    /// Changes the caller's password, and ends all sessions but the caller's own.
    package func changePassword(_ request: ChangePasswordRequest, of caller: Caller, from origin: AccountOrigin)
        async throws
    {
        try AccountFields.checkedPassword(request.newPassword)
        let (old, ticket) = try await asked(request.currentPassword, of: caller, from: origin)
        let new = try await hasher.hash(request.newPassword)
        let ended = try await database.write(from: .reserve) { connection in
            let accounts = AccountTable(connection)
            guard try accounts.row(caller.userId)?.password == old else { throw Self.wrongCurrentPassword }
            try accounts.setPassword(caller.userId, new)
            try throttle.refund(ticket, in: connection)
            return try DeviceTable(connection).signOutAll(caller.userId, but: caller.deviceId)
        }
        await signedOut(caller.userId, ended)
    }

    /// What the password is kept as, where the caller knows it. A wrong one counts as a guess at the account.
    ///
    /// - Throws: `wrong_credentials`; `too_many_requests`.
    func confirmed(_ password: String, of caller: Caller, from origin: AccountOrigin) async throws -> PasswordHash {
        let (hash, ticket) = try await asked(password, of: caller, from: origin)
        try await database.write(from: .reserve) { try throttle.refund(ticket, in: $0) }
        return hash
    }

    private func asked(
        _ password: String, of caller: Caller, from origin: AccountOrigin
    ) async throws -> (PasswordHash, LoginThrottle.Ticket) {
        guard password.utf8.count <= AccountLimits.passwordLength.upperBound else { throw Self.wrongCurrentPassword }
        let emailKey = try await database.read { try AccountTable($0).row(caller.userId) }
            .map { EmailAddress.key(of: $0.user.email) }
        guard let emailKey else { throw Self.wrongCurrentPassword }
        let attempt = try await takeAttempt(emailKey, knownDevice: caller.deviceId, origin)
        guard let hash = attempt.account?.password, try await hasher.matches(password, hash) else {
            throw Self.wrongCurrentPassword
        }
        return (hash, attempt.ticket)
    }

    /// - Returns: and the version of the parameters that the drive's files are cut by.
    package func about(_ caller: Caller) async throws -> (User, AboutResponse.Quota, blockParameters: Int) {
        try await database.read { connection in
            guard let account = try AccountTable(connection).row(caller.userId),
                let usage = try DriveQuota(connection, drive: caller.driveId).usage(),
                let items = try DriveItems(connection, drive: caller.driveId).usage()
            else { throw Problem(.deviceSignedOut, "This account no longer exists.") }
            let quota = AboutResponse.Quota(
                used: usage.used, limit: usage.quota, items: items.count, itemLimit: items.most)
            return (account.user, quota, try Drives.blockParameters(of: caller.driveId, in: connection))
        }
    }

    // MARK: - Steps

    private struct Attempt: Sendable {
        var account: AccountTable.Row?
        /// The device that asks, if it has signed in to this account before.
        var knownDevice: String?
        var ticket: LoginThrottle.Ticket
    }

    /// Counts an attempt before its password is looked at, in one transaction that a crash cannot take back.
    private func takeAttempt(_ emailKey: String, knownDevice: String?, _ origin: AccountOrigin) async throws -> Attempt
    {
        // Thrown after it: a transaction that fails has all that it shares its commit with run again, and anybody may be throttled.
        let (attempt, wait) = try await database.write(from: .reserve) { connection -> (Attempt?, Int) in
            let account = try AccountTable(connection).row(emailKey: emailKey)
            var known: String?
            if let account, let knownDevice, try DeviceTable(connection).row(account.user.id, knownDevice) != nil {
                known = knownDevice
            }
            let outcome = try throttle.take(
                emailKey: emailKey, network: origin.network, isKnownDevice: known != nil, in: connection)
            switch outcome {
            case .pass(let ticket): return (Attempt(account: account, knownDevice: known, ticket: ticket), 0)
            case .wait(let seconds): return (nil, seconds)
            }
        }
        guard let attempt else { throw Self.tooManyAttempts(wait) }
        return attempt
    }

    private enum RefreshOutcome: Sendable {
        case refreshed(SignIn)
        case disabled
        case refused
        /// The device that was signed out.
        case revoked(String)
    }

    private func useRefreshToken(
        _ token: RefreshToken, successor: RefreshToken, in connection: any SQLConnection
    ) throws -> RefreshOutcome {
        let table = RefreshTable(connection)
        let devices = DeviceTable(connection)
        guard let row = try table.row(token.userId, token.familyId),
            ground.lived - row.usedLived < AccountLimits.refreshTokenLifetime,
            let account = try AccountTable(connection).row(token.userId)
        else { return .refused }
        guard !account.disabled else { return .disabled }
        let secretHash = SecretText.hash(token.secret)
        var family = row.family
        let used = row.tokens.first { $0.secretHash == secretHash }?.generation
        switch family.use(used, holding: row.tokens.map(\.generation)) {
        case .revoke:
            _ = try devices.signOut(token.userId, row.deviceId)
            return .revoked(row.deviceId)
        case .issue(let generation, let forget):
            try table.advance(successor, family: family, generation: generation, forget: forget, lived: ground.lived)
            try devices.seen(token.userId, row.deviceId, now: ground.clock.now())
            guard let device = try devices.row(token.userId, row.deviceId), let session = device.session else {
                return .refused
            }
            return .refreshed(SignIn(user: account.user, device: device, session: session, refreshToken: successor))
        }
    }

    static func tooManyAttempts(_ seconds: Int) -> Problem {
        Problem(.tooManyRequests, "Too many attempts. Try again in \(seconds) s.").with { $0.retryAfter = seconds }
    }

    private static let wrongCredentials = Problem(.wrongCredentials, "The email or the password is wrong.")
    static let wrongCurrentPassword = Problem(.wrongCredentials, "The current password is wrong.")
    private static let refreshRefused = Problem(
        .refreshTokenInvalid, "This refresh token is no longer valid. Sign in again.")
}
