import BothyContract

/// Notifications, hashtags and posts by their words, as the server tells of them.
package struct FeedWordsRemoteSource: Sendable {
    private let network: NetworkDispatcher
    private let retries: RetryPolicy

    package init(network: NetworkDispatcher, retries: RetryPolicy = .interactive) {
        self.network = network
        self.retries = retries
    }

    package func notifications(after place: String?, limit: Int) async throws -> NotificationsResponse {
        try await fetch(["v1", "notifications"], [QueryNames.after: place, QueryNames.limit: String(limit)])
    }

    package func read(upTo id: Int64) async throws -> NotificationsReadResponse {
        let request = NotificationsReadRequest(upTo: id)
        return try await network.send(.json(.PUT, "/v1/notifications/read", request, retries: retries))
            .decoded(as: NotificationsReadResponse.self)
    }

    package func posts(having text: String, after place: String?, limit: Int) async throws -> FeedApiResponse {
        try await fetch(
            ["v1", "posts", "search"],
            [QueryNames.searchText: text, QueryNames.after: place, QueryNames.limit: String(limit)])
    }

    package func posts(tagged tag: String, after place: String?, limit: Int) async throws -> FeedApiResponse {
        try await fetch(
            ["v1", "tags", tag, "posts"], [QueryNames.after: place, QueryNames.limit: String(limit)])
    }

    package func tags(beginningWith prefix: String, limit: Int) async throws -> TagsResponse {
        try await fetch(["v1", "tags"], [QueryNames.prefix: prefix, QueryNames.limit: String(limit)])
    }

    private func fetch<Value: Decodable>(
        _ path: [String], _ query: KeyValuePairs<String, String?>
    ) async throws -> Value {
        try await network.send(WireRequest(.GET, WireRequest.path(path, query), retries: retries))
            .decoded(as: Value.self)
    }
}
