import BothyContract

/// Fetches the newest of the feed with its small pictures before anybody asks for it, so that it is there at once, and without a
/// connection.
struct FeedAhead: Sendable {
    /// Pages that are fetched, of so many posts each.
    private static let (pages, limit) = (2, FeedLimits.defaultPage)

    let posts: DevicePosts
    let store: FeedStore

    /// - Throws: what ends it: no way to the server, a full disk. What one post is missing keeps no other from being fetched.
    func fetch() async throws {
        var place: String?
        for _ in 0..<Self.pages {
            let page = try await posts.feed(after: place, limit: Self.limit)
            if let unreached = page.unreached { throw unreached }
            for post in page.posts { try await fetch(post) }
            guard let next = page.next else { return }
            place = next
        }
    }

    /// A post that goes on, or has pictures, whole.
    private func fetch(_ post: PostPreview) async throws {
        try Task.checkCancellation()
        guard post.isCut || post.attachmentCount > 0 else { return }
        do {
            if try await store.keptDetail(post.postId)?.version != post.version {
                let read = try await posts.post(post.postId)
                if let unreached = read.unreached { throw unreached }
            }
            guard post.attachmentPreviewImageUrl != nil else { return }
            // What is kept here already asks nobody.
            _ = try await posts.media(nil, of: post.postId, .thumbnail)
        } catch let failure as ClientFailure
            where !failure.isNetworks && !failure.isOwnTrouble && failure.code != .diskFull
        {
            // It was deleted a moment ago, or there is no picture of it: opening it says so.
        }
    }
}

extension DeviceHome {
    /// Fetches the newest of the feed ahead, where nothing else is to be done and it costs nobody anything.
    ///
    /// - Returns: false where this is no time for it.
    package func fetchFeedAhead() async throws -> Bool {
        guard try account.signedIn() != nil, try await conditions.hold(on: .byItself) == nil,
            try await replica.countOfAllOpen() == 0,
            try await transfers.list().allSatisfy({ $0.state.rests || $0.state.isStopped }),
            AheadRule.allows(environment.power.reading(), isMetered: await environment.metering.isMetered())
        else { return false }
        try await feedAhead.fetch()
        return true
    }
}
