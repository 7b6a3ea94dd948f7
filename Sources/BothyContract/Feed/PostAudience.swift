/// Who may read a post.
public struct PostAudience: Codable, Equatable, Sendable {
    public enum Kind: String, Codable, CaseIterable, Sendable {
        /// Everyone with an account on this server.
        case everyone
        /// Everyone who follows its author at the time of reading.
        case followers
        /// Those who are named, and nobody else.
        case people

        /// A kind of a later release is read as the narrowest: nothing is shown to more people than it was meant for.
        public init(from decoder: any Decoder) throws {
            self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .people
        }
    }

    public var kind: Kind
    /// Those who are named, besides the author; absent for the other kinds.
    public var people: [AuthorPreview]?
    /// The conversation of the author and the people who are named: a Snowflake id; absent for the other kinds.
    public var conversationId: Int64?

    public init(kind: Kind, people: [AuthorPreview]? = nil, conversationId: Int64? = nil) {
        self.kind = kind
        self.people = people
        self.conversationId = conversationId
    }

    public static let everyone = PostAudience(kind: .everyone)
}

/// Who shall read a post, as its author asks.
public struct NewPostAudience: Codable, Equatable, Sendable {
    public var kind: PostAudience.Kind
    /// Ids of 1 to ``FeedLimits/maximumPeople`` accounts; the author needs not be among them. For ``PostAudience/Kind/people`` alone.
    public var people: [Int64]?

    public init(kind: PostAudience.Kind, people: [Int64]? = nil) {
        self.kind = kind
        self.people = people
    }

    private enum CodingKeys: CodingKey { case kind, people }

    /// What is not known is refused, so that nobody posts to others than she thinks.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let asked = try values.decode(String.self, forKey: .kind)
        guard let kind = PostAudience.Kind(rawValue: asked) else {
            throw DecodingError.dataCorruptedError(
                forKey: .kind, in: values, debugDescription: "“\(asked)” is no audience that is known here.")
        }
        self.kind = kind
        people = try values.decodeIfPresent([Int64].self, forKey: .people)
    }
}
