import BothyContract
import Foundation
import HTTPTypes
import Hummingbird

/// `/v1/posts/search` and `/v1/tags`.
package struct PostSearchRoutes: APIRoutes {
    private let posts: Posts
    private let hashtags: Hashtags

    package init(posts: Posts, hashtags: Hashtags) {
        self.posts = posts
        self.hashtags = hashtags
    }

    package func add(to group: RouterGroup<APIContext>) {
        group.get("v1/posts/search", use: search)
        group.get("v1/tags", use: tags)
        group.get("v1/tags/{tag}/posts", use: tagged)
    }

    @Sendable private func search(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        guard let text = request.query(QueryNames.searchText),
            (1...SearchResponse.maximumQueryBytes).contains(text.utf8.count)
        else {
            throw Problem(
                .invalidParameter,
                "“q” should be words to search for, at most \(SearchResponse.maximumQueryBytes) bytes.")
        }
        return try await page(PostMatch.typed(text), request, caller)
    }

    @Sendable private func tagged(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        // What is no tag has no posts.
        let tag = context.parameters.get("tag")?.removingPercentEncoding.flatMap { PostTag.folded($0) }
        return try await page(tag.map { .tag($0) }, request, caller)
    }

    /// - Parameter match: nil for what nothing matches.
    private func page(_ match: PostMatch?, _ request: Request, _ caller: Caller) async throws -> Response {
        let limit = try request.number(QueryNames.limit, in: 1...FeedLimits.maximumPage) ?? FeedLimits.defaultPage
        guard let match else {
            return try .json(FeedApiResponse(feed: [], paging: PaginationMetadata(next: nil, limit: limit)))
        }
        return try .json(
            await posts.page(of: .matching(match), after: request.query(QueryNames.after), limit: limit, for: caller))
    }

    @Sendable private func tags(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let limit =
            try request.number(QueryNames.limit, in: 1...TagsResponse.maximumLimit) ?? TagsResponse.defaultLimit
        return try .json(
            await hashtags.page(
                beginningWith: request.query(QueryNames.prefix) ?? "", limit: limit, for: caller))
    }
}
