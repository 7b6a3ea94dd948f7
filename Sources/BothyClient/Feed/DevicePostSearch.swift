import BothyContract

/// Posts by their words and hashtags on a device: what the server finds, joined with what is here. See ``PostFindings``.
package struct DevicePostSearch: PostSearching {
    private let remote: FeedWordsRemoteSource
    private let store: FeedStore

    init(_ remote: FeedWordsRemoteSource, store: FeedStore) {
        self.remote = remote
        self.store = store
    }

    package func posts(having text: String, after place: String?, limit: Int) async throws -> FeedPage {
        try await found(by: PostMatch.typed(text), after: place, limit: limit) { place in
            try await remote.posts(having: text, after: place, limit: limit)
        }
    }

    package func posts(tagged tag: String, after place: String?, limit: Int) async throws -> FeedPage {
        try await found(by: PostTag.folded(tag).map { .tag($0) }, after: place, limit: limit) { place in
            try await remote.posts(tagged: tag, after: place, limit: limit)
        }
    }

    /// What the server finds is taken in, so that it is found here later.
    private func found(
        by match: PostMatch?, after text: String?, limit: Int, there: (String?) async throws -> FeedApiResponse
    ) async throws -> FeedPage {
        // Nothing matches what is no word and no tag.
        guard let match else { return FeedPage(posts: []) }
        let place = text.flatMap(KeptPlace.init)
        // A list that was begun without the server does not know what the server calls any place in it.
        if let place, place.remote == nil {
            return try await store.findings(of: match, after: place, limit: limit, isAsked: false).page(unreached: nil)
        }
        let settled = try await store.settled()
        do {
            let answer = try await there(place?.remote ?? text)
            try await store.put(answer.feed)
            return try await store.findings(of: match, after: place, limit: limit, isAsked: true)
                .page(answer, settled: settled)
        } catch let failure as ClientFailure where failure.leavesWhatIsKnown && (text == nil || place != nil) {
            let page = try await store.findings(of: match, after: place, limit: limit, isAsked: false)
                .page(unreached: failure)
            // A person who is signed out has nothing here.
            guard failure.code != .signInNeeded || !page.posts.isEmpty || !page.waiting.isEmpty else { throw failure }
            return page
        }
    }

    package func tags(beginningWith prefix: String, limit: Int) async throws -> [Hashtag] {
        try await remote.tags(beginningWith: prefix, limit: limit).tags
    }
}
