import BothyContract

/// Asks the server what became of the posts that are kept here, so that nobody reads for long what was deleted, or is not for them any more.
struct HeldPosts: Sendable {
    /// Posts of one check that are fetched because they were edited. Those beyond are edited still at the next check.
    private static let mostFetched = 50

    let store: FeedStore
    let remote: PostsRemoteSource
    let media: PostMedia

    /// What the server answers to this keeps nobody from the feed: it is asked again at the next look.
    ///
    /// - Throws: why the server cannot be asked; it is asked at the next look then, too.
    func checkIfDue() async throws {
        guard try await store.isCheckDue() else { return }
        do {
            try await check()
        } catch let failure as ClientFailure where failure.isOfTheAnswer {
            // The check stays due.
        }
    }

    /// One request for every ``FeedLimits/maximumChecked`` posts.
    func check() async throws {
        var (last, changed) = (Int64?.none, [Int64]())
        // Part by part: while nobody answers, no more than the first is read.
        while true {
            let posts = try await store.heldPosts(before: last, limit: FeedLimits.maximumChecked)
            guard let end = posts.last?.postId, let answer = try await remote.check(posts) else { break }
            try await forget(answer.gone)
            changed += answer.changed.map(\.postId)
            last = end
        }
        for post in changed.prefix(Self.mostFetched) { try await fetch(post) }
        try await store.noteCheck(at: store.clock.now())
    }

    private func fetch(_ post: Int64) async throws {
        do {
            try await store.put(edited: try await remote.post(post))
        } catch let failure as ClientFailure where failure.code == .notFound {
            try await forget([post])
        } catch let failure as ClientFailure where failure.isOfTheAnswer {
            // It is of its old version still, and fetched at the next check.
        }
    }

    /// Lets go of posts that are not there for this person any more, with all that is kept of them.
    func forget(_ posts: [Int64]) async throws {
        guard !posts.isEmpty else { return }
        for post in posts { try await forgetMedia(of: post) }
        try await store.forget(posts)
    }

    func forgetMedia(of post: Int64) async throws {
        for attachment in try await store.keptDetail(post)?.attachments ?? [] { media.forget(attachment) }
    }
}

extension ClientFailure {
    /// The server was asked, and its answer is of no use.
    fileprivate var isOfTheAnswer: Bool { status != nil && !leavesWhatIsKnown }
}

extension DeviceHome {
    /// There is a way to the server again: what is kept here of the feed is held against what the server has now.
    package func checkHeldPosts() async throws {
        try await feed.noteCheck(at: nil)
        guard try account.signedIn() != nil, try await conditions.hold(on: .byItself) == nil else { return }
        try await heldPosts.check()
    }
}
