import BothyContract

/// The drive's change log as the server tells it.
package struct ChangesRemoteSource: Sendable {
    private let network: NetworkDispatcher

    package init(network: NetworkDispatcher) { self.network = network }

    package func cursor(retries: RetryPolicy = .interactive) async throws -> String {
        try await network.fetch(CursorResponse.self, WireRequest(.GET, "/v1/changes/cursor", retries: retries)).cursor
    }

    /// One page of what the drive remembers of deletions, the oldest first.
    package func deletions(since: Timestamp?, page: String?, limit: Int?) async throws -> GetDeletionsResponse {
        let target = WireRequest.path(
            ["v1", "changes", "deletions"],
            [QueryNames.since: since?.rfc3339, QueryNames.page: page, QueryNames.limit: limit.map(String.init)])
        return try await network.fetch(GetDeletionsResponse.self, WireRequest(.GET, target, retries: .none))
    }

    /// - Parameter cursor: nil for everything there is.
    package func page(after cursor: String?, limit: Int?) async throws -> GetChangesResponse {
        let target = WireRequest.path(
            ["v1", "changes"], [QueryNames.cursor: cursor, QueryNames.limit: limit.map(String.init)])
        return try await network.fetch(GetChangesResponse.self, WireRequest(.GET, target, retries: .none))
    }

    /// Answers when something is new, or after `seconds`.
    package func wait(after cursor: String, seconds: Int) async throws -> WaitResponse {
        let target = WireRequest.path(
            ["v1", "changes", "wait"], [QueryNames.cursor: cursor, QueryNames.timeoutSeconds: String(seconds)])
        return try await network.fetch(
            WaitResponse.self, WireRequest(.GET, target, priority: .background, retries: .none))
    }

    /// Reads the event stream into `sink` until it ends: what came after `cursor` first, then what happens.
    package func events(after cursor: String, into sink: any BodySink) async throws {
        _ = try await network.send(
            WireRequest(
                .GET, "/v1/events", headers: ["Accept": "text/event-stream", HeaderNames.lastEventId: cursor],
                priority: .background, answerLimit: 1 << 20, retries: .none),
            sink: sink)
    }
}
