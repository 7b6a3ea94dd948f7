import BothyClient
import BothyContract
import BothyServer

/// A person's drafts, straight from the server's database.
struct HostedDrafts: DraftsRepository {
    private let services: ServerServices
    private let caller: Caller

    init(_ services: ServerServices, _ caller: Caller) {
        self.services = services
        self.caller = caller
    }

    func all() async throws -> Known<[DraftPreview]> {
        Known(try await failing { try await services.drafts.all(for: caller).drafts })
    }

    func count() async throws -> Int { try await failing { try await services.drafts.count(for: caller) } }

    func draft(_ id: Int64) async throws -> Draft {
        try await failing { try await services.drafts.find(id, for: caller) }
    }

    @discardableResult
    func save(_ request: SaveDraftRequest, as id: Int64) async throws -> Draft {
        try await failing { try await services.drafts.save(request, id, if: .none, for: caller).draft }
    }

    func delete(_ id: Int64) async throws {
        try await failing { try await services.drafts.delete(id, if: .none, for: caller) }
    }
}
