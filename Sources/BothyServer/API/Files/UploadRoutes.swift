import BothyContract
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat
import NIOPosix

/// `/v1/upload`: decodes, asks ``UploadSessions`` or ``SimpleUploads``, encodes.
package struct UploadRoutes: APIRoutes {
    private let sessions: UploadSessions
    private let simple: SimpleUploads
    private let batches: UploadBatches
    private let pace: BodyPace

    package init(sessions: UploadSessions, simple: SimpleUploads, pace: BodyPace = BodyPace()) {
        self.sessions = sessions
        self.simple = simple
        batches = UploadBatches(simple, sessions)
        self.pace = pace
    }

    package func add(to group: RouterGroup<APIContext>) {
        group.post("v1/upload", use: start)
        group.post("v1/upload/batch", use: batch)
        group.get("v1/upload/{uploadId}", use: status)
        group.delete("v1/upload/{uploadId}", use: cancel)
        group.put("v1/upload/{uploadId}/chunk", use: putRange)
        group.put("v1/upload/{uploadId}/chunks/{index}", use: putChunk)
        group.post("v1/upload/{uploadId}/plan", use: extendPlan)
        group.post("v1/upload/{uploadId}/finalize", use: finalize)
    }

    // MARK: - Starting

    private func start(_ request: Request, _ context: APIContext) async throws -> Response {
        switch request.query(QueryNames.uploadType) {
        case "media": try await media(request, context)
        case "multipart": try await multipart(request, context)
        case "resumable": try await resumable(request, context)
        default: throw Problem(.invalidParameter, "“uploadType” should be media, multipart or resumable.")
        }
    }

    private func resumable(_ request: Request, _ context: APIContext) async throws -> Response {
        try request.requireJSON()
        let body = try await collect(request, context, upTo: Request.maximumJSON)
        let start = try Self.uploadRequest(body, request)
        let identity = try RequestIdentity(request, body: body, bodyId: start.requestId)
        let reply = try await sessions.start(start, identity: identity, for: context.requireCaller())
        var response = try await Self.answer(reply, status: .created).telling(reply.outcome)
        response.headers[.location] = reply.response.uploadUrl
        return response
    }

    private func media(_ request: Request, _ context: APIContext) async throws -> Response {
        guard let name = request.query(QueryNames.name) else {
            throw Problem(.invalidParameter, "“name” is missing: the file's name belongs in the query.")
        }
        let conflict = try request.query(QueryNames.conflict).map { text in
            guard let policy = ConflictPolicy(rawValue: text) else {
                throw Problem(.invalidParameter, "“conflict” should be fail, fork or overwrite.")
            }
            return policy
        }
        let digest = try Self.digest(request)
        // The end of a body of unknown length and a cut connection look alike, and half a file is no file.
        guard request.headers[.transferEncoding] == nil || digest != nil else {
            throw Problem(
                .lengthMismatch,
                "Say how long the content is with “Content-Length”, or send its SHA-256: without either, a "
                    + "connection that is cut would look like the end of the file.")
        }
        // Its digest is that of the file, which is compared when it is stored.
        let content = try await read(request, context, upTo: Int(UploadLimits.simpleUploadLimit))
        let metadata = UploadRequest(
            requestId: request.headers[.idempotencyKey], name: name, mimeType: request.headers[.contentType],
            parentId: request.query(QueryNames.parentId), fileHashSha256: digest, conflict: conflict)
        let identity = try RequestIdentity(request, body: content)
        return try await store(SimpleUpload(metadata, content: content, identity: identity), context)
    }

    private func multipart(_ request: Request, _ context: APIContext) async throws -> Response {
        let limit = Int(UploadLimits.simpleUploadLimit) + Self.multipartOverhead
        let body = try request.unpacked(
            try await collect(request, context, upTo: limit), for: context, upTo: limit)
        let parts = try MultipartRelated(body, contentType: request.headers[.contentType] ?? "")
        try BodyDigest.check(
            parts.metadata.body, against: parts.metadata.headers[HeaderNames.contentDigest.lowercased()])
        guard parts.content.body.readableBytes <= UploadLimits.simpleUploadLimit else {
            throw Problem(.bodyTooLarge, "The content is larger than \(UploadLimits.simpleUploadLimit) bytes.")
                .with { $0.limit = UploadLimits.simpleUploadLimit }
        }
        var metadata = try Self.uploadRequest(parts.metadata.body, request)
        metadata.mimeType = metadata.mimeType ?? parts.content.headers["content-type"]
        return try await store(try SimpleUpload(metadata, content: parts.content.body), context)
    }

    /// Bytes of a multipart body besides its content: metadata, headers and delimiters.
    private static let multipartOverhead = 64 << 10

    private func store(_ upload: SimpleUpload, _ context: APIContext) async throws -> Response {
        let outcome = try await simple.store(upload, for: context.requireCaller())
        return try Response.json(outcome.file, status: .created).telling(outcome)
    }

    private func batch(_ request: Request, _ context: APIContext) async throws -> Response {
        guard request.headers[.contentType]?.lowercased() == File.defaultMimeType else {
            throw Problem(.unsupportedMediaType, "The body should be “\(File.defaultMimeType)”.")
        }
        let caller = try context.requireCaller()
        let length = request.headers[.contentLength].flatMap(Int.init)
        if let length, length > UploadLimits.batchBody { throw UploadBatches.tooLarge }
        let heads = try Self.heads(request)
        let answer: UploadBatchResponse
        if request.isCompressed || request.headers[.contentDigest] != nil {
            let came = try await collect(request, context, upTo: UploadLimits.batchBody)
            let body = try request.unpacked(came, for: context, upTo: UploadLimits.batchBody)
            answer = try await pace.watch(OneBuffer(body)) { [batches] parts in
                try await batches.receive(&parts, length: body.readableBytes, heads: heads, by: .here, for: caller)
            }
        } else {
            answer = try await pace.watch(request.body) { [batches] parts in
                try await batches.receive(&parts, length: length, heads: heads, for: caller)
            }
        }
        let response = try Response.json(answer)
        // Those that are more than new files are stored after the others.
        let last = answer.items.compactMap { $0.cursor.flatMap { ChangeCursor(text: $0) } }.max { $1.isAfter($0) }
        return last.map { response.with(cursor: $0) } ?? response
    }

    private static func heads(_ request: Request) throws(Problem) -> HeadChecksums? {
        guard let text = request.headers[.batchHeads] else { return nil }
        guard let heads = HeadChecksums(text: text) else {
            throw Problem(
                .invalidParameter,
                "“\(HeaderNames.batchHeads)” should be “crc32c=:”, four bytes for each item in Base64, and “:”.")
        }
        return heads
    }

    private static func uploadRequest(_ body: ByteBuffer, _ request: Request) throws -> UploadRequest {
        var decoded = try WireCoding.decode(UploadRequest.self, from: Data(buffer: body))
        decoded.requestId = decoded.requestId ?? request.headers[.idempotencyKey]
        return decoded
    }

    // MARK: - Sessions

    private func status(_ request: Request, _ context: APIContext) async throws -> Response {
        try await Self.answer(sessions.status(context.id("uploadId"), for: context.requireCaller()))
    }

    /// Thousands of runs are written on a thread of their own: this one is many requests'.
    private static func answer(_ reply: UploadReply, status: HTTPResponse.Status = .ok) async throws -> Response {
        let response = reply.response
        guard response.receivedChunks.count > mostRunsWrittenHere else {
            return try Response.json(response, status: status)
        }
        let written = try await NIOThreadPool.singleton.runIfActive { try WireCoding.encode(response) }
        return Response.json(written: written, status: status)
    }

    /// A millisecond's work.
    private static let mostRunsWrittenHere = 512

    private func cancel(_ request: Request, _ context: APIContext) async throws -> Response {
        try await sessions.cancel(context.id("uploadId"), for: context.requireCaller())
        return Response(status: .noContent)
    }

    private func extendPlan(_ request: Request, _ context: APIContext) async throws -> Response {
        let body = try await collect(request, context, upTo: Request.maximumJSON)
        let names: PlanNames
        if request.headers[.contentType] == BlockReference.listMediaType {
            guard let from = try request.number(QueryNames.from, in: 0...(UploadLimits.maximumChunks - 1)) else {
                throw Problem(.invalidParameter, "“from” is missing: the place of the first block in the plan.")
            }
            names = try PlanNames(from: from, list: body.readableBytesView, base: request.query(QueryNames.base))
        } else {
            try request.requireJSON()
            names = try PlanNames(try WireCoding.decode(ExtendPlanRequest.self, from: Data(buffer: body)))
        }
        return try Response.json(
            try await sessions.extendPlan(
                of: context.id("uploadId"), with: names, for: context.requireCaller()))
    }

    private func finalize(_ request: Request, _ context: APIContext) async throws -> Response {
        try request.requireJSON()
        let body = try await collect(request, context, upTo: Request.maximumJSON)
        // Nothing to name is nothing to send; but a body of unknown length that is empty may have been cut.
        let finalize =
            body.readableBytes == 0 && request.headers[.transferEncoding] == nil
            ? FinalizeRequest() : try WireCoding.decode(FinalizeRequest.self, from: Data(buffer: body))
        let outcome = try await sessions.finalize(context.id("uploadId"), finalize, for: context.requireCaller())
        let answer = FinalizeResponse(
            remoteFileId: outcome.file.id, fileHashSha256: outcome.revision.checksum, file: outcome.file,
            revision: outcome.revision)
        return try Response.json(answer, status: .created).telling(outcome)
    }

    // MARK: - Chunks

    private func putRange(_ request: Request, _ context: APIContext) async throws -> Response {
        guard let text = request.headers[.contentRange], text.hasPrefix("bytes ") else {
            throw Problem(.malformedRequest, "“Content-Range: bytes first-last/total” says which chunks the body is.")
        }
        let placement = ContentRange(text: text).map(ChunkPlacement.range) ?? .unreadable(text)
        return try await receive(placement, request, context)
    }

    private func putChunk(_ request: Request, _ context: APIContext) async throws -> Response {
        let text = context.parameters.get("index") ?? ""
        return try await receive(Int(text).map(ChunkPlacement.index) ?? .unreadable(text), request, context)
    }

    private func receive(
        _ placement: ChunkPlacement, _ request: Request, _ context: APIContext
    ) async throws -> Response {
        let arrival = ChunkArrival(
            placement: placement, digest: try Self.digest(request),
            length: request.headers[.contentLength].flatMap(Int64.init))
        let (id, caller) = (try context.id("uploadId"), try context.requireCaller())
        let reply: UploadReply
        if request.headers[.contentType] == PatchRequest.patchMediaType {
            // The digest is that of the bytes that the patch makes.
            let body = try await read(request, context, upTo: UploadLimits.maximumPatchBody)
            let patch = ChunkPatch(body: body, base: request.query(QueryNames.base))
            reply = try await sessions.receive(arrival, madeBy: patch, of: id, for: caller)
        } else {
            reply = try await sessions.receive(arrival, of: id, from: request.body, for: caller)
        }
        guard reply.outcome == nil else {
            return try Response.json(reply.response, status: .created).telling(reply.outcome)
        }
        var response = try Response.json(reply.response, status: .permanentRedirect)
        if reply.prefixBytes > 0 { response.headers[.range] = "bytes=0-\(reply.prefixBytes - 1)" }
        return response
    }

    private static func digest(_ request: Request) throws -> ContentHash? {
        try ChunkDigest.read(
            chunkHash: request.headers[.chunkHash], contentDigest: request.headers[.contentDigest])
    }

    /// The whole body, from a client that keeps sending, held against its digest.
    private func collect(_ request: Request, _ context: APIContext, upTo limit: Int) async throws -> ByteBuffer {
        let body = try await read(request, context, upTo: limit)
        try request.checkDigest(of: body)
        return body
    }

    private func read(_ request: Request, _ context: APIContext, upTo limit: Int) async throws -> ByteBuffer {
        let tooLarge = Problem(.bodyTooLarge, "The body is larger than \(limit) bytes.").with {
            $0.limit = Int64(limit)
        }
        let length = request.headers[.contentLength].flatMap(Int.init)
        if let length, length > limit { throw tooLarge }
        let body = try await pace.watch(ClaimedBody(request.body, for: context)) { parts in
            var whole = ByteBuffer()
            // Grown in steps it would be copied at each.
            whole.reserveCapacity(length ?? 0)
            while var part = try await parts.next() {
                guard whole.readableBytes + part.readableBytes <= limit else { throw tooLarge }
                whole.writeBuffer(&part)
            }
            return whole
        }
        // A connection that was cut must not make a file that ends where it was.
        if let length, body.readableBytes != length {
            throw Problem(.lengthMismatch, "\(body.readableBytes) of \(length) bytes came. Nothing was kept.")
        }
        return body
    }
}

extension Response {
    /// The answer with the place of the change that the upload made, and the file's entity tag.
    fileprivate func telling(_ outcome: UploadOutcome?) -> Response {
        guard let outcome, let cursor = ChangeCursor(text: outcome.cursor) else { return self }
        return with(cursor: cursor, before: outcome.cursorBefore).with(
            tag: EntityTag(epoch: cursor.epoch, version: outcome.file.version))
    }
}

extension HTTPField.Name {
    fileprivate static let chunkHash = Self(HeaderNames.chunkHash)!
}
