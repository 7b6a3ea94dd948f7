import BothyContract

/// Posts by their words and hashtags, as the server finds them.
package struct DevicePostSearch: PostSearching {
    private let remote: FeedWordsRemoteSource
    /// Takes in what was seen here, and shows it with what was done here.
    private let shown: @Sendable ([PostPreview]) async throws -> [PostPreview]

    init(
        _ remote: FeedWordsRemoteSource, shown: @escaping @Sendable ([PostPreview]) async throws -> [PostPreview]
    ) {
        self.remote = remote
        self.shown = shown
    }

    package func posts(having text: String, after place: String?, limit: Int) async throws -> FeedPage {
        try await page(await remote.posts(having: text, after: place, limit: limit))
    }

    package func posts(tagged tag: String, after place: String?, limit: Int) async throws -> FeedPage {
        try await page(await remote.posts(tagged: tag, after: place, limit: limit))
    }

    private func page(_ page: FeedApiResponse) async throws -> FeedPage {
        FeedPage(posts: try await shown(page.feed), next: page.paging.next)
    }

    package func tags(beginningWith prefix: String, limit: Int) async throws -> [Hashtag] {
        try await remote.tags(beginningWith: prefix, limit: limit).tags
    }
}
