import BothyContract

/// What members do to let others in.
extension Accounts {
    /// Invites of one account that are open at once.
    private static let mostInvites = 20
    /// Bytes of UTF-8.
    private static let longestNote = 200
    /// Seconds until one more may be asked for.
    private static let nextInvite = 3_600

    /// A code that lets one person in, once, within 14 days that the server lives. She and the caller follow each other.
    ///
    /// - Throws: `registration_closed`; `invalid_parameter` for a note that is too long; `too_many_requests`.
    package func invite(note: String, by caller: Caller) async throws -> InviteResponse {
        guard registration != .closed else {
            throw Problem(.registrationClosed, "Registration is closed on this server.")
        }
        guard note.utf8.count <= Self.longestNote else {
            throw Problem(.invalidParameter, "“note” has at most \(Self.longestNote) bytes.")
        }
        let code = SecretText.code(ground.random(16))
        let isMade = try await database.write { connection in
            let invites = InviteTable(connection)
            try invites.prune(lived: ground.lived)
            guard try invites.open(by: caller.userId, lived: ground.lived) < Self.mostInvites else { return false }
            try invites.insert(
                code: code, note: note, by: caller.userId, now: ground.clock.now(), lived: ground.lived)
            return true
        }
        guard isMade else {
            throw Problem(
                .tooManyRequests, "\(Self.mostInvites) of your invites are open. Each ends after 14 days."
            ).with { $0.retryAfter = Self.nextInvite }
        }
        return InviteResponse(invite: code, expiresIn: InviteTable.lifetime)
    }
}
