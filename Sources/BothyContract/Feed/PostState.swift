/// What became of a post, as who asks sees it: the answer to an interaction.
public struct PostState: Codable, Equatable, Sendable {
    public var postId: Int64
    /// See ``PostDetail/version``.
    public var version: Int
    /// Whether who asks likes it.
    public var liked: Bool
    /// Whether who asks has marked it to find it again.
    public var bookmarked: Bool
    /// Whether who asks has shared it.
    public var shared: Bool
    public var likeCount: Int
    public var shareCount: Int
    public var commentCount: Int

    public init(
        postId: Int64, version: Int, liked: Bool, bookmarked: Bool, shared: Bool, likeCount: Int, shareCount: Int,
        commentCount: Int
    ) {
        self.postId = postId
        self.version = version
        self.liked = liked
        self.bookmarked = bookmarked
        self.shared = shared
        self.likeCount = likeCount
        self.shareCount = shareCount
        self.commentCount = commentCount
    }
}

/// `POST /v1/interactions`: many interactions, which are done in their order, each for itself.
public struct InteractionsRequest: Codable, Equatable, Sendable {
    /// 1 to ``FeedLimits/maximumInteractions``.
    public var interactions: [InteractionWithPost]

    public init(interactions: [InteractionWithPost]) { self.interactions = interactions }
}

/// One of many interactions.
public struct InteractionWithPost: Codable, Equatable, Sendable {
    /// See ``PostInteractionRequest/requestId``.
    public var requestId: String?
    public var postId: Int64
    public var type: PostInteraction

    public init(requestId: String?, postId: Int64, type: PostInteraction) {
        self.requestId = requestId
        self.postId = postId
        self.type = type
    }

    private enum CodingKeys: CodingKey { case requestId, postId, type }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        requestId = try values.requestId(forKey: .requestId)
        postId = try values.decode(Int64.self, forKey: .postId)
        type = try values.decode(PostInteraction.self, forKey: .type)
    }
}

/// What became of many interactions, in their order.
public struct InteractionsResponse: Codable, Equatable, Sendable {
    public var outcomes: [InteractionOutcome]

    public init(outcomes: [InteractionOutcome]) { self.outcomes = outcomes }
}

/// What became of one of many: a state or a problem.
public struct InteractionOutcome: Codable, Equatable, Sendable {
    /// As it was sent; a number as its digits.
    public var requestId: String?
    public var postId: Int64
    public var state: PostState?
    public var problem: Problem?

    public init(requestId: String?, postId: Int64, state: PostState? = nil, problem: Problem? = nil) {
        self.requestId = requestId
        self.postId = postId
        self.state = state
        self.problem = problem
    }
}
