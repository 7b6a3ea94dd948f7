import BothyContract

/// The drive's change log as the server tells it.
package struct ChangesRemoteSource: Sendable {
    private let network: NetworkDispatcher

    package init(network: NetworkDispatcher) { self.network = network }

    package func cursor() async throws -> String {
        try await network.fetch(CursorResponse.self, WireRequest(.GET, "/v1/changes/cursor")).cursor
    }

    /// - Parameter cursor: nil for everything there is.
    package func page(after cursor: String?, limit: Int?) async throws -> GetChangesResponse {
        let target = WireRequest.path(["v1", "changes"], ["cursor": cursor, "limit": limit.map(String.init)])
        return try await network.fetch(GetChangesResponse.self, WireRequest(.GET, target, retries: .none))
    }

    /// Answers when something is new, or after `seconds`.
    package func wait(after cursor: String, seconds: Int) async throws -> WaitResponse {
        let target = WireRequest.path(
            ["v1", "changes", "wait"], ["cursor": cursor, "timeoutSeconds": String(seconds)])
        return try await network.fetch(
            WaitResponse.self, WireRequest(.GET, target, priority: .background, retries: .none))
    }
}
