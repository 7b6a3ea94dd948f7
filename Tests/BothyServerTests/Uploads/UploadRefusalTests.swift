import BothyContent
import BothyContract
import BothyServer
import Foundation
import HTTPTypes
import NIOCore
import Testing

/// Bad input to uploads: a clear problem, nothing half done, and a session that goes on.
@Suite struct UploadRefusalTests {
    private let chunk = UploadWorld.chunk

    @Test(arguments: [
        "bytes 1-100/100", "bytes 0-98/100", "bytes 0-99/101", "bytes 100-199/200", "bytes 0-199/100",
        "bytes 5-2/100", "bytes -5-10/100", "bytes 0-99999999999999999999/100", "bytes 0--1/100",
        "bytes 9223372036854775806-9223372036854775807/*", "bytes 0-9223372036854775807/*",
    ])
    func aRangeOffThePlanIsRefusedWithThePlansBounds(_ range: String) async throws {
        let world = try await UploadWorld()
        let session = try await world.startFixed("range", size: 100)
        let answer = try await world.put(session.uploadId, range: range, UploadWorld.bytes(100))
        #expect(answer.status == 416)
        #expect(answer.code == .rangeOffPlan)
        #expect(try answer.problem().plan == PlanBounds(size: 100, chunkSize: Int64(chunk), totalChunks: 1))
        #expect(try await world.status(session.uploadId).receivedChunks.isEmpty)
        #expect(try await world.put(session.uploadId, range: "bytes 0-99/100", UploadWorld.bytes(100)).status == 308)
    }

    /// A session is kept for a month, and outside of every quota.
    @Test func idsThatCanBeNoneAreNotKept() async throws {
        let world = try await UploadWorld()
        for id in [String(repeating: "a", count: 65), "../x", ""] {
            for (file, parent, base) in [(id, nil, nil), (nil, id, nil), (nil, nil, id)]
                as [(String?, String?, String?)]
            {
                let request = UploadRequest(
                    requestId: nil, name: "a", parentId: parent, size: 1, fileId: file, baseRevisionId: base)
                #expect(try await world.tryStart(request).code == .invalidParameter)
            }
        }
        let kept = try await world.server.database.read { try $0.first("SELECT count(*) FROM uploads")?.int(0) }
        #expect(kept == 0)
    }

    @Test(arguments: ["items 0-99/100", "0-99", ""])
    func aRangeOfAnotherUnitCannotBeRead(_ range: String) async throws {
        let world = try await UploadWorld()
        let session = try await world.startFixed("range", size: 100)
        let answer = try await world.put(session.uploadId, range: range, UploadWorld.bytes(100))
        #expect(answer.code == .malformedRequest)
    }

    @Test(arguments: ["1", "-1", "99999999999999999999", "x", "0x0"])
    func anIndexOffThePlanIsRefused(_ index: String) async throws {
        let world = try await UploadWorld()
        let session = try await world.startFixed("index", size: 100)
        let answer = try await world.server.send(
            .put, "/v1/upload/\(session.uploadId)/chunks/\(index)", body: ByteBuffer(bytes: UploadWorld.bytes(100)))
        #expect(answer.code == .rangeOffPlan)
    }

    @Test(arguments: [0, 99, 101, 300_000])
    func aBodyOfAnotherLengthIsRefused(_ length: Int) async throws {
        let world = try await UploadWorld()
        let session = try await world.startFixed("length", size: 100)
        let answer = try await world.put(session.uploadId, chunk: 0, UploadWorld.bytes(length))
        #expect(answer.code == .lengthMismatch)
        #expect(try await world.status(session.uploadId).receivedChunks.isEmpty)
        #expect(world.packs.writersUnderWay == 0)
    }

    @Test func aChunkThatDoesNotMatchItsHashIsNotKept() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(2 * chunk)
        let session = try await world.startFixed("corrupt", size: content.count)
        var spoiled = Array(content[..<chunk])
        spoiled[1000] ^= 1
        let answer = try await world.put(
            session.uploadId, chunk: 0, spoiled, hash: SHA256Hasher.hash(Array(content[..<chunk])))
        #expect(answer.status == 422)
        #expect(answer.code == .chunkCorrupt)
        #expect(try answer.problem().computedSha256 == SHA256Hasher.hash(spoiled))
        #expect(try await world.status(session.uploadId).receivedChunks.isEmpty)
        #expect(world.packs.blockCount == 0)
        #expect(try await world.used() == 0)
        try await world.putAll(session.uploadId, content)
        #expect(try await world.finalize(session.uploadId).status == 201)
    }

    @Test func nothingOfABodyOfSeveralChunksIsKeptWhenItsHashIsWrong() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(2 * chunk)
        let session = try await world.startFixed("corrupt", size: content.count)
        let answer = try await world.put(
            session.uploadId, range: "bytes 0-\(content.count - 1)/\(content.count)", content,
            headers: [.chunkHash: "sha256=\(SHA256Hasher.hash([1]).hex)"])
        #expect(answer.code == .chunkCorrupt)
        #expect(try await world.status(session.uploadId).receivedChunks.isEmpty)
        #expect(try await world.used() == 0)
    }

    @Test func contentDigestStandsForTheChunkHash() async throws {
        let world = try await UploadWorld()
        let bytes = UploadWorld.bytes(100)
        let session = try await world.startFixed("digest", size: 100)
        let wrong = Data(SHA256Hasher.hash([1]).bytes).base64EncodedString()
        let right = Data(SHA256Hasher.hash(bytes).bytes).base64EncodedString()
        let refused = try await world.put(
            session.uploadId, range: "bytes 0-99/100", bytes, headers: [.contentDigest: "sha-256=:\(wrong):"])
        #expect(refused.code == .chunkCorrupt)
        let taken = try await world.put(
            session.uploadId, range: "bytes 0-99/100", bytes,
            headers: [.contentDigest: "md5=:AAAA:, sha-256=:\(right):"])
        #expect(taken.status == 308)
    }

    @Test(arguments: ["sha256=", "sha256=abc", "md5=0123", "0123", "sha256=" + String(repeating: "g", count: 64)])
    func aHashThatIsNoneIsRefused(_ text: String) async throws {
        let world = try await UploadWorld()
        let session = try await world.startFixed("hash", size: 100)
        let answer = try await world.put(
            session.uploadId, range: "bytes 0-99/100", UploadWorld.bytes(100), headers: [.chunkHash: text])
        #expect(answer.code == .invalidParameter)
        #expect(try await world.status(session.uploadId).receivedChunks.isEmpty)
    }

    @Test func theSameChunkAgainIsFineAndAnotherInItsPlaceIsNot() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(2 * chunk)
        let first = Array(content[..<chunk])
        let second = Array(content[chunk...])
        let session = try await world.startFixed("again", size: content.count)
        for _ in 0..<3 {
            let answer = try await world.put(session.uploadId, chunk: 0, first)
            #expect(try answer.json(UploadResponse.self).chunksProcessed == 1)
        }
        #expect(try await world.put(session.uploadId, chunk: 0, second).code == .chunkHashConflict)
        let unhashed = try await world.put(session.uploadId, range: "bytes 0-\(chunk - 1)/*", second)
        #expect(unhashed.code == .chunkHashConflict)
        #expect(try await world.used() == Int64(chunk))
        try await world.putAll(session.uploadId, content)
        let done = try await world.finalize(session.uploadId).json(FinalizeResponse.self)
        #expect(done.fileHashSha256 == SHA256Hasher.hash(content))
    }

    @Test func theSameChunkSideBySideCountsOnce() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(2 * chunk)
        let session = try await world.startFixed("twins", size: content.count)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask { try await world.put(session.uploadId, chunk: 0, Array(content[..<chunk])).status }
            }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(statuses == [308])
        #expect(try await world.status(session.uploadId).chunksProcessed == 1)
        #expect(try await world.used() == Int64(chunk))
    }

    static let plansThatCannotBe: [(UploadRequest, ProblemCode)] = {
        func request(size: Int64?, _ plan: ChunkPlan? = nil) -> UploadRequest {
            UploadRequest(requestId: nil, name: "x", size: size, plan: plan)
        }
        let block = UploadWorld.reference([1])
        return [
            (request(size: -1), .invalidParameter),
            (request(size: UploadLimits.maximumFileSize + 1), .fileTooLarge),
            (request(size: .max), .fileTooLarge),
            (request(size: nil), .planInvalid),
            (request(size: 10, .fixed(chunkSize: 0)), .planInvalid),
            (request(size: 10, .fixed(chunkSize: -4)), .planInvalid),
            (request(size: 10, .fixed(chunkSize: (256 << 10) - 1)), .planInvalid),
            (request(size: 10, .fixed(chunkSize: (16 << 20) + 1)), .planInvalid),
            (request(size: 2, .blocks([block])), .planInvalid),
            (request(size: 0, .open([block])), .planInvalid),
            (request(size: nil, .blocks([BlockReference(sha256: block.sha256, size: 0)])), .planInvalid),
            (request(size: nil, .blocks([BlockReference(sha256: block.sha256, size: -1)])), .planInvalid),
            (request(size: nil, .blocks([BlockReference(sha256: block.sha256, size: .max)])), .planInvalid),
            (
                request(
                    size: nil,
                    .blocks(Array(repeating: BlockReference(sha256: block.sha256, size: 16 << 20), count: 641))),
                .fileTooLarge
            ),
        ]
    }()

    @Test(arguments: plansThatCannotBe)
    func aPlanThatCannotBeStartsNothing(_ request: UploadRequest, _ code: ProblemCode) async throws {
        let world = try await UploadWorld()
        #expect(try await world.tryStart(request).code == code)
        let sessions = try await world.server.database.read { try $0.first("SELECT count(*) FROM uploads")?.int(0) }
        #expect(sessions == 0)
    }

    @Test func aBlockWhoseSizeLiesIsNeverReceived() async throws {
        let world = try await UploadWorld()
        let data = UploadWorld.bytes(1000)
        let lie = BlockReference(sha256: SHA256Hasher.hash(data), size: 900)
        let session = try await world.start(UploadRequest(requestId: nil, name: "liar", plan: .blocks([lie])))
        #expect(try await world.put(session.uploadId, chunk: 0, data).code == .lengthMismatch)
        #expect(
            try await world.put(session.uploadId, chunk: 0, Array(data[..<900]), hash: lie.sha256).code == .chunkCorrupt
        )
        #expect(try await world.put(session.uploadId, chunk: 0, Array(data[..<900])).code == .chunkHashConflict)
        #expect(try await world.status(session.uploadId).receivedChunks.isEmpty)
        // Of a block that the drive has, the lie is known at once.
        _ = try await world.upload("truth", data)
        #expect(
            try await world.tryStart(UploadRequest(requestId: nil, name: "l2", plan: .blocks([lie]))).code
                == .planInvalid)
    }

    @Test func aPlanIsExtendedOnlyWithoutContradiction() async throws {
        let world = try await UploadWorld()
        let blocks = (0..<3).map { UploadWorld.reference(UploadWorld.bytes(10 + $0, seed: UInt64($0 + 1))) }
        let session = try await world.start(
            UploadRequest(requestId: nil, name: "open", plan: .open(Array(blocks[..<2]))))
        func extend(_ from: Int, _ blocks: [BlockReference]) async throws -> TestAnswer {
            try await world.server.send(
                .post, "/v1/upload/\(session.uploadId)/plan", json: ExtendPlanRequest(from: from, blocks: blocks))
        }
        #expect(try await extend(0, [blocks[1]]).code == .planConflict)
        #expect(try await extend(1, [blocks[1], blocks[2]]).status == 200)
        #expect(try await extend(2, [blocks[0]]).code == .planConflict)
        #expect(try await extend(4, [blocks[0]]).code == .planInvalid)
        #expect(try await extend(-1, [blocks[0]]).code == .planInvalid)
        // It ended the whole server: the place behind the last one is no number any more.
        #expect(try await extend(.max, [blocks[0]]).code == .planInvalid)
        #expect(try await extend(3, [BlockReference(sha256: blocks[0].sha256, size: 17 << 20)]).code == .planInvalid)
        #expect(try await world.status(session.uploadId).totalChunks == 3)
        let fixed = try await world.startFixed("fixed", size: 10)
        let closed = try await world.server.send(
            .post, "/v1/upload/\(fixed.uploadId)/plan", json: ExtendPlanRequest(from: 0, blocks: []))
        #expect(closed.code == .planNotOpen)
    }

    /// Whoever cuts by a later release's parameters is told before a byte comes, and learns how the drive's files are cut.
    @Test(arguments: [0, -1, 2, Int.max], [ChunkPlan.Kind.open, .blocks, .fixed])
    func aPlanOfUnknownParametersIsRefused(version: Int, kind: ChunkPlan.Kind) async throws {
        let world = try await UploadWorld()
        func start(_ parameters: Int?) async throws -> TestAnswer {
            try await world.server.send(
                .post, "/v1/upload?uploadType=resumable",
                json: UploadRequest(
                    requestId: nil, name: "film", size: 0, plan: ChunkPlan(kind: kind, parameters: parameters),
                    finalize: .explicit))
        }
        let refused = try await start(version)
        #expect(refused.status == 422 && refused.code == .parametersUnknown)
        let open = try await world.server.database.read {
            try UploadTable($0, drive: 1).openSessions(lived: 0)
        }
        #expect(open == 0)
        for known in [nil, 1] {
            let taken = try await start(known)
            #expect(taken.status == 201)
            #expect(try taken.json(UploadResponse.self).blockParameters == 1)
        }
    }

    /// They are the drive's: a later release may have changed them.
    @Test func theDrivesParametersAreTold() async throws {
        let world = try await UploadWorld()
        try await world.server.database.write { try $0.execute("UPDATE drives SET block_parameters = 7") }
        let session = try await world.start(UploadRequest(requestId: nil, name: "film", plan: .open()))
        #expect(session.blockParameters == 7)
        #expect(try await world.status(session.uploadId).blockParameters == 7)
    }

    /// Named so they would be shared with none of the drive's devices; whoever cuts in a way of their own says nothing of it.
    @Test func blocksThatAreCutOtherwiseThanTheDrivesAreRefused() async throws {
        let world = try await UploadWorld()
        let begun = try await world.start(UploadRequest(requestId: nil, name: "begun", plan: .open(parameters: 1)))
        let own = try await world.start(UploadRequest(requestId: nil, name: "own", plan: .open()))
        try await world.server.database.write { try $0.execute("UPDATE drives SET block_parameters = 7") }
        let refused = try await world.server.send(
            .post, "/v1/upload?uploadType=resumable",
            json: UploadRequest(requestId: nil, name: "film", plan: .open(parameters: 1)))
        #expect(refused.status == 409 && refused.code == .parametersDiffer)
        #expect(try refused.problem().blockParameters == 7)
        let names = ExtendPlanRequest(from: 0, blocks: [BlockReference(sha256: SHA256Hasher.hash([1]), size: 1)])
        let late = try await world.server.send(.post, "/v1/upload/\(begun.uploadId)/plan", json: names)
        #expect(late.code == .parametersDiffer)
        #expect(try late.problem().blockParameters == 7)
        #expect(try await world.status(begun.uploadId).totalChunks == 0)
        #expect(try await world.server.send(.post, "/v1/upload/\(own.uploadId)/plan", json: names).status == 200)
    }

    @Test func anotherAccountsSessionIsNotThere() async throws {
        let world = try await UploadWorld()
        let session = try await world.startFixed("mine", size: 10)
        let id = session.uploadId
        #expect(try await world.put(id, chunk: 0, UploadWorld.bytes(10), as: .stranger).status == 404)
        #expect(try await world.finalize(id, as: .stranger).status == 404)
        #expect(try await world.server.send(.get, "/v1/upload/\(id)", as: .stranger).status == 404)
        #expect(try await world.server.send(.delete, "/v1/upload/\(id)", as: .stranger).status == 404)
        #expect(try await world.server.send(.get, "/v1/upload/nothing").status == 404)
        #expect(try await world.server.send(.get, "/v1/upload/%2e%2e%2f").status == 404)
    }

    @Test(arguments: [
        ("--b\r\n\r\n{\"name\":\"x\"}\r\n--b\r\n\r\ncontent", "it does not end"),
        ("--b\r\n\r\n{\"name\":\"x\"}\r\n--b--\r\n", "it has one part"),
        ("no delimiter", "it has no part"),
        ("--b\r\nno colon\r\n\r\n{}\r\n--b\r\n\r\nx\r\n--b--", "a header is none"),
        ("--b\r\n\r\n{\"name\":\"x\"}\r\n--b\r\n\r\nx\r\n--b\r\n\r\ny\r\n--b--", "it has three parts"),
        ("--b\r\n\r\n" + String(repeating: "\r\n--b\r\n\r\nx", count: 100) + "\r\n--b--", "it has a hundred parts"),
        (
            "--b\r\nX: " + String(repeating: "y", count: 1 << 20) + "\r\n\r\n{}\r\n--b\r\n\r\nx\r\n--b--",
            "its headers are a megabyte"
        ),
        ("", "it is empty"),
    ])
    func aMultipartBodyThatCannotBeReadMakesNothing(_ body: String, _ why: String) async throws {
        let world = try await UploadWorld()
        let answer = try await world.server.send(
            .post, "/v1/upload?uploadType=multipart", body: ByteBuffer(string: body),
            headers: [.contentType: "multipart/related; boundary=\"b\""])
        #expect(answer.code == .malformedRequest, "\(why)")
        #expect(try await world.server.names().isEmpty)
    }

    @Test func aSimpleUploadHasItsBounds() async throws {
        let world = try await UploadWorld()
        func send(_ query: String, _ body: ByteBuffer, _ headers: HTTPFields = [:]) async throws -> TestAnswer {
            try await world.server.send(.post, "/v1/upload?\(query)", body: body, headers: headers)
        }
        let large = ByteBuffer(repeating: 7, count: 5 << 20)
        #expect(try await send("uploadType=media&name=max", large).status == 201)
        #expect(
            try await send("uploadType=media&name=more", ByteBuffer(repeating: 7, count: (5 << 20) + 1)).code
                == .bodyTooLarge)
        #expect(try await send("uploadType=media", ByteBuffer()).code == .invalidParameter)
        #expect(try await send("uploadType=media&name=..", ByteBuffer()).code == .invalidName)
        #expect(try await send("uploadType=spiral&name=x", ByteBuffer()).code == .invalidParameter)
        #expect(
            try await send("uploadType=multipart", ByteBuffer(), [.contentType: "text/plain"]).code
                == .unsupportedMediaType)
        let folder = ["Content-Type": File.folderMimeType]
        #expect(
            try await send("uploadType=media&name=x", ByteBuffer(), [.contentType: folder["Content-Type"]!]).code
                == .invalidParameter)
        #expect(try await world.server.names() == ["max"])
    }

    @Test func aBodyOfUnknownLengthNeedsAHashThatTellsItsEndFromACut() async throws {
        let world = try await UploadWorld()
        let path = "/v1/upload?uploadType=media&name=stream"
        let refused = try await world.server.send(
            .post, path, body: ByteBuffer(string: "half"), headers: [.transferEncoding: "chunked"])
        #expect(refused.code == .lengthMismatch)
        let hash = SHA256Hasher.hash(Array("half a file".utf8))
        let headers: HTTPFields = [.transferEncoding: "chunked", .chunkHash: "sha256=\(hash.hex)"]
        #expect(
            try await world.server.send(.post, path, body: ByteBuffer(string: "half"), headers: headers).code
                == .hashMismatch)
        #expect(try await world.server.names().isEmpty)
        #expect(
            try await world.server.send(.post, path, body: ByteBuffer(string: "half a file"), headers: headers).status
                == 201)
        let session = try await world.startFixed("session", size: 0)
        let cut = try await world.server.send(
            .post, "/v1/upload/\(session.uploadId)/finalize", body: ByteBuffer(),
            headers: [.transferEncoding: "chunked"])
        #expect(cut.code == .malformedRequest)
    }

    @Test func moreThanAThousandOpenSessionsAreTooMany() async throws {
        let world = try await UploadWorld()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<UploadLimits.maximumOpenSessions {
                group.addTask { _ = try await world.startFixed("s\(index)", size: 10) }
            }
            try await group.waitForAll()
        }
        let request = UploadRequest(requestId: nil, name: "one more", size: 10)
        let refused = try await world.tryStart(request)
        #expect(refused.status == 429)
        #expect(refused.code == .tooManyUploads)
        #expect(refused.headers[.retryAfter] != nil)
        #expect(try await world.tryStart(request, as: .stranger).status == 201)
        world.server.clock.advance(seconds: UploadLimits.sessionLifetime + 1)
        #expect(try await world.tryStart(request).status == 201, "those that expired count no more")
    }
}
