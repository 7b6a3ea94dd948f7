/// How far a person has read her feed, on whatever device. `GET /v1/feed/marker`.
public struct FeedMarker: Codable, Equatable, Sendable {
    /// The newest entry that was seen: it only grows. Absent where none was.
    public var readUpTo: Int64?
    /// Where reading stopped last; absent where nothing was said, or all of it is gone.
    public var position: FeedPosition?
    /// When `position` was told.
    public var updatedAt: Timestamp?

    public init(readUpTo: Int64? = nil, position: FeedPosition? = nil, updatedAt: Timestamp? = nil) {
        self.readUpTo = readUpTo
        self.position = position
        self.updatedAt = updatedAt
    }
}

/// A place in a feed.
public struct FeedPosition: Codable, Equatable, Sendable {
    /// The entry at the top of the screen.
    public var entryId: Int64
    /// How much of that entry lies above the top: 0 to 1,000 thousandths of its height.
    public var offset: Int

    public static let offsets = 0...1_000

    public init(entryId: Int64, offset: Int = 0) {
        self.entryId = entryId
        self.offset = offset
    }
}

/// `PUT /v1/feed/marker`: what is absent stays as it is.
public struct UpdateFeedMarkerRequest: Codable, Equatable, Sendable {
    public var readUpTo: Int64?
    public var position: FeedPosition?

    public init(readUpTo: Int64? = nil, position: FeedPosition? = nil) {
        self.readUpTo = readUpTo
        self.position = position
    }
}
