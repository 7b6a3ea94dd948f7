/// `GET /v1/feed/arrivals`: how many posts came into the caller's feed, and none of them.
public struct FeedArrivalsResponse: Codable, Equatable, Sendable {
    /// Posts that came since; ``FeedLimits/mostArrivals`` at most. 0 where `since` was not given.
    public var count: Int
    /// Whether more came than were counted.
    public var hasMore: Bool
    /// For `since` of a later request: all that has come into the caller's feed by now.
    public var arrival: String

    public init(count: Int, hasMore: Bool, arrival: String) {
        self.count = count
        self.hasMore = hasMore
        self.arrival = arrival
    }
}
