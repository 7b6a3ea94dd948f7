import BothyContract

/// What is done with a post once more, while the first time waits to be sent.
extension FeedStore {
    /// - Returns: what waits to be sent and is what was done last of its kind with the post; nil where there is none.
    package func waiting(_ interaction: PostInteraction, on post: Int64) async throws -> FeedOperation? {
        let last = try await operations().last { operation in
            guard operation.postId == post, [.queued, .sending].contains(operation.state) else { return false }
            return [.interact(interaction), .interact(interaction.opposite)].contains(operation.action)
        }
        return last?.action == .interact(interaction) ? last : nil
    }
}

extension PostInteraction {
    /// What takes it back.
    fileprivate var opposite: PostInteraction {
        switch self {
        case .liked: .removedLike
        case .removedLike: .liked
        case .shared: .removedShare
        case .removedShare: .shared
        case .bookmarked: .removedBookmark
        case .removedBookmark: .bookmarked
        }
    }
}
