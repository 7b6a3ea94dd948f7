/// Somebody with an account on this server, as others see her. Nobody sees another's email.
public struct Person: Codable, Equatable, Sendable, Identifiable {
    /// A Snowflake id, the account's.
    public var id: Int64
    public var name: String
    /// Her own, without an `@`: see ``Handle``.
    public var handle: String
    /// What she says of herself, plain text; absent where that is nothing.
    public var bio: String?
    /// A path on the server, fetched with the token: another one once she has another picture.
    public var profileImageThumbnailUrl: String?
    /// Whether who asks follows her.
    public var following: Bool
    /// Whether she follows who asks.
    public var followsYou: Bool
    /// Whether she is who asks.
    public var isYou: Bool
    /// True where who asks has asked to follow her, and she has not answered; absent otherwise.
    public var requested: Bool?
    /// True where she lets followers in one by one; absent otherwise.
    public var approvesFollowers: Bool?
    /// True where who asks keeps what she posts out of the feed; absent otherwise.
    public var muted: Bool?
    /// True where who asks has blocked her; absent otherwise.
    public var blocked: Bool?
    /// Absent where people are listed.
    public var counts: Counts?

    /// How many there are of what is hers.
    public struct Counts: Codable, Equatable, Sendable {
        public var posts: Int
        public var followers: Int
        public var following: Int

        public init(posts: Int, followers: Int, following: Int) {
            self.posts = posts
            self.followers = followers
            self.following = following
        }
    }

    public init(
        id: Int64, name: String, handle: String, bio: String? = nil, following: Bool, followsYou: Bool, isYou: Bool,
        counts: Counts? = nil
    ) {
        self.id = id
        self.name = name
        self.handle = handle
        self.bio = bio
        self.profileImageThumbnailUrl = Self.picture(of: id)
        self.following = following
        self.followsYou = followsYou
        self.isYou = isYou
        self.counts = counts
    }

    /// The path of a person's picture on her server.
    ///
    /// - Parameter version: another one for each picture that she chooses; nil where she has none, and initials are drawn.
    public static func picture(of id: Int64, version: Int64? = nil) -> String {
        "/v1/users/\(id)/picture" + (version.map { "?\(pictureVersion)=\($0)" } ?? "")
    }

    /// The version of the picture that a path is of; nil where it is of initials.
    public static func version(ofPictureAt path: String?) -> Int64? {
        guard let path, let mark = path.firstRange(of: "?\(pictureVersion)=") else { return nil }
        return Int64(path[mark.upperBound...])
    }

    /// The parameter that tells one picture from another.
    public static let pictureVersion = "v"
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

/// `PATCH /v1/users/me`: what changes; the rest stays. The answer is the ``Person``.
public struct ProfileUpdate: Codable, Equatable, Sendable {
    /// 1 to 100 bytes without control characters.
    public var name: String?
    /// A ``Handle`` that is not reserved and that nobody else has.
    public var handle: String?
    /// 0 to ``PersonLimits/bioLength`` characters of plain text.
    public var bio: String?
    /// Whether followers are asked for one by one. Who follows already stays.
    public var approvesFollowers: Bool?
    /// The `downloadUrl` of a picture of one's own drive; empty for none. It stays as it is, whatever becomes of the file.
    public var picture: String?

    public init(
        name: String? = nil, handle: String? = nil, bio: String? = nil, approvesFollowers: Bool? = nil,
        picture: String? = nil
    ) {
        self.name = name
        self.handle = handle
        self.bio = bio
        self.approvesFollowers = approvesFollowers
        self.picture = picture
    }
}

/// Some of the people of a server, by what they are to the caller: `relation` of `GET /v1/users`.
public enum PersonRelation: String, Codable, CaseIterable, Sendable {
    /// Whom she follows.
    case following
    /// Who follows her.
    case followers
    /// Who has asked to follow her.
    case requests
    /// Whose posts she keeps out of her feed.
    case muted
    /// Whom she has blocked.
    case blocked
    /// Whom she does not follow, those first whom most of the people follow whom she follows. They come in one page.
    case suggested
}

/// `POST /v1/posts/{postId}/report`.
public struct ReportRequest: Codable, Equatable, Sendable {
    /// 1 to ``PersonLimits/reasonLength`` characters of plain text.
    public var reason: String

    public init(reason: String) { self.reason = reason }
}

/// The bounds of what people say of themselves.
public enum PersonLimits {
    /// Unicode scalars.
    public static let bioLength = 500
    /// Unicode scalars of a report's reason.
    public static let reasonLength = 500
    /// People of a page of ``PersonRelation/suggested``.
    public static let suggestions = 20
}
