import BothyContract

/// Restores to a moment as the server tells them.
package struct RestoresRemoteSource: Sendable {
    private let network: NetworkDispatcher

    package init(network: NetworkDispatcher) { self.network = network }

    package func submit(_ request: RestoreRequest) async throws -> DriveRestore {
        try await network.fetch(DriveRestore.self, .json(.POST, "/v1/restore", request))
    }

    package func restore(_ id: String) async throws -> DriveRestore {
        try await network.fetch(DriveRestore.self, WireRequest(.GET, WireRequest.path(["v1", "restore", id])))
    }

    package func changes(of id: String, page: String?, limit: Int) async throws -> GetRestoreChangesResponse {
        let target = WireRequest.path(["v1", "restore", id, "changes"], ["page": page, "limit": String(limit)])
        return try await network.fetch(GetRestoreChangesResponse.self, WireRequest(.GET, target))
    }
}
