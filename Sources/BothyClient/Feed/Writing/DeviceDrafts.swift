import BothyContract

/// The drafts of the account that is signed in here. They are kept with the account, and saved there: what is typed without a connection is
/// kept by the screen that shows it. Those that were read here can be read again, and posted, without one.
package struct DeviceDrafts: DraftsRepository {
    private let remote: DraftsRemoteSource
    private let store: FeedStore

    init(_ remote: DraftsRemoteSource, store: FeedStore) {
        self.remote = remote
        self.store = store
    }

    package func all() async throws -> Known<[DraftPreview]> {
        let known = try await store.known(.drafts) { GetDraftsResponse(drafts: try await remote.all()) }
        let drafts = known.value.drafts
        if known.unreached == nil { try await store.keep(drafts: Set(drafts.map(\.draftId))) }
        // One that waits to be posted is no draft any more.
        let going = try await store.draftsBeingPosted()
        return Known(drafts.filter { !going.contains($0.draftId) }, unreached: known.unreached)
    }

    package func count() async throws -> Int { try await all().value.count }

    package func draft(_ id: Int64) async throws -> Draft {
        try await gone(id) { try await store.known(.draft(id)) { try await remote.draft(id) }.value }
    }

    @discardableResult
    package func save(_ request: SaveDraftRequest, as id: Int64) async throws -> Draft {
        let saved = try await remote.save(request, as: id)
        try await store.keep(saved)
        return saved
    }

    package func delete(_ id: Int64) async throws {
        try await gone(id) { try await remote.delete(id) }
        try await store.forgetDraft(id)
    }

    /// What the server says is not there is not kept here either.
    private func gone<Value>(_ id: Int64, _ ask: () async throws -> Value) async throws -> Value {
        do {
            return try await ask()
        } catch let failure as ClientFailure where failure.code == .notFound {
            try await store.forgetDraft(id)
            throw failure
        }
    }
}
