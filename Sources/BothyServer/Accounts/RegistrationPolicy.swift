import BothyContract

/// Who may make an account.
package enum RegistrationPolicy: String, CaseIterable, Sendable {
    /// Open on this machine; elsewhere the first account needs the setup code, later ones an invite.
    case auto
    /// Everyone.
    case open
    /// Holders of an invite, or of the setup code while there is no account yet.
    case invite
    /// No one, invites included.
    case closed
}

/// What a request to register is let in by.
package enum RegistrationTicket: Hashable, Sendable {
    case nothing
    case invite(code: String)
}

extension RegistrationPolicy {
    static let wrongSetupCode = Problem(
        .setupCodeRequired,
        "This is not the current setup code: the server prints a new one at each start.")

    /// What is asked, pure.
    struct Question: Sendable {
        /// There is no account yet.
        var isFirst: Bool
        /// The request comes from this machine itself, and through no proxy.
        var isLocal: Bool
        var setupCode: String?
        var invite: String?
    }

    /// - Parameter expectedSetupCode: what the server printed.
    /// - Throws: ``Problem`` `registration_closed`, `setup_code_required` or `invite_required`.
    func admit(_ question: Question, expectedSetupCode: String) throws -> RegistrationTicket {
        switch self {
        case .closed:
            throw Problem(.registrationClosed, "Registration is closed on this server.")
        case .open:
            return .nothing
        case .auto where question.isLocal:
            return .nothing
        case .auto, .invite:
            if question.isFirst, let setupCode = question.setupCode {
                let (given, expected) = (
                    SecretText.normalizedCode(setupCode), SecretText.normalizedCode(expectedSetupCode)
                )
                if ConstantTime.equal(given, expected) { return .nothing }
                if question.invite == nil { throw Self.wrongSetupCode }
            }
            if let invite = question.invite { return .invite(code: invite) }
            guard question.isFirst else {
                throw Problem(.inviteRequired, "New accounts on this server need an invite.")
            }
            throw Problem(
                .setupCodeRequired,
                "The first account needs the setup code that the server printed when it started. Read it there, and give it as “setupCode”."
            )
        }
    }
}

enum ConstantTime {
    /// Compares every byte, however early two texts differ.
    static func equal(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
