/// `POST /v1/invites`.
public struct InviteRequest: Codable, Equatable, Sendable {
    /// Whom it is for, for the server's operator; 0 to 200 bytes.
    public var note: String?

    public init(note: String? = nil) { self.note = note }
}

/// An invite that was made.
public struct InviteResponse: Codable, Equatable, Sendable {
    /// Lets one person register, once. It is told this once.
    public var invite: String
    /// Seconds of time that the server lives.
    public var expiresIn: Int64

    public init(invite: String, expiresIn: Int64) {
        self.invite = invite
        self.expiresIn = expiresIn
    }
}
