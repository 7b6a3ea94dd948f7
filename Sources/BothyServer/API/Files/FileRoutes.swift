import BothyContract
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat

/// `/v1/files`: folders and files.
package struct FileRoutes: APIRoutes {
    private let database: any Database
    private let mutations: Mutations
    private let links: DownloadLinks

    package init(database: any Database, mutations: Mutations, links: DownloadLinks) {
        self.database = database
        self.mutations = mutations
        self.links = links
    }

    package func add(to group: RouterGroup<APIContext>) {
        group.get("v1/files", use: list)
        group.post("v1/files", use: create)
        group.get("v1/files/by-path", use: getByPath)
        group.get("v1/files/{fileId}", use: get)
        group.patch("v1/files/{fileId}", use: update)
        group.delete("v1/files/{fileId}", use: delete)
        group.post("v1/files/{fileId}/copy", use: copy)
    }

    // MARK: Reading

    @Sendable private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let limit = try request.pageLimit()
        switch (try request.flag(QueryNames.trashed), try request.flag(QueryNames.starred)) {
        case (true, true):
            throw Problem(.invalidParameter, "“trashed” and “starred” are two lists: ask for one of them.")
        case (true, false): return try await listTrash(request, limit, caller)
        case (false, true): return try await listStarred(request, limit, caller)
        case (false, false): return try await listFolder(request, limit, caller)
        }
    }

    private func listFolder(_ request: Request, _ limit: Int, _ caller: Caller) async throws -> Response {
        let order = try request.query(QueryNames.orderBy).map(Self.order) ?? .name
        let parentId = request.query(QueryNames.parentId) ?? File.rootId
        guard FileID.isPlausible(parentId) else { throw FileTable.notFound }
        let listing = FolderListing(
            parentId: parentId, order: order, limit: limit,
            after: try PageCursor.read(FolderListing.Position.self, from: request.query(QueryNames.page)))
        let page = try await database.read { try listing.page(in: $0, drive: caller.driveId) }
        return try answer(page.rows, trashed: page.trashed, next: page.next, limit, caller)
    }

    private func listTrash(_ request: Request, _ limit: Int, _ caller: Caller) async throws -> Response {
        let listing = TrashListing(
            limit: limit, after: try PageCursor.read(TrashListing.Position.self, from: request.query(QueryNames.page)))
        let page = try await database.read { try listing.page(in: $0, drive: caller.driveId) }
        return try answer(page.rows, trashed: true, next: page.next, limit, caller)
    }

    private func listStarred(_ request: Request, _ limit: Int, _ caller: Caller) async throws -> Response {
        let listing = StarredListing(
            limit: limit,
            after: try PageCursor.read(StarredListing.Position.self, from: request.query(QueryNames.page)))
        let page = try await database.read { try listing.page(in: $0, drive: caller.driveId) }
        return try answer(page.rows, trashed: false, next: page.next, limit, caller)
    }

    private func answer(
        _ rows: [FileRow], trashed: Bool, next: (some Encodable)?, _ limit: Int, _ caller: Caller
    ) throws -> Response {
        let files = rows.map { links.filled($0.file(trashed: trashed), for: caller) }
        let next = try next.map { try PageCursor.text($0) }
        return try .json(GetFilesResponse(files: files, pagination: PaginationMetadata(next: next, limit: limit)))
    }

    private static func order(_ text: String) throws -> FileOrder {
        guard let order = FileOrder(rawValue: text) else {
            let known = FileOrder.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.invalidParameter, "“orderBy” should be one of \(known).")
        }
        return order
    }

    @Sendable private func get(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let id = try context.id("fileId")
        return try await answer(caller) { try $0.require(id) }
    }

    @Sendable private func getByPath(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        guard let path = request.query(QueryNames.path) else { throw Problem(.invalidParameter, "“path” is missing.") }
        return try await answer(caller) { (try FilePath.find(path, in: $0), false) }
    }

    private func answer(
        _ caller: Caller, _ find: @escaping @Sendable (FileTable) throws -> (row: FileRow, trashed: Bool)
    ) async throws -> Response {
        let (file, epoch) = try await database.read { db in
            let (row, trashed) = try find(FileTable(db, drive: caller.driveId))
            return (row.file(trashed: trashed), try ServerEpoch.read(db))
        }
        return try Response.json(links.filled(file, for: caller))
            .with(tag: EntityTag(epoch: epoch, version: file.version))
    }

    // MARK: Changing

    @Sendable private func create(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let (body, identity) = try await request.command(CreateFileRequest.self, for: context, id: \.requestId)
        let creation = FileCreation(
            name: body.name, mimeType: body.mimeType, parentId: body.parentId, requestId: identity.requestId)
        return try await answer(caller, identity, status: .created) { try creation.perform(in: $0, stamp: $1) }
    }

    @Sendable private func update(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let id = try context.id("fileId")
        let (body, identity) = try await request.command(UpdateFileRequest.self, for: context, id: \.requestId)
        var update = FileUpdate(id: id, request: body, precondition: Precondition(request.headers))
        update.seen = try await DepthLook.taken(for: update, of: caller.driveId, in: database)
        return try await answer(caller, identity, from: body.isDeletion ? .reserve : .shared) { [update] in
            try update.perform(in: $0, stamp: $1)
        }
    }

    @Sendable private func copy(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let id = try context.id("fileId")
        let (body, identity) = try await request.command(CopyFileRequest.self, for: context, id: \.requestId)
        let copying = FileCopying(
            sourceId: id, name: body.name, parentId: body.parentId, requestId: identity.requestId)
        return try await answer(caller, identity, status: .created) { try copying.perform(in: $0, stamp: $1) }
    }

    @Sendable private func delete(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let deletion = FileDeletion(
            id: try context.id("fileId"), permanent: try request.flag(QueryNames.permanent),
            asOf: request.query(QueryNames.asOf),
            baseRevisionId: request.query(QueryNames.baseRevisionId), precondition: Precondition(request.headers))
        let identity = try RequestIdentity(request, bodyId: request.query("requestId"))
        let outcome = try await mutations.perform(identity, for: caller, from: .reserve, forgetsNoOps: true) {
            db, stamp in
            let change = try deletion.perform(in: db, stamp: stamp)
            return Mutation(answer: change.row.version, cursor: change.cursor)
        }
        let response = Response(status: .noContent).with(cursor: outcome.cursor)
        if deletion.permanent { return response }
        return response.with(tag: EntityTag(epoch: outcome.cursor.epoch, version: outcome.answer))
    }

    private func answer(
        _ caller: Caller, _ identity: RequestIdentity, status: HTTPResponse.Status = .ok,
        from room: WriteRoom = .shared,
        _ action: @escaping @Sendable (any SQLConnection, ChangeStamp) throws -> FileChange
    ) async throws -> Response {
        let outcome = try await mutations.perform(
            identity, for: caller, from: room, forgetsNoOps: room == .reserve
        ) { db, stamp in
            let log = ChangeLog(db, drive: stamp.driveId)
            let head = try log.head()
            let change = try action(db, stamp)
            // A change may be none, or one of a folder that came back along with the file.
            let isAll = try log.isAll(.file, change.row.id, after: head)
            return Mutation(
                answer: change.row.file(trashed: change.trashed), cursor: change.cursor, before: isAll ? head : nil)
        }
        return try Response.json(links.filled(outcome.answer, for: caller), status: status)
            .with(cursor: outcome.cursor, before: outcome.before?.text)
            .with(tag: EntityTag(epoch: outcome.cursor.epoch, version: outcome.answer.version))
    }
}
