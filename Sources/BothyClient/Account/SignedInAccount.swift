import BothyContract

/// The account that this device belongs to.
public struct SignedInAccount: Codable, Equatable, Sendable {
    /// Where it signed in, and where alone its token is ever sent.
    public var server: ServerAddress
    public var user: User
    /// This one.
    public var device: Device

    /// Which account it is, as remembered by what belongs to it.
    package var accountId: String { "\(server)#\(user.id)" }
}
