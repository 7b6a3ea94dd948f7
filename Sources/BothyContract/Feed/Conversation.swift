/// People who post to each other and nobody else: a conversation is who is in it.
public struct Conversation: Codable, Equatable, Sendable, Identifiable {
    /// A Snowflake id.
    public var conversationId: Int64
    /// Those in it besides who asks, by name.
    public var people: [AuthorPreview]
    /// Its newest post.
    public var lastPostId: Int64

    public var id: Int64 { conversationId }

    public init(conversationId: Int64, people: [AuthorPreview], lastPostId: Int64) {
        self.conversationId = conversationId
        self.people = people
        self.lastPostId = lastPostId
    }
}

/// A page of `GET /v1/conversations`, the one with the newest post first.
public struct ConversationsResponse: Codable, Equatable, Sendable {
    public var conversations: [Conversation]
    public var paging: PaginationMetadata

    public init(conversations: [Conversation], paging: PaginationMetadata) {
        self.conversations = conversations
        self.paging = paging
    }
}
