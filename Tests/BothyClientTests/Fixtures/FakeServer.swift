import BothyContract
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOFoundationCompat

/// A server that keeps to the contract until it is told not to.
final class FakeServer: Sendable {
    let drive: FakeDrive
    let origin: String
    private let serving: Task<Void, any Error>

    init() async throws {
        let drive = FakeDrive()
        let (ports, port) = AsyncStream<Int>.makeStream()
        var logger = Logger(label: "fake")
        logger.logLevel = .critical
        let application = Application(
            router: Self.router(drive), configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                port.yield(channel.localAddress?.port ?? 0)
                port.finish()
            }, logger: logger)
        self.drive = drive
        serving = Task { try await application.run() }
        var iterator = ports.makeAsyncIterator()
        origin = "http://127.0.0.1:\(await iterator.next() ?? 0)"
    }

    deinit { serving.cancel() }

    private static func router(_ drive: FakeDrive) -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: FakeRefusals())
        router.post("v1/auth/refresh") { _, _ in
            try json(
                SessionResponse(
                    accessToken: await drive.refreshed(), refreshToken: "refresh-next", expiresIn: 900,
                    user: TestDevice.user, device: TestDevice.device))
        }
        router.post("v1/content/batch") { request, _ in try await contentBatch(request, drive) }
        router.get("v1/content/{revision}") { try await content($0, $1, drive) }
        router.get("v1/files/{id}") { request, context in
            try await authenticate(request, drive)
            if case .refuse(let code)? = await drive.nextFault("file") { throw Problem(code, "refused") }
            guard let file = await drive.files[context.parameters.get("id") ?? ""] else {
                throw Problem(.notFound, "There is no such file.")
            }
            return try json(file)
        }
        router.get("v1/files/{id}/revisions/{revision}/blocks") { request, context in
            try await authenticate(request, drive)
            if case .refuse(let code)? = await drive.nextFault("blocks") { throw Problem(code, "refused") }
            return Response(
                status: .ok,
                body: .init(
                    byteBuffer: ByteBuffer(bytes: await drive.blocks(of: context.parameters.get("revision") ?? ""))))
        }
        uploads(router, drive)
        router.post("v1/upload/batch") { request, _ in
            try await authenticate(request, drive)
            return try await uploadBatch(request, drive)
        }
        return router
    }

    private static func uploads(_ router: Router<BasicRequestContext>, _ drive: FakeDrive) {
        router.post("v1/upload") { request, _ in
            try await authenticate(request, drive)
            let body = try await request.body.collect(upTo: 8 << 20)
            if request.uri.queryParameters.get("uploadType") == "multipart" {
                return try await answer("whole", drive, body.readableBytes) {
                    let (metadata, content) = try parts(body, request.headers[.contentType] ?? "")
                    return try json(await drive.whole(metadata, content), status: .created)
                }
            }
            return try await answer("start", drive, 0) {
                let request = try WireCoding.decode(UploadRequest.self, from: Data(buffer: body))
                return try json(await drive.start(request), status: .created)
            }
        }
        router.get("v1/upload/{id}") { request, context in
            try await authenticate(request, drive)
            return try await answer("status", drive, 0) {
                let id = context.parameters.get("id") ?? ""
                guard await drive.has(id) else { throw Problem(.uploadExpired, "The session is over.") }
                return try json(await drive.response(id))
            }
        }
        router.delete("v1/upload/{id}") { request, context in
            try await authenticate(request, drive)
            await drive.cancel(context.parameters.get("id") ?? "")
            return Response(status: .noContent)
        }
        router.put("v1/upload/{id}/chunk") { request, context in
            try await authenticate(request, drive)
            return try await chunk(request, context.parameters.get("id") ?? "", drive)
        }
        router.post("v1/upload/{id}/plan") { request, context in
            try await authenticate(request, drive)
            let body = try await request.body.collect(upTo: 2 << 20)
            return try await answer("plan", drive, body.readableBytes) {
                guard let names = NamedBlocks.list(body.readableBytesView) else {
                    throw Problem(.planInvalid, "no list of blocks")
                }
                // It knows no revisions to copy from.
                let blocks = try names.map { name in
                    guard case .block(let block) = name else { throw Problem(.planInvalid, "no such base") }
                    return block
                }
                let from = request.uri.queryParameters["from"].flatMap { Int($0) } ?? 0
                return try json(
                    await drive.extendPlan(
                        context.parameters.get("id") ?? "", ExtendPlanRequest(from: from, blocks: blocks)))
            }
        }
        router.post("v1/upload/{id}/finalize") { request, context in
            try await authenticate(request, drive)
            let body = try await request.body.collect(upTo: 1 << 20)
            return try await answer("finalize", drive, 0) {
                let request = try WireCoding.decode(FinalizeRequest.self, from: Data(buffer: body))
                return try json(await drive.finalize(context.parameters.get("id") ?? "", request), status: .created)
            }
        }
    }

    private static func chunk(_ request: Request, _ id: String, _ drive: FakeDrive) async throws -> Response {
        var bytes = try await [UInt8](buffer: request.body.collect(upTo: 64 << 20))
        if let limit = await drive.proxyLimit, bytes.count > limit { return Response(status: .contentTooLarge) }
        if let limit = await drive.cutAfter, bytes.count > limit { return brokenOff }
        let fault = await drive.nextFault("chunk")
        if case .flipBit? = fault { bytes[bytes.count / 2] ^= 1 }
        if case .forgetSession? = fault { await drive.forget(id) }
        try refuse(fault)
        if request.headers[.contentType] == PatchRequest.patchMediaType {
            await drive.refuse(bytes)
            throw Problem(.patchInvalid, "no patches")
        }
        guard let range = request.headers[.contentRange].flatMap({ ContentRange(text: $0) }) else {
            throw Problem(.malformedRequest, "no range")
        }
        try await drive.put(
            bytes, hash: request.headers[HTTPField.Name(HeaderNames.chunkHash)!], at: range, in: id)
        var response = await drive.response(id)
        if case .impossible? = fault { response.chunksProcessed = response.totalChunks + 1 }
        if case .dropAnswer? = fault { return brokenOff }
        return try json(response, status: .init(code: 308))
    }

    static func answer(
        _ operation: String, _ drive: FakeDrive, _ bodySize: Int, _ act: () async throws -> Response
    ) async throws -> Response {
        if let limit = await drive.proxyLimit, bodySize > limit { return Response(status: .contentTooLarge) }
        let fault = await drive.nextFault(operation)
        try refuse(fault)
        if case .status(let code)? = fault { return Response(status: .init(code: code)) }
        if case .hold? = fault { await drive.hold() }
        let response = try await act()
        if case .dropAnswer? = fault { return brokenOff }
        return response
    }

    private static func refuse(_ fault: FakeDrive.Fault?) throws {
        if case .refuse(let code)? = fault { throw Problem(code, "refused on purpose") }
        if case .status(let code)? = fault { throw HTTPError(.init(code: code)) }
    }

    // MARK: - Content

    private static func content(
        _ request: Request, _ context: BasicRequestContext, _ drive: FakeDrive
    ) async throws -> Response {
        guard request.headers[.authorization] == nil else { throw Problem(.urlInvalid, "A token was sent to content.") }
        let fault = await drive.nextFault("content")
        if case .expiredAddress? = fault { throw Problem(.urlExpired, "expired") }
        try refuse(fault)
        guard let bytes = await drive.contents[context.parameters.get("revision") ?? ""] else {
            throw Problem(.notFound, "no such revision")
        }
        let ends = (request.headers[.range] ?? "").dropFirst("bytes=".count).split(separator: "-").compactMap {
            Int($0)
        }
        guard ends.count == 2, ends[1] < bytes.count else { throw Problem(.rangeNotSatisfiable, "no") }
        if case .wholeFile? = fault { return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(bytes: bytes))) }
        var part = Array(bytes[ends[0]...ends[1]])
        await drive.noteFetched(part.count)
        if case .flipContent? = fault { part[part.count / 2] ^= 1 }
        var first = ends[0]
        if case .wrongRange? = fault { first += 1 }
        if case .tooMuch? = fault { part.append(0) }
        let range = ContentRange(first: Int64(first), last: Int64(max(first, ends[1])), total: Int64(bytes.count))
        var headers: HTTPFields = [.contentRange: range.text]
        if await drive.packsAnswers,
            request.headers[HTTPField.Name(HeaderNames.acceptManipulations)!] == InstanceManipulations.packedRange
        {
            return try await packedRange(part, headers, fault, drive)
        }
        if case .cut? = fault {
            headers[.contentLength] = "\(part.count)"
            return Response(
                status: .partialContent, headers: headers, body: .cut(Array(part.prefix(part.count / 2)), part.count))
        }
        if let limit = await drive.cutAfter, part.count > limit {
            headers[.contentLength] = "\(part.count)"
            return Response(
                status: .partialContent, headers: headers, body: .cut(Array(part.prefix(limit)), part.count))
        }
        // Without a length: what is too much is noticed by its bytes.
        let body = ByteBuffer(bytes: part)
        return Response(
            status: .partialContent, headers: headers,
            body: .init { writer in
                try await writer.write(body)
                try await writer.finish(nil)
            })
    }

    private static func contentBatch(_ request: Request, _ drive: FakeDrive) async throws -> Response {
        try await authenticate(request, drive)
        let body = try await request.body.collect(upTo: 1 << 20)
        let ids = try WireCoding.decode(ContentBatchRequest.self, from: Data(buffer: body)).revisionIds
        let fault = await drive.nextBatch(ids)
        guard await drive.knowsContentBatches else { throw Problem(.methodNotAllowed, "an older server") }
        if case .status(let code)? = fault { return Response(status: .init(code: code)) }
        let isPacked = await drive.packsAnswers && request.headers[.acceptEncoding] == ContentCodings.zstd
        var bytes = [UInt8]()
        for (index, id) in ids.enumerated() {
            switch fault {
            case .cut(index):
                let item = try await drive.batchItem(id, nil, flipped: false)
                let part = bytes + item.prefix(item.count / 2)
                if isPacked { return try cutPacked(part) }
                return Response(
                    status: .ok, headers: [.contentLength: "\(part.count * 2)"], body: .cut(part, part.count * 2))
            case .hold(index): return .init(status: .ok, body: try await held(bytes, ids[index...], drive))
            case .refuse(index, let code): bytes += try await drive.batchItem(id, code, flipped: false)
            case .otherRevision(index): bytes += try await drive.batchItem(id, nil, flipped: false, named: "other")
            case .flip(index): bytes += try await drive.batchItem(id, nil, flipped: true)
            default: bytes += try await drive.batchItem(id, nil, flipped: false)
            }
        }
        if isPacked {
            let packed = try packed(bytes, garbled: fault.isGarble, truncated: fault.isTruncate)
            await drive.notePacked(packed.count)
            return Response(
                status: .ok, headers: [.contentEncoding: ContentCodings.zstd],
                body: .init(byteBuffer: ByteBuffer(bytes: packed)))
        }
        return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private static func held(
        _ bytes: [UInt8], _ rest: ArraySlice<String>, _ drive: FakeDrive
    ) async throws -> ResponseBody {
        var later = [UInt8]()
        for id in rest { later += try await drive.batchItem(id, nil, flipped: false) }
        let parts = (bytes, later)
        return ResponseBody { writer in
            if !parts.0.isEmpty { try await writer.write(ByteBuffer(bytes: parts.0)) }
            await drive.hold()
            try await writer.write(ByteBuffer(bytes: parts.1))
            try await writer.finish(nil)
        }
    }

    // MARK: - Pieces

    private static func authenticate(_ request: Request, _ drive: FakeDrive) async throws {
        guard let token = request.headers[.authorization] else { throw Problem(.signInRequired, "no token") }
        guard token == "Bearer \(await drive.accessToken)" else { throw Problem(.tokenExpired, "expired") }
    }

    private static func parts(_ body: ByteBuffer, _ type: String) throws -> (UploadRequest, [UInt8]) {
        let boundary = Data("--\(type.split(separator: "=").last ?? "")".utf8)
        let data = Data(buffer: body)
        let blank = Data("\r\n\r\n".utf8)
        guard let first = data.range(of: boundary),
            let head = data.range(of: blank, in: first.upperBound..<data.endIndex),
            let second = data.range(of: boundary, in: head.upperBound..<data.endIndex),
            let next = data.range(of: blank, in: second.upperBound..<data.endIndex),
            let last = data.range(of: boundary, in: next.upperBound..<data.endIndex)
        else { throw Problem(.malformedRequest, "no multipart") }
        let metadata = data[head.upperBound..<(second.lowerBound - 2)]
        return (
            try WireCoding.decode(UploadRequest.self, from: Data(metadata)),
            [UInt8](data[next.upperBound..<(last.lowerBound - 2)])
        )
    }

    private static var brokenOff: Response {
        Response(status: .ok, headers: [.contentLength: "1000"], body: .cut([1], 1000))
    }

    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: try WireCoding.encode(value))))
    }
}

extension ResponseBody {
    /// Says `length`, sends less, and breaks off.
    static func cut(_ bytes: [UInt8], _ length: Int) -> ResponseBody {
        ResponseBody(contentLength: length) { writer in
            try await writer.write(ByteBuffer(bytes: bytes))
            throw CancellationError()
        }
    }
}

/// Problems as documents.
private struct FakeRefusals: RouterMiddleware {
    func handle(
        _ request: Request, context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let problem as Problem {
            return Response(
                status: .init(code: problem.status), headers: [.contentType: Problem.mediaType],
                body: .init(byteBuffer: ByteBuffer(bytes: try WireCoding.encode(problem))))
        }
    }
}
