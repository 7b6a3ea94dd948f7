import BothyContract
import Foundation

/// Files and folders of the account: what is there, and everything that is done to it but moving bytes.
///
/// With a connection the server is asked. Without one, and while something waits to be sent, what is known here is shown
/// with what waits done to it (`ReplicaEngine`), and what is done is written down and sent later, under the request id
/// that it was first tried with.
///
/// Every method throws `ClientFailure`.
public struct FilesRepository: Sendable {
    let remote: FilesRemoteSource
    /// For a caller that has something else to show: a server that does not answer is not waited for long.
    let briefly: FilesRemoteSource
    private let log: ChangesRemoteSource
    let search: SearchRemoteSource
    let replica: ReplicaEngine
    let conditions: WorkConditions
    package let reach: DriveReach
    let environment: ClientEnvironment

    package init(
        network: NetworkDispatcher, replica: ReplicaEngine, conditions: WorkConditions, reach: DriveReach,
        environment: ClientEnvironment
    ) {
        remote = FilesRemoteSource(network: network)
        briefly = FilesRemoteSource(network: network, retries: .brief)
        log = ChangesRemoteSource(network: network)
        search = SearchRemoteSource(network: network, retries: .brief)
        self.replica = replica
        self.conditions = conditions
        self.reach = reach
        self.environment = environment
    }

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
        await replica.noteUse(ofFolder: folderId)
        return try await look {
            try await $0.page(of: .folder(folderId, order), page: page, limit: limit)
        } here: {
            guard page == nil else { throw Self.cutShort }
            return GetFilesResponse(
                files: try await replica.files(in: folderId, order: order),
                pagination: PaginationMetadata(next: nil, limit: limit ?? PaginationMetadata.defaultLimit))
        }
    }

    /// A whole folder, page by page as they come.
    public func list(_ folderId: String, order: FileOrder? = nil) -> AsyncThrowingStream<[File], any Error> {
        pages { page in
            try await self.page(of: folderId, order: order, page: page, limit: PaginationMetadata.maximumLimit)
        }
    }

    /// What lies in the trash, page by page.
    public func listTrash() -> AsyncThrowingStream<[File], any Error> {
        list(.trash) { try await replica.trash() }
    }

    /// What has a star, wherever it lies, page by page.
    public func listStarred() -> AsyncThrowingStream<[File], any Error> {
        list(.starred) { try await replica.starred() }
    }

    private func list(
        _ listing: FilesRemoteSource.Listing, here: @escaping @Sendable () async throws -> [File]
    ) -> AsyncThrowingStream<[File], any Error> {
        pages { page in
            try await look {
                try await $0.page(of: listing, page: page, limit: PaginationMetadata.maximumLimit)
            } here: {
                guard page == nil else { throw Self.cutShort }
                return GetFilesResponse(
                    files: try await here(),
                    pagination: PaginationMetadata(next: nil, limit: PaginationMetadata.maximumLimit))
            }
        }
    }

    /// A place in the change log: what comes after it was not seen by a person who looks now.
    ///
    /// - Returns: nil where nothing was ever seen.
    public func cursor() async throws -> String? {
        try await look { _ in
            try await log.cursor(retries: .brief)
        } here: {
            try await replica.state().cursor
        }
    }

    /// The file by its id; without a connection, as it is known here.
    ///
    /// - Throws: `notFound`.
    public func file(_ id: String) async throws -> File {
        try await look {
            try await $0.file(id)
        } here: {
            try await replica.file(withId: id)
        }
    }

    /// - Throws: `notFound`, in words that name the path.
    public func file(at path: RemotePath) async throws -> File {
        do {
            return try await look {
                try await path.isRoot ? $0.file(File.rootId) : $0.file(atPath: path.text)
            } here: {
                try await replica.wireFile(at: path)
            }
        } catch let failure as ClientFailure where failure.code == .notFound {
            throw failure.with {
                $0.words =
                    isOffline
                    ? "There is no “\(path)”, as far as this device knows: there is no connection."
                    : "There is no “\(path)” on the server."
            }
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

    /// Makes a folder; without a connection on this device alone, to be sent when there is one.
    ///
    /// - Throws: `nameConflict`, `notFound` for the folder it should lie in.
    public func makeFolder(named name: String, in parentId: String) async throws -> File {
        let made = try await change { source, requestId in
            try await source.create(
                CreateFileRequest(
                    requestId: requestId, name: name, mimeType: File.folderMimeType, parentId: parentId))
        } later: {
            (.createFolder(parent: try await replica.luid(of: parentId), name: try Self.checked(name)), nil)
        }
        guard let made else { throw ReplicaEngine.unknown }
        return made
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
        } later: {
            let name = try name.map(Self.checked)
            if let parentId { return .move(parent: try await replica.luid(of: parentId), name: name) }
            if let name { return .rename(name: name) }
            return .rename(name: try await replica.file(withId: id).name)
        }
    }

    /// - Throws: `notFound`.
    public func setStarred(_ starred: Bool, _ id: String) async throws -> File {
        try await update(id) {
            $0.starred = starred
        } later: {
            .star(starred)
        }
    }

    /// - Throws: `notFound`.
    public func setHidden(_ hidden: Bool, _ id: String) async throws -> File {
        try await update(id) {
            $0.hidden = hidden
        } later: {
            .hide(hidden)
        }
    }

    /// Copies by reference; no bytes move. This needs a connection.
    ///
    /// - Parameter isBrief: a server that does not answer is not waited for long.
    public func copy(
        _ id: String, to parentId: String? = nil, as name: String? = nil, briefly isBrief: Bool = false
    ) async throws -> File {
        try await needingConnection("Copying") {
            try await (isBrief ? briefly : remote).copy(
                id, CopyFileRequest(requestId: UUID().uuidString, name: name, parentId: parentId))
        }
    }

    // MARK: - Deleting

    /// Puts a file, or a folder with all below it, into the trash, for 30 days.
    ///
    /// - Parameters:
    ///   - cursor: for a folder, the place in the change log that it was seen at; `changedMeanwhile` when something
    ///     below it changed since.
    ///   - baseRevisionId: for a file, the head that was seen.
    public func trash(_ id: String, asOf cursor: String? = nil, baseRevisionId: String? = nil) async throws {
        _ = try await change { source, requestId in
            try await source.delete(
                id, permanently: false, asOf: cursor, baseRevisionId: baseRevisionId, requestId: requestId)
            return nil
        } later: {
            (.trash(seen: try await replica.seen(id, asOf: cursor)), try await replica.luid(of: id))
        }
    }

    /// Deletes for good, with every revision. It cannot be undone, and needs a connection.
    public func deletePermanently(_ id: String, asOf cursor: String? = nil, baseRevisionId: String? = nil) async throws
    {
        try await needingConnection("Deleting for good") {
            _ = try await remote.delete(
                id, permanently: true, asOf: cursor, baseRevisionId: baseRevisionId, requestId: UUID().uuidString)
        }
    }

    /// The same, where it is as it was seen.
    ///
    /// - Throws: `changedMeanwhile` where it is at another version.
    func deletePermanently(_ id: String, at version: SeenVersion?) async throws {
        try await needingConnection("Deleting for good") {
            _ = try await briefly.delete(
                id, permanently: true, asOf: nil, baseRevisionId: nil, ifMatch: try version?.tag().text,
                requestId: UUID().uuidString)
        }
    }

    /// Brings a file back from the trash, with the folders above it where those lie there too.
    public func untrash(_ id: String) async throws -> File {
        try await update(id) {
            $0.trashed = false
        } later: {
            .restore
        }
    }

    private func update(
        _ id: String, _ change: @escaping @Sendable (inout UpdateFileRequest) -> Void,
        later: () async throws -> JournalOperation.Action
    ) async throws -> File {
        let file = try await self.change { source, requestId in
            var request = UpdateFileRequest(requestId: requestId)
            change(&request)
            return try await source.update(id, request, ifMatch: nil)
        } later: {
            (try await later(), try await replica.luid(of: id))
        }
        guard let file else { throw ReplicaEngine.unknown }
        return file
    }

    /// Does what nothing here can stand in for.
    ///
    /// - Parameter deed: the beginning of «… needs a connection».
    private func needingConnection<Value>(_ deed: String, _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let failure as ClientFailure where failure.code == .offline {
            throw failure.with {
                $0.words = "\(deed) needs a connection: \($0.words)"
                $0.remedy = "Try again when there is one. Nothing was changed."
            }
        }
    }

    /// A list that the server began cannot be continued from what is known here.
    private static let cutShort = ClientFailure(.offline, "The connection was lost in the middle of a list.")

    private static func checked(_ name: String) throws(ClientFailure) -> String {
        do {
            return try FileName.normalized(name)
        } catch {
            throw ClientFailure(.invalidName, "The name “\(name)” \(error.reason).")
        }
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
