import BothyContract

/// A person's deleted posts, as the server has them.
package struct PostTrashRemoteSource: PostTrashRepository {
    private let network: NetworkDispatcher
    private let retries: RetryPolicy

    package init(network: NetworkDispatcher, retries: RetryPolicy = .interactive) {
        self.network = network
        self.retries = retries
    }

    package func page(after place: String?, limit: Int) async throws -> TrashedPostsResponse {
        try await network.fetch(
            TrashedPostsResponse.self,
            WireRequest(
                .GET,
                WireRequest.path(
                    ["v1", "posts", "trash"], [QueryNames.after: place, QueryNames.limit: String(limit)]),
                retries: retries))
    }

    package func restore(_ id: Int64) async throws {
        try await send(
            WireRequest(.POST, WireRequest.path(["v1", "posts", String(id), "restore"]), retries: retries))
    }

    package func deleteForGood(_ id: Int64) async throws {
        let target = WireRequest.path(["v1", "posts", String(id)], [QueryNames.permanent: "true"])
        try await send(WireRequest(.DELETE, target, retries: retries))
    }

    private func send(_ request: WireRequest) async throws {
        do {
            _ = try await network.send(request)
        } catch let failure as ClientFailure where failure.code == .notFound {
            // The usual advice is about folders.
            throw failure.with { $0.remedy = "“bothy feed trash” lists your deleted posts." }
        }
    }
}
