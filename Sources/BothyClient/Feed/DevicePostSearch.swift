import BothyContract

/// Posts by their words and hashtags, as the server finds them; where it cannot be asked, among those that are kept here.
package struct DevicePostSearch: PostSearching {
    private let remote: FeedWordsRemoteSource
    private let store: FeedStore

    init(_ remote: FeedWordsRemoteSource, store: FeedStore) {
        self.remote = remote
        self.store = store
    }

    package func posts(having text: String, after place: String?, limit: Int) async throws -> FeedPage {
        let terms = NameWords.terms(of: text)
        return try await found(after: place) {
            try await remote.posts(having: text, after: place, limit: limit)
        } here: { place in
            try await store.posts(having: terms, after: place, limit: limit)
        }
    }

    package func posts(tagged tag: String, after place: String?, limit: Int) async throws -> FeedPage {
        try await found(after: place) {
            try await remote.posts(tagged: tag, after: place, limit: limit)
        } here: { place in
            guard let folded = PostTag.folded(tag) else { return FeedPage(posts: []) }
            return try await store.posts(tagged: folded, after: place, limit: limit)
        }
    }

    /// What was seen here is taken in, and shown with what was done here.
    private func found(
        after place: String?, there: () async throws -> FeedApiResponse, here: (KeptPlace?) async throws -> FeedPage
    ) async throws -> FeedPage {
        if let kept = place.flatMap(KeptPlace.init) { return try await here(kept) }
        do {
            let page = try await there()
            try await store.put(page.feed)
            return FeedPage(posts: try await store.shown(page.feed), next: page.paging.next)
        } catch let failure as ClientFailure where failure.leavesWhatIsKnown && place == nil {
            var page = try await here(nil)
            // A person who is signed out has nothing here.
            guard failure.code != .signInNeeded || !page.posts.isEmpty else { throw failure }
            page.unreached = failure
            return page
        }
    }

    package func tags(beginningWith prefix: String, limit: Int) async throws -> [Hashtag] {
        try await remote.tags(beginningWith: prefix, limit: limit).tags
    }
}
