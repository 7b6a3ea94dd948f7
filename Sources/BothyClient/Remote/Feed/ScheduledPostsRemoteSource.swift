import BothyContract

/// Posts that wait for their time, as the server has them.
package struct ScheduledPostsRemoteSource: Sendable {
    private let network: NetworkDispatcher
    private let retries: RetryPolicy

    package init(network: NetworkDispatcher, retries: RetryPolicy = .interactive) {
        self.network = network
        self.retries = retries
    }

    package func all() async throws -> [ScheduledPost] {
        try await network.fetch(
            ScheduledPostsResponse.self, WireRequest(.GET, WireRequest.path(Self.place), retries: retries)
        ).posts
    }

    package func move(_ id: Int64, to time: Timestamp) async throws {
        try await send(.json(.PATCH, Self.path(id), ReschedulePostRequest(publishAt: time), retries: retries))
    }

    package func delete(_ id: Int64) async throws {
        try await send(WireRequest(.DELETE, Self.path(id), retries: retries))
    }

    private func send(_ request: WireRequest) async throws {
        do {
            _ = try await network.send(request)
        } catch let failure as ClientFailure where failure.code == .notFound {
            // The usual advice is about folders.
            throw failure.with { $0.remedy = "“bothy feed scheduled” lists your scheduled posts." }
        }
    }

    private static let place = ["v1", "posts", "scheduled"]

    private static func path(_ id: Int64) -> String { WireRequest.path(place + [String(id)]) }
}
