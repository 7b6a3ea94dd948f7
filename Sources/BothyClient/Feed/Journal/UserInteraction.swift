import BothyContract

/// Something that a person did with a post here and that the server has not done yet, as an app lists it.
///
/// It is a view of the journal: every one is kept in the order in which it was done, also where a later one takes it back, and each leaves the
/// list in the moment in which the server has done it.
public struct UserInteraction: Equatable, Sendable, Identifiable {
    /// Its place in the order: greater is later. It is unique on this device, and never given again.
    public let id: Int64
    /// A Snowflake id.
    public let postId: Int64
    /// The account's Snowflake id.
    public let userId: Int64
    public let action: UserInteractionAction
    public let status: UserInteractionStatus
    public let createdAt: Timestamp
    /// When it was tried last, or when it was done where it was never tried.
    public let updatedAt: Timestamp
    /// Tries that failed. Being without a connection is none.
    public let failureCount: Int

    /// - Parameter userId: who did it.
    /// - Returns: nil for what is no interaction, and for what the server has done.
    package init?(_ operation: FeedOperation, by userId: Int64) {
        guard case .interact(let interaction) = operation.action, let postId = operation.postId,
            let status = UserInteractionStatus(operation)
        else { return nil }
        id = operation.id
        self.postId = postId
        self.userId = userId
        action = UserInteractionAction(interaction)
        self.status = status
        createdAt = operation.createdAt
        updatedAt = operation.updatedAt
        failureCount = operation.attempts
    }
}

/// What was done with a post.
public enum UserInteractionAction: String, Codable, CaseIterable, Sendable {
    case liked = "LIKED"
    /// To the server it is `REMOVED_LIKE`.
    case unliked = "UNLIKED"
    case shared = "SHARED"
    case removedShare = "REMOVED_SHARE"
    case bookmarked = "BOOKMARKED"
    case removedBookmark = "REMOVED_BOOKMARK"

    init(_ interaction: PostInteraction) {
        self =
            switch interaction {
            case .liked: .liked
            case .removedLike: .unliked
            case .shared: .shared
            case .removedShare: .removedShare
            case .bookmarked: .bookmarked
            case .removedBookmark: .removedBookmark
            }
    }
}

/// How far an interaction is.
public enum UserInteractionStatus: String, Codable, CaseIterable, Sendable {
    /// It is to be sent, or is being sent.
    case pending = "PENDING"
    /// A try failed, and it is tried again after a while.
    case failed = "FAILED"
    /// The server has refused it for good: what it showed is taken back.
    case canceled = "CANCELED"

    /// - Returns: nil for what the server has done.
    init?(_ operation: FeedOperation) {
        switch operation.state {
        case .acknowledged: return nil
        case .conflict, .parked: self = .canceled
        case .sending: self = .pending
        case .queued: self = operation.lastError == nil ? .pending : .failed
        }
    }
}

extension DeviceHome {
    /// What the person who is signed in did with posts here and the server has not done yet, in its order. Empty where nobody is signed in.
    ///
    /// - Throws: `ClientFailure` where what waits here cannot be read.
    public func userInteractions() async throws -> [UserInteraction] {
        guard let you = try account.signedIn()?.user.id else { return [] }
        return try await feed.operations().compactMap { UserInteraction($0, by: you) }
    }
}
