import BothyContract

/// Drafts as the server keeps them.
package struct DraftsRemoteSource: Sendable {
    private let network: NetworkDispatcher
    private let retries: RetryPolicy

    package init(network: NetworkDispatcher, retries: RetryPolicy = .interactive) {
        self.network = network
        self.retries = retries
    }

    package func all() async throws -> [DraftPreview] {
        try await send(WireRequest(.GET, WireRequest.path(drafts), retries: retries))
            .decoded(as: GetDraftsResponse.self).drafts
    }

    package func draft(_ id: Int64) async throws -> Draft {
        try await send(WireRequest(.GET, WireRequest.path(drafts + [String(id)]), retries: retries))
            .decoded(as: Draft.self)
    }

    /// The same once more changes nothing: it may be sent again.
    package func save(_ request: SaveDraftRequest, as id: Int64) async throws -> Draft {
        try await send(.json(.PUT, WireRequest.path(drafts + [String(id)]), request, retries: retries))
            .decoded(as: Draft.self)
    }

    package func delete(_ id: Int64) async throws {
        try await send(WireRequest(.DELETE, WireRequest.path(drafts + [String(id)]), retries: retries))
    }

    private let drafts = ["v1", "drafts"]

    @discardableResult
    private func send(_ request: WireRequest) async throws -> WireResponse {
        do {
            return try await network.send(request)
        } catch let failure as ClientFailure where failure.code == .notFound {
            // The usual advice is about folders.
            throw failure.with { $0.remedy = "“bothy feed drafts” lists your drafts." }
        }
    }
}
