import BothyContract

extension Accounts {
    /// Makes an account with its drive, and signs its first device in.
    package func register(_ request: RegisterRequest, from origin: AccountOrigin) async throws -> SessionResponse {
        let email = try EmailAddress(request.email)
        let displayName = try AccountFields.displayName(request.displayName)
        let device = try AccountFields.device(request.device)
        try AccountFields.checkedPassword(request.password)
        // Asked before the hash is computed, which is dear, and again inside the transaction, which decides.
        _ = try await database.read { try checkMayRegister(request, email, origin, in: $0) }
        try await countRegistration(origin)

        let password = try await hasher.hash(request.password)
        let now = ground.clock.now()
        let user = User(id: ground.userIds.next(), email: email.text, displayName: displayName)
        let deviceId = ground.newDeviceId(now)
        let signedIn = try await database.write { connection in
            let ticket = try checkMayRegister(request, email, origin, in: connection)
            if case .invite(let code) = ticket {
                guard try InviteTable(connection).use(code: code, by: user.id, lived: ground.lived) else {
                    throw Self.inviteRefused
                }
            }
            try AccountTable(connection).insert(user, emailKey: email.key, password: password, now: now)
            try ProfileTable(connection).begin(user.id, name: displayName)
            try greet(user.id, ticket, in: connection)
            try ground.createDrive(connection, user.id, now)
            return try signIn(user, deviceId, device, in: connection)
        }
        return try await answer(signedIn)
    }

    /// A person who joins by an invite and the one who made it follow each other. In a household, everybody does.
    private func greet(_ id: Int64, _ ticket: RegistrationTicket, in connection: any SQLConnection) throws {
        let household = Household(connection)
        try household.join(id, upTo: everybodyFollowsUpTo)
        if case .invite(let code) = ticket, let inviter = try InviteTable(connection).inviter(code: code) {
            try household.follow(id, inviter)
            try household.follow(inviter, id)
        }
    }

    /// Strangers register no faster than they may guess, or they would keep everyone else from signing in.
    private func countRegistration(_ origin: AccountOrigin) async throws {
        if origin.isLocal { return }
        let outcome = try await database.write { try throttle.take(network: origin.network, in: $0) }
        if case .wait(let seconds) = outcome { throw Self.tooManyAttempts(seconds) }
    }

    private func checkMayRegister(
        _ request: RegisterRequest, _ email: EmailAddress, _ origin: AccountOrigin, in connection: any SQLConnection
    ) throws -> RegistrationTicket {
        let accounts = AccountTable(connection)
        let question = RegistrationPolicy.Question(
            isFirst: try accounts.isEmpty(), isLocal: origin.isLocal, setupCode: request.setupCode,
            invite: request.invite)
        let ticket = try registration.admit(question, expectedSetupCode: setupCode)
        if case .invite(let code) = ticket, try !InviteTable(connection).holds(code: code, lived: ground.lived) {
            // A person with one field for both has typed a setup code into it, where there is no account yet.
            throw question.isFirst && request.setupCode == code ? RegistrationPolicy.wrongSetupCode : Self.inviteRefused
        }
        guard try accounts.row(emailKey: email.key) == nil else {
            throw Problem(.emailTaken, "There is already an account for \(email.text).")
        }
        return ticket
    }

    private static var inviteRefused: Problem {
        Problem(.inviteRequired, "This invite is unknown, already used or expired. Ask for a new one.")
    }
}
