import BothyContract

/// A file's revisions as the server tells them.
package struct RevisionsRemoteSource: Sendable {
    private let network: NetworkDispatcher

    package init(network: NetworkDispatcher) { self.network = network }

    package func page(of fileId: String, page: String?, limit: Int?) async throws -> GetRevisionsResponse {
        let target = WireRequest.path(
            ["v1", "files", fileId, "revisions"], ["page": page, "limit": limit.map(String.init)])
        return try await network.fetch(GetRevisionsResponse.self, WireRequest(.GET, target))
    }

    package func revision(
        _ revisionId: String, of fileId: String, priority: TrafficPriority = .interactive
    ) async throws -> FileRevision {
        let target = WireRequest.path(["v1", "files", fileId, "revisions", revisionId])
        return try await network.fetch(FileRevision.self, WireRequest(.GET, target, priority: priority))
    }

    package func restore(_ revisionId: String, of fileId: String, requestId: String) async throws
        -> RestoreRevisionResponse
    {
        let target = WireRequest.path(["v1", "files", fileId, "revisions", revisionId, "restore"])
        return try await network.fetch(
            RestoreRevisionResponse.self,
            WireRequest(.POST, target, headers: [HeaderNames.idempotencyKey: requestId]))
    }
}
