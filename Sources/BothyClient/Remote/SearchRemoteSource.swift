import BothyContract

/// What the server finds, in names and in texts.
package struct SearchRemoteSource: Sendable {
    private let network: NetworkDispatcher
    private let retries: RetryPolicy

    package init(network: NetworkDispatcher, retries: RetryPolicy = .interactive) {
        self.network = network
        self.retries = retries
    }

    /// - Parameters:
    ///   - text: 1 to `SearchResponse.maximumQueryBytes` bytes.
    ///   - limit: 1 to `SearchResponse.maximumLimit`.
    package func find(_ text: String, limit: Int) async throws -> SearchResponse {
        let target = WireRequest.path(
            ["v1", "search"], [QueryNames.searchText: text, QueryNames.limit: String(limit)])
        return try await network.fetch(SearchResponse.self, WireRequest(.GET, target, retries: retries))
    }
}
