import BothyClient
import BothyContract
import BothyServer

/// Posts by their words and hashtags, straight from the server's database.
struct HostedPostSearch: PostSearching {
    private let services: ServerServices
    private let caller: Caller

    init(_ services: ServerServices, _ caller: Caller) {
        self.services = services
        self.caller = caller
    }

    func posts(having text: String, after place: String?, limit: Int) async throws -> FeedPage {
        try await page(PostMatch.typed(text), place, limit)
    }

    func posts(tagged tag: String, after place: String?, limit: Int) async throws -> FeedPage {
        try await page(PostTag.folded(tag).map { .tag($0) }, place, limit)
    }

    private func page(_ match: PostMatch?, _ place: String?, _ limit: Int) async throws -> FeedPage {
        // Nothing matches what is no word and no tag.
        guard let match else { return FeedPage(posts: [], next: nil) }
        return try await failing {
            let page = try await services.posts.page(of: .matching(match), after: place, limit: limit, for: caller)
            return FeedPage(posts: page.feed, next: page.paging.next)
        }
    }

    func tags(beginningWith prefix: String, limit: Int) async throws -> [Hashtag] {
        try await failing {
            try await services.hashtags.page(beginningWith: prefix, limit: limit, for: caller).tags
        }
    }
}
