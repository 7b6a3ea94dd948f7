import BothyClient
import BothyContract
import Synchronization

/// Drafts that are kept as the server keeps them: by their versions.
final class MadeUpDrafts: DraftsRepository {
    private struct State {
        var drafts = [Int64: Draft]()
        var posted = Set<Int64>()
        var asked = [SaveDraftRequest]()
        var failure: ClientFailure?
    }

    private let state = Mutex(State())

    var drafts: [Int64: Draft] { state.withLock { $0.drafts } }
    var asked: [SaveDraftRequest] { state.withLock { $0.asked } }
    func put(_ draft: Draft) { state.withLock { $0.drafts[draft.draftId] = draft } }
    /// It has become a post.
    func post(_ id: Int64) {
        state.withLock { state in
            state.posted.insert(id)
            state.drafts[id] = nil
        }
    }
    func fail(with failure: ClientFailure?) { state.withLock { $0.failure = failure } }

    func all() async throws -> Known<[DraftPreview]> {
        Known(
            try state.withLock { state in
                if let failure = state.failure { throw failure }
                return state.drafts.values.sorted { $0.updatedAt > $1.updatedAt }.map { draft in
                    DraftPreview(
                        draftId: draft.draftId, version: draft.version, contentSummary: draft.content, isCut: false,
                        attachmentCount: draft.attachments.count, audience: draft.audience, updatedAt: draft.updatedAt,
                        copiedFrom: draft.copiedFrom, contentWarning: draft.contentWarning)
                }
            })
    }

    func count() async throws -> Int { try await all().value.count }

    func draft(_ id: Int64) async throws -> Draft {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            guard let draft = state.drafts[id] else { throw ClientFailure(.notFound, "There is no such draft.") }
            return draft
        }
    }

    func save(_ request: SaveDraftRequest, as id: Int64) async throws -> Draft {
        try state.withLock { state in
            state.asked.append(request)
            if let failure = state.failure { throw failure }
            guard !state.posted.contains(id) else { throw ClientFailure(Problem(.draftPosted, "It was posted.")) }
            let known = state.drafts[id]
            let isOther = known.map { $0.version != request.baseVersion ?? 0 } ?? false
            let draft = Draft(
                draftId: isOther ? 1000 + id : id, version: isOther ? 1 : (known?.version ?? 0) + 1,
                content: request.content,
                audience: request.audience.map { asked in
                    PostAudience(
                        kind: asked.kind, people: asked.people?.map { AuthorPreview(id: $0, name: "number \($0)") })
                } ?? known?.audience, updatedAt: Timestamp(seconds: 0), copiedFrom: isOther ? id : nil,
                contentWarning: request.contentWarning ?? known?.contentWarning)
            state.drafts[draft.draftId] = draft
            return draft
        }
    }

    func delete(_ id: Int64) async throws {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            guard state.drafts.removeValue(forKey: id) != nil else {
                throw ClientFailure(.notFound, "There is no such draft.")
            }
        }
    }
}
