import BothyContract
import NIOHTTP1

/// Posts and feeds as the server tells of them.
package struct PostsRemoteSource: Sendable {
    private let network: NetworkDispatcher
    private let retries: RetryPolicy

    package init(network: NetworkDispatcher, retries: RetryPolicy = .interactive) {
        self.network = network
        self.retries = retries
    }

    package func feed(after place: String?, limit: Int) async throws -> FeedApiResponse {
        try await page(["v1", "feed"], place, limit)
    }

    /// The oldest posts that are newer than an entry, the newest first. `next` is the entry that the page above begins at.
    ///
    /// - Throws: `refused` where the server is of a time before it could be asked this.
    package func feed(above entry: Int64, limit: Int) async throws -> FeedApiResponse {
        let page: FeedApiResponse = try await fetch(
            ["v1", "feed"], [QueryNames.above: String(entry), QueryNames.limit: String(limit)])
        // An older server does not know the parameter, and answers with the newest page.
        let isAnswered = page.paging.next.map { Int64($0) != nil } ?? true
        guard isAnswered, page.feed.allSatisfy({ $0.entryId > entry }) else {
            throw ClientFailure(
                .refused, "This server is too old to load newer posts from here.",
                remedy: "Load the older posts from above, or have the server updated.")
        }
        return page
    }

    package func arrivals(since arrival: String?) async throws -> FeedArrivalsResponse {
        try await fetch(["v1", "feed", "arrivals"], [QueryNames.since: arrival])
    }

    package func posts(of person: Int64, after place: String?, limit: Int) async throws -> FeedApiResponse {
        try await page(["v1", "users", String(person), "posts"], place, limit)
    }

    package func bookmarks(after place: String?, limit: Int) async throws -> FeedApiResponse {
        try await page(["v1", "feed", "bookmarks"], place, limit)
    }

    private func page(_ path: [String], _ place: String?, _ limit: Int) async throws -> FeedApiResponse {
        try await fetch(path, [QueryNames.after: place, QueryNames.limit: String(limit)])
    }

    package func post(_ id: Int64) async throws -> PostDetail {
        let answer: PostDetailApiResponse = try await fetch(["v1", "posts", String(id)])
        return answer.post
    }

    package func edit(_ id: Int64, _ request: EditPostRequest) async throws -> PostDetail {
        let target = WireRequest.path(["v1", "posts", String(id)])
        return try await send(.json(.PATCH, target, request, retries: retries))
            .decoded(as: PostDetailApiResponse.self).post
    }

    /// - Returns: nil where the server is of a time before it could be asked this.
    package func check(_ posts: [PostAtVersion]) async throws -> PostCheckResponse? {
        let request = try WireRequest.json(.POST, "/v1/posts/check", PostCheckRequest(posts: posts), retries: retries)
        do {
            return try await send(request).decoded(as: PostCheckResponse.self)
        } catch let failure as ClientFailure where failure.problem?.code == .methodNotAllowed {
            return nil
        }
    }

    package func history(of id: Int64) async throws -> [PostVersion] {
        let answer: PostHistoryResponse = try await fetch(["v1", "posts", String(id), "history"])
        return answer.versions
    }

    package func comments(on post: Int64, after place: String?, limit: Int) async throws -> CommentsApiResponse {
        try await fetch(
            ["v1", "posts", String(post), "comments"],
            [QueryNames.after: place, QueryNames.limit: String(limit)])
    }

    /// Does at the server what was done here.
    package func perform(_ operation: FeedOperation) async throws -> FeedAnswer {
        if case .publish(var request) = operation.action {
            request.requestId = operation.requestId
            if operation.postedDraft == nil { (request.draftId, request.draftVersion) = (nil, nil) }
            let answer = try await send(.json(.POST, "/v1/posts", request, retries: retries))
            let place = answer.headers.first(name: "Location")?.split(separator: "/") ?? []
            // One that waits for its time is no post yet.
            guard !place.contains("scheduled") else { return FeedAnswer(isScheduled: true) }
            return FeedAnswer(post: place.last.flatMap { Int64($0) })
        }
        if case .follow(let isFollowing) = operation.action {
            let person = String(try Self.known(operation.subjectId))
            let target = WireRequest.path(["v1", "users", person, "follow"])
            let answer = try await send(WireRequest(isFollowing ? .PUT : .DELETE, target, retries: retries))
            return FeedAnswer(isAsked: answer.status == 202)
        }
        let post = String(try Self.known(operation.postId))
        switch operation.action {
        case .publish, .follow: break
        case .delete: try await delete(["v1", "posts", post], operation)
        case .comment(var request):
            request.requestId = operation.requestId
            let target = WireRequest.path(["v1", "posts", post, "comments"])
            let answer = try await send(.json(.POST, target, request, retries: retries))
            return FeedAnswer(comment: try answer.decoded(as: Comment.self))
        case .deleteComment:
            let comment = String(try Self.known(operation.subjectId))
            try await delete(["v1", "posts", post, "comments", comment], operation)
        case .interact(let interaction):
            let target = WireRequest.path(["v1", "posts", post, "interactions"])
            let request = PostInteractionRequest(requestId: operation.requestId, type: interaction)
            try await send(.json(.POST, target, request, retries: retries))
        }
        return FeedAnswer()
    }

    private static func known(_ id: Int64?) throws(ClientFailure) -> Int64 {
        guard let id else {
            throw ClientFailure(
                .notFound, "This depends on a post that was never sent.", remedy: "Discard it: “bothy journal discard”."
            )
        }
        return id
    }

    private func delete(_ path: [String], _ operation: FeedOperation) async throws {
        let headers: HTTPHeaders = [HeaderNames.idempotencyKey: operation.requestId]
        try await send(WireRequest(.DELETE, WireRequest.path(path), headers: headers, retries: retries))
    }

    // MARK: - Asking

    private func fetch<Value: Decodable>(
        _ path: [String], _ query: KeyValuePairs<String, String?> = [:]
    ) async throws -> Value {
        try await send(WireRequest(.GET, WireRequest.path(path, query), retries: retries)).decoded(as: Value.self)
    }

    @discardableResult
    private func send(_ request: WireRequest) async throws -> WireResponse {
        do {
            return try await network.send(request)
        } catch let failure as ClientFailure where failure.code == .notFound {
            // The usual advice is about folders.
            throw failure.with { $0.remedy = "Check the feed and the list of people again." }
        }
    }
}
