import BothyContract

/// What is done with a post once more, while the first time waits to be sent.
extension FeedStore {
    /// - Returns: whether it is what was done last of its kind with the post, and waits to be sent.
    package func waits(_ interaction: PostInteraction, on post: Int64) async throws -> Bool {
        let waiting = try await operations().filter { $0.postId == post && [.queued, .sending].contains($0.state) }
        let done = waiting.compactMap { operation -> PostInteraction? in
            guard case .interact(let done) = operation.action else { return nil }
            return done == interaction || done == interaction.opposite ? done : nil
        }
        return done.last == interaction
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
