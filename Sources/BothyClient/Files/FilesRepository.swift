import BothyContract
import Foundation

/// Files and folders of the account: what is there, and everything that is done to it but moving bytes.
///
/// Every method throws `ClientFailure`.
public struct FilesRepository: Sendable {
    private let remote: FilesRemoteSource

    package init(remote: FilesRemoteSource) { self.remote = remote }

    // MARK: - Looking

    /// One page of a folder, folders first.
    ///
    /// - Parameters:
    ///   - folderId: `File.rootId` for the root.
    ///   - page: the `next` of the page before.
    ///   - limit: 1 to 1000.
    public func page(
        of folderId: String, order: FileOrder? = nil, page: String? = nil, limit: Int? = nil
    ) async throws -> GetFilesResponse {
        try await remote.page(of: folderId, order: order, page: page, limit: limit, trashed: false)
    }

    /// A whole folder, page by page as they come.
    public func list(_ folderId: String, order: FileOrder? = nil) -> AsyncThrowingStream<[File], any Error> {
        pages { page in
            try await remote.page(
                of: folderId, order: order, page: page, limit: PaginationMetadata.maximumLimit, trashed: false)
        }
    }

    /// What lies in the trash, page by page.
    public func listTrash() -> AsyncThrowingStream<[File], any Error> {
        pages { page in
            try await remote.page(
                of: File.rootId, order: nil, page: page, limit: PaginationMetadata.maximumLimit, trashed: true)
        }
    }

    public func file(_ id: String) async throws -> File { try await remote.file(id) }

    /// - Throws: `notFound`, in words that name the path.
    public func file(at path: RemotePath) async throws -> File {
        do {
            return try await path.isRoot ? remote.file(File.rootId) : remote.file(atPath: path.text)
        } catch let failure as ClientFailure where failure.code == .notFound {
            throw failure.with { $0.words = "There is no “\(path)” on the server." }
        }
    }

    /// - Returns: nil when nothing is there.
    public func fileIfPresent(at path: RemotePath) async throws -> File? {
        do {
            return try await file(at: path)
        } catch let failure as ClientFailure where failure.code == .notFound || failure.code == .notAFolder {
            return nil
        }
    }

    // MARK: - Making and changing

    public func makeFolder(named name: String, in parentId: String) async throws -> File {
        try await remote.create(
            CreateFileRequest(
                requestId: UUID().uuidString, name: name, mimeType: File.folderMimeType, parentId: parentId))
    }

    /// The folder at the path, made with those above it where they are missing.
    ///
    /// - Throws: `notAFolder` when a file is in the way.
    public func makeFolders(at path: RemotePath) async throws -> File {
        if let there = try await fileIfPresent(at: path) {
            guard there.isFolder else { throw ClientFailure(.notAFolder, "“\(path)” is a file.") }
            return there
        }
        guard let name = path.name else { return try await file(at: .root) }
        let parent = try await makeFolders(at: path.parent)
        do {
            return try await makeFolder(named: name, in: parent.id)
        } catch let failure as ClientFailure where failure.code == .nameConflict {
            // Somebody else has made it meanwhile.
            let there = try await file(at: path)
            guard there.isFolder else { throw failure }
            return there
        }
    }

    /// Renames, moves, or both at once.
    public func move(_ id: String, to parentId: String? = nil, as name: String? = nil) async throws -> File {
        try await update(id) {
            $0.parentId = parentId
            $0.name = name
        }
    }

    public func setStarred(_ starred: Bool, _ id: String) async throws -> File {
        try await update(id) { $0.starred = starred }
    }

    public func setHidden(_ hidden: Bool, _ id: String) async throws -> File {
        try await update(id) { $0.hidden = hidden }
    }

    /// Copies by reference; no bytes move.
    public func copy(_ id: String, to parentId: String? = nil, as name: String? = nil) async throws -> File {
        try await remote.copy(id, CopyFileRequest(requestId: UUID().uuidString, name: name, parentId: parentId))
    }

    // MARK: - Deleting

    /// Puts a file, or a folder with all below it, into the trash, for 30 days.
    ///
    /// - Parameters:
    ///   - cursor: for a folder, the place in the change log that it was seen at; `changedMeanwhile` when something
    ///     below it changed since.
    ///   - baseRevisionId: for a file, the head that was seen.
    public func trash(_ id: String, asOf cursor: String? = nil, baseRevisionId: String? = nil) async throws {
        try await remote.delete(
            id, permanently: false, asOf: cursor, baseRevisionId: baseRevisionId, requestId: UUID().uuidString)
    }

    /// Deletes for good, with every revision. It cannot be undone.
    public func deletePermanently(_ id: String, asOf cursor: String? = nil, baseRevisionId: String? = nil) async throws
    {
        try await remote.delete(
            id, permanently: true, asOf: cursor, baseRevisionId: baseRevisionId, requestId: UUID().uuidString)
    }

    /// Brings a file back from the trash, with the folders above it where those lie there too.
    public func untrash(_ id: String) async throws -> File { try await update(id) { $0.trashed = false } }

    private func update(_ id: String, _ change: (inout UpdateFileRequest) -> Void) async throws -> File {
        var request = UpdateFileRequest(requestId: UUID().uuidString)
        change(&request)
        return try await remote.update(id, request, ifMatch: nil)
    }

    private func pages(
        _ fetch: @escaping @Sendable (String?) async throws -> GetFilesResponse
    ) -> AsyncThrowingStream<[File], any Error> {
        let position = PagePosition()
        return AsyncThrowingStream {
            guard let page = position.take() else { return nil }
            let answer = try await fetch(page.token)
            try position.advance(to: answer.pagination.next, from: page)
            return answer.files
        }
    }
}
