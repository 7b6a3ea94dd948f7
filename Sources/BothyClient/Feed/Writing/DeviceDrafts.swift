import BothyContract

/// The drafts of the account that is signed in here. They are kept with the account, and read and saved there: what is typed without a
/// connection is kept by whoever shows it.
package struct DeviceDrafts: DraftsRepository {
    private let remote: DraftsRemoteSource

    init(_ remote: DraftsRemoteSource) { self.remote = remote }

    package func all() async throws -> [DraftPreview] { try await remote.all() }

    package func count() async throws -> Int { try await remote.all().count }

    package func draft(_ id: Int64) async throws -> Draft { try await remote.draft(id) }

    @discardableResult
    package func save(_ request: SaveDraftRequest, as id: Int64) async throws -> Draft {
        try await remote.save(request, as: id)
    }

    package func delete(_ id: Int64) async throws { try await remote.delete(id) }
}
