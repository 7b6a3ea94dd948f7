import BothyContract
import Foundation

/// A file's earlier states. Every method throws `ClientFailure`.
public struct RevisionsRepository: Sendable {
    private let remote: RevisionsRemoteSource

    package init(remote: RevisionsRemoteSource) { self.remote = remote }

    /// One page, newest first.
    public func page(of fileId: String, page: String? = nil, limit: Int? = nil) async throws -> GetRevisionsResponse {
        try await remote.page(of: fileId, page: page, limit: limit)
    }

    /// All of them, newest first, page by page as they come.
    public func list(_ fileId: String) -> AsyncThrowingStream<[FileRevision], any Error> {
        let position = PagePosition()
        let remote = remote
        return AsyncThrowingStream {
            guard let page = position.take() else { return nil }
            let answer = try await remote.page(
                of: fileId, page: page.token, limit: PaginationMetadata.maximumLimit)
            try position.advance(to: answer.pagination.next, from: page)
            return answer.revisions
        }
    }

    /// - Throws: `notFound`.
    public func revision(_ revisionId: String, of fileId: String) async throws -> FileRevision {
        try await remote.revision(revisionId, of: fileId)
    }

    /// Makes a new head revision with the old content. Nothing is rewritten, and no bytes move.
    public func restore(_ revisionId: String, of fileId: String) async throws -> RestoreRevisionResponse {
        try await remote.restore(revisionId, of: fileId, requestId: UUID().uuidString)
    }
}
