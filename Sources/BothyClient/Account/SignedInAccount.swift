import BothyContract

/// The account that this device belongs to.
public struct SignedInAccount: Codable, Equatable, Sendable {
    public var server: ServerAddress
    public var user: User
    public var device: Device
}
