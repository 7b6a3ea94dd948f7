/// Somebody with an account on this server, as others see her.
public struct Person: Codable, Equatable, Sendable, Identifiable {
    /// A Snowflake id, the account's.
    public var id: Int64
    public var name: String
    /// Whether who asks follows her.
    public var following: Bool
    /// Whether she follows who asks.
    public var followsYou: Bool
    /// Whether she is who asks.
    public var isYou: Bool

    public init(id: Int64, name: String, following: Bool, followsYou: Bool, isYou: Bool) {
        self.id = id
        self.name = name
        self.following = following
        self.followsYou = followsYou
        self.isYou = isYou
    }
}

/// A page of `GET /v1/users`, by name.
public struct GetUsersResponse: Codable, Equatable, Sendable {
    public var users: [Person]
    public var pagination: PaginationMetadata

    public init(users: [Person], pagination: PaginationMetadata) {
        self.users = users
        self.pagination = pagination
    }
}
