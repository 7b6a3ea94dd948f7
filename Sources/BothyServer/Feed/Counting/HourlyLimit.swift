import BothyContract

/// How much one person posts in any hour.
struct HourlyLimit: Sendable {
    static let posts = HourlyLimit(most: FeedLimits.postsAnHour, what: "posts")
    static let comments = HourlyLimit(most: FeedLimits.commentsAnHour, what: "comments")

    private static let hour: Int64 = 3600

    let most: Int
    let what: String

    /// - Parameter made: what was made since then, and when the first of that.
    /// - Throws: `too_many_requests`, with when it may be tried again.
    func require(at now: Timestamp, _ made: (Timestamp) throws -> (count: Int, first: Timestamp?)) throws {
        let (count, first) = try made(now.adding(seconds: -Self.hour))
        guard count >= most else { return }
        let wait = max(1, Int((first ?? now).seconds + Self.hour - now.seconds + 1))
        throw Problem(
            .tooManyRequests,
            "The limit is \(most) \(what) per hour. Try again in \((wait + 59) / 60) min."
        ).with { $0.retryAfter = wait }
    }
}
