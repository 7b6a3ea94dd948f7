import BothyContract

/// A page of what a person was told, newest first.
public struct NotificationPage: Equatable, Sendable {
    public var notifications: [FeedNotification]
    /// How many she has not read, on whatever page.
    public var unread: Int
    /// Where the next page begins; nil on the last. Opaque.
    public var next: String?
    /// Why this is what was known here before; nil where the server has just answered.
    public var unreached: ClientFailure?

    public init(
        notifications: [FeedNotification], unread: Int, next: String?, unreached: ClientFailure? = nil
    ) {
        self.notifications = notifications
        self.unread = unread
        self.next = next
        self.unreached = unreached
    }

    package init(_ response: NotificationsResponse) {
        self.init(
            notifications: response.notifications, unread: response.unread, next: response.paging.next)
    }
}

/// What is new for a person, beyond her files.
public enum FeedNews: String, CaseIterable, Sendable {
    /// Something came into her feed.
    case feed
    /// She was told of something, or has read it elsewhere.
    case notifications
    /// A post that she has open is not as it was: its text, its counts or its comments.
    case post
}

/// What others did that concerns a person.
public protocol NotificationsRepository: Sendable {
    /// - Throws: `offline` for what was not asked for here before.
    func page(after place: String?, limit: Int) async throws -> NotificationPage

    /// - Parameter id: the newest that she has read; what was read stays so.
    /// - Returns: how many she has not read.
    /// - Throws: `offline`.
    @discardableResult
    func read(upTo id: Int64) async throws -> Int

    /// What is new from now on; it ends when nobody can hear of it any more.
    ///
    /// - Parameter post: one that she has open, of which she hears too, as long as its server can be reached.
    func news(of post: Int64?) async throws -> AsyncStream<FeedNews>
}

extension NotificationsRepository {
    public func news() async throws -> AsyncStream<FeedNews> { try await news(of: nil) }
}
