import BothyContract

/// Posts that wait for their time, as the server has them.
package struct ScheduledPostsRemoteSource: ScheduledPostsRepository {
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
        let request = ReschedulePostRequest(publishAt: time)
        _ = try await network.send(.json(.PATCH, Self.path(id), request, retries: retries))
    }

    package func delete(_ id: Int64) async throws {
        _ = try await network.send(WireRequest(.DELETE, Self.path(id), retries: retries))
    }

    private static let place = ["v1", "posts", "scheduled"]

    private static func path(_ id: Int64) -> String { WireRequest.path(place + [String(id)]) }
}
