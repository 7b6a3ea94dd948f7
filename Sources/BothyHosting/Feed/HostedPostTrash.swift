import BothyClient
import BothyContract
import BothyServer

/// A person's deleted posts, straight from the server's database.
struct HostedPostTrash: PostTrashRepository {
    private let services: ServerServices
    private let caller: Caller

    init(_ services: ServerServices, _ caller: Caller) {
        self.services = services
        self.caller = caller
    }

    func page(after place: String?, limit: Int) async throws -> TrashedPostsResponse {
        try await failing { try await services.posts.trash(after: place, limit: limit, for: caller) }
    }

    func restore(_ id: Int64) async throws {
        try await failing {
            _ = try await services.posts.restore(id, identity: .none(for: "POST /v1/posts/\(id)/restore"), for: caller)
        }
    }

    func deleteForGood(_ id: Int64) async throws {
        try await failing {
            _ = try await services.posts.delete(
                id, isForGood: true, identity: .none(for: "DELETE /v1/posts/\(id)"), for: caller)
        }
    }
}
