import BothyContract
import NIOHTTP1

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
    ///
    /// - Parameters:
    ///   - cursor: nil for what happens alone.
    ///   - post: one that somebody has open, to be told of too.
    /// - Throws: `notFound` for a post that cannot be read.
    package func events(after cursor: String?, post: Int64? = nil, into sink: any BodySink) async throws {
        var headers: HTTPHeaders = ["Accept": "text/event-stream"]
        if let cursor { headers.add(name: HeaderNames.lastEventId, value: cursor) }
        let target = WireRequest.path(["v1", "events"], [QueryNames.post: post.map(String.init)])
        _ = try await network.send(
            WireRequest(.GET, target, headers: headers, priority: .background, answerLimit: 1 << 20, retries: .none),
            sink: sink)
    }
}
