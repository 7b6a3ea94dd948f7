import BothyContract
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat

/// `/v1/files/{fileId}/revisions`: a file's history.
package struct RevisionRoutes: APIRoutes {
    private let database: any Database
    private let mutations: Mutations
    private let links: DownloadLinks
    private let patches: RevisionPatches
    private let sketches: RevisionSketches

    /// Seconds that an answer may be kept which never changes: a day.
    private static let sketchAge = 86_400

    package init(database: any Database, packs: any PackStore, mutations: Mutations, links: DownloadLinks) {
        self.database = database
        self.mutations = mutations
        self.links = links
        patches = RevisionPatches(database: database, packs: packs)
        sketches = RevisionSketches(database: database, packs: packs, turns: patches.turns)
    }

    package func add(to group: RouterGroup<APIContext>) {
        group.get("v1/files/{fileId}/revisions", use: list)
        group.get("v1/files/{fileId}/revisions/{revisionId}", use: get)
        group.get("v1/files/{fileId}/revisions/{revisionId}/blocks", use: blocks)
        group.get("v1/files/{fileId}/revisions/{revisionId}/sketch", use: sketch)
        group.post("v1/files/{fileId}/revisions/{revisionId}/patch", use: patch)
        group.post("v1/files/{fileId}/revisions/{revisionId}/restore", use: restore)
    }

    /// Where a page ended.
    private struct Position: Codable {
        var revisionsOf: String
        var version: Int64
    }

    @Sendable private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let id = try context.id("fileId")
        let limit = try request.pageLimit()
        let position = try PageCursor.read(Position.self, from: request.query(QueryNames.page))
        if let position, position.revisionsOf != id { throw PageCursor.invalid }
        let before = position?.version
        var rows = try await database.read { db in
            _ = try FileTable(db, drive: caller.driveId).requireFile(id)
            return try RevisionTable(db, drive: caller.driveId).page(of: id, before: before, limit: limit + 1)
        }
        let hasMore = rows.count > limit
        if hasMore { rows.removeLast() }
        let next = try rows.last.flatMap {
            hasMore ? try PageCursor.text(Position(revisionsOf: id, version: $0.version)) : nil
        }
        return try .json(
            GetRevisionsResponse(
                revisions: rows.map { wire($0, caller) }, pagination: PaginationMetadata(next: next, limit: limit)))
    }

    @Sendable private func get(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let row = try await row(context, caller)
        return try .json(wire(row, caller))
    }

    @Sendable private func blocks(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let row = try await row(context, caller)
        let accepted = request.headers[values: .accept]
        let answer: @Sendable (any SQLConnection) throws -> Response = { db in
            let blocks = try ContentTable(db, drive: caller.driveId).blocks(of: row.contentId)
            return try Self.answer(blocks, accepting: accepted)
        }
        // A large file may have a million blocks, which hold up the many requests of this thread.
        let isLarge = row.size > Self.mostReadHere
        var response = try await isLarge ? database.readApart(answer) : database.read(answer)
        response.headers[.vary] = "Accept"
        return response
    }

    /// Bytes of a file whose blocks are listed on the request's own thread.
    private static let mostReadHere: Int64 = 256 << 20

    private static func answer(_ blocks: [BlockReference], accepting accepted: [String]) throws -> Response {
        if accepted.contains(where: { $0.contains(BlockMark.listMediaType) }) {
            return binary(marks(blocks), type: BlockMark.listMediaType)
        }
        if accepted.contains(where: { $0.contains(BlockReference.listMediaType) }) {
            return binary(names(blocks), type: BlockReference.listMediaType)
        }
        return try .json(GetBlocksResponse(blocks: blocks))
    }

    @Sendable private func sketch(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let row = try await row(context, caller)
        let sketch = try await sketches.sketch(of: row.contentId, size: row.size, drive: caller.driveId)
        var response = Self.binary(sketch, type: SketchFormat.mediaType)
        response.headers[.cacheControl] = "private, immutable, max-age=\(Self.sketchAge)"
        return response
    }

    @Sendable private func patch(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        try request.requireJSON()
        let wish = try WireCoding.decode(PatchRequest.self, from: Data(buffer: try await request.collect(for: context)))
        let row = try await row(context, caller)
        let patch = try await patches.patch(of: row.contentId, wish, drive: caller.driveId)
        return Self.binary(patch, type: PatchRequest.patchMediaType)
    }

    @Sendable private func restore(_ request: Request, _ context: APIContext) async throws -> Response {
        let caller = try context.requireCaller()
        let restoring = RevisionRestoring(
            fileId: try context.id("fileId"), revisionId: try context.id("revisionId"),
            precondition: Precondition(request.headers))
        let body = try await request.collect(for: context)
        let identity = try RequestIdentity(request, body: body, bodyId: Self.requestId(in: body, of: request))
        let outcome = try await mutations.perform(identity, for: caller) { db, stamp in
            let done = try restoring.perform(in: db, stamp: stamp)
            return Mutation(
                answer: RestoreRevisionResponse(
                    file: done.file.file(trashed: false), revision: done.revision.revision(downloadUrl: "")),
                cursor: done.cursor)
        }
        var answer = outcome.answer
        answer.file = links.filled(answer.file, for: caller)
        answer.revision = links.filled(answer.revision, for: caller)
        return try Response.json(answer, status: .created)
            .with(cursor: outcome.cursor)
            .with(tag: EntityTag(epoch: outcome.cursor.epoch, version: answer.file.version))
    }

    /// The body of a restore is optional, and has only its request id.
    private static func requestId(in body: ByteBuffer, of request: Request) throws -> String? {
        struct Body: Decodable { var requestId: String? }
        guard body.readableBytes > 0 else { return nil }
        try request.requireJSON()
        return try WireCoding.decode(Body.self, from: Data(buffer: body)).requestId
    }

    private func row(_ context: APIContext, _ caller: Caller) async throws -> RevisionRow {
        let fileId = try context.id("fileId")
        let revisionId = try context.id("revisionId")
        return try await database.read { db in
            _ = try FileTable(db, drive: caller.driveId).requireFile(fileId)
            return try RevisionTable(db, drive: caller.driveId).require(revisionId, of: fileId)
        }
    }

    private func wire(_ row: RevisionRow, _ caller: Caller) -> FileRevision {
        row.revision(downloadUrl: links.path(of: row.id, for: caller))
    }

    private static func binary(_ body: ByteBuffer, type: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: type, .cacheControl: "no-store"], body: .init(byteBuffer: body))
    }

    /// 36 bytes a block: the hash, then the size as a big-endian 32-bit number.
    private static func names(_ blocks: [BlockReference]) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(blocks.count * BlockReference.listedBytes)
        for block in blocks {
            buffer.writeBytes(block.sha256.bytes)
            buffer.writeInteger(UInt32(truncatingIfNeeded: block.size))
        }
        return buffer
    }

    /// 12 bytes a block.
    private static func marks(_ blocks: [BlockReference]) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(blocks.count * BlockMark.listedBytes)
        for mark in blocks.lazy.map(BlockMark.init) {
            buffer.writeInteger(mark.start)
            buffer.writeInteger(UInt32(truncatingIfNeeded: mark.size))
        }
        return buffer
    }
}
