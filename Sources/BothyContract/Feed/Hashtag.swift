/// A hashtag, and how much there is of it for the caller.
public struct Hashtag: Codable, Equatable, Sendable {
    /// Without the “#”, as ``PostTag/folded(_:)`` has it.
    public var tag: String
    /// Posts with it that the caller may read.
    public var postCount: Int

    public init(tag: String, postCount: Int) {
        self.tag = tag
        self.postCount = postCount
    }
}

/// `GET /v1/tags`: those of the most posts first.
public struct TagsResponse: Codable, Equatable, Sendable {
    public var tags: [Hashtag]

    public static let defaultLimit = 10
    public static let maximumLimit = 100

    public init(tags: [Hashtag]) { self.tags = tags }
}
