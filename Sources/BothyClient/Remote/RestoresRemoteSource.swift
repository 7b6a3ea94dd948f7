import BothyContract

/// Restores to a moment as the server tells them.
package struct RestoresRemoteSource: Sendable {
    private let network: NetworkDispatcher
    private let retries: RetryPolicy

    package init(network: NetworkDispatcher, retries: RetryPolicy = .interactive) {
        self.network = network
        self.retries = retries
    }

    package func submit(_ request: RestoreRequest) async throws -> DriveRestore {
        try await network.fetch(DriveRestore.self, .json(.POST, "/v1/restore", request, retries: retries))
    }

    package func restore(_ id: String) async throws -> DriveRestore {
        try await network.fetch(
            DriveRestore.self, WireRequest(.GET, WireRequest.path(["v1", "restore", id]), retries: retries))
    }

    package func changes(of id: String, page: String?, limit: Int) async throws -> GetRestoreChangesResponse {
        let target = WireRequest.path(
            ["v1", "restore", id, "changes"], [QueryNames.page: page, QueryNames.limit: String(limit)])
        return try await network.fetch(GetRestoreChangesResponse.self, WireRequest(.GET, target, retries: retries))
    }
}
