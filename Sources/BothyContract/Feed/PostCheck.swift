/// A post at one of its versions. On the wire it is a pair of numbers: its id and its version.
public struct PostAtVersion: Codable, Equatable, Sendable {
    /// A Snowflake id.
    public var postId: Int64
    /// See ``PostDetail/version``.
    public var version: Int

    public init(postId: Int64, version: Int) {
        self.postId = postId
        self.version = version
    }

    public init(from decoder: any Decoder) throws {
        var pair = try decoder.unkeyedContainer()
        postId = try pair.decode(Int64.self)
        version = try pair.decode(Int.self)
        guard pair.isAtEnd else {
            throw DecodingError.dataCorruptedError(
                in: pair, debugDescription: "A post and its version are two numbers.")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var pair = encoder.unkeyedContainer()
        try pair.encode(postId)
        try pair.encode(version)
    }
}

/// `POST /v1/posts/check`: what became of posts that a client holds.
public struct PostCheckRequest: Codable, Equatable, Sendable {
    /// 1 to ``FeedLimits/maximumChecked``.
    public var posts: [PostAtVersion]

    public init(posts: [PostAtVersion]) { self.posts = posts }
}

/// The answer to it, in the order of the request. What is in neither list is as the client holds it.
public struct PostCheckResponse: Codable, Equatable, Sendable {
    /// Posts that are at another version, with that version.
    public var changed: [PostAtVersion]
    /// Posts that were deleted, or that the caller may no longer read.
    public var gone: [Int64]

    public init(changed: [PostAtVersion], gone: [Int64]) {
        self.changed = changed
        self.gone = gone
    }
}
