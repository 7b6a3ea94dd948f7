import BothyContent
import BothyContract
import BothyServer
import Foundation
import HTTPTypes
import NIOCore
import Testing

/// Uploads from their start to the bytes that come back, through the routes.
@Suite struct UploadFlowTests {
    private let chunk = UploadWorld.chunk

    @Test func chunksInOrderBecomeTheFileThatWasSent() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(3 * chunk + 17)
        let session = try await world.startFixed("film", size: content.count)
        #expect(session.totalChunks == 4)
        #expect(session.receivedChunks.isEmpty)
        for index in 0..<4 {
            let piece = Array(content[(index * chunk)..<min((index + 1) * chunk, content.count)])
            let answer = try await world.put(session.uploadId, chunk: index, piece)
            #expect(answer.status == 308)
            #expect(answer.headers[.range] == "bytes=0-\(index * chunk + piece.count - 1)")
            #expect(try answer.json(UploadResponse.self).chunksProcessed == index + 1)
        }
        let answer = try await world.finalize(session.uploadId)
        #expect(answer.status == 201)
        let done: FinalizeResponse = try answer.json()
        #expect(done.fileHashSha256 == SHA256Hasher.hash(content))
        #expect(answer.cursor != nil)
        #expect(answer.eTag == "\"1-1\"")
        #expect(Array(try await world.read(done.file).body.readableBytesView) == content)
        #expect(try await world.used() == Int64(content.count))
    }

    @Test func chunksInAnyOrderSideBySideBecomeTheFile() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(12 * chunk + 5)
        let session = try await world.startFixed("shuffled", size: content.count, finalize: .auto)
        let answers = try await withThrowingTaskGroup(of: TestAnswer.self) { group in
            for index in (0..<13).shuffled() {
                let piece = Array(content[(index * chunk)..<min((index + 1) * chunk, content.count)])
                group.addTask { try await world.put(session.uploadId, chunk: index, piece) }
            }
            return try await group.reduce(into: [TestAnswer]()) { $0.append($1) }
        }
        #expect(answers.filter { $0.status == 201 }.count >= 1)
        let status = try await world.status(session.uploadId)
        let file = try #require(status.file)
        #expect(file.checksum == SHA256Hasher.hash(content))
        #expect(Array(try await world.read(file).body.readableBytesView) == content)
    }

    @Test func oneBodyOfSeveralChunksIsTakenApart() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(5 * chunk + 9)
        let session = try await world.startFixed("runs", size: content.count)
        let tail = Array(content[(2 * chunk)...])
        let first = try await world.put(
            session.uploadId, range: "bytes \(2 * chunk)-\(content.count - 1)/\(content.count)", tail,
            headers: [.chunkHash: "sha256=\(SHA256Hasher.hash(tail).hex)"])
        #expect(first.status == 308)
        #expect(first.headers[.range] == nil)
        #expect(try first.json(UploadResponse.self).receivedChunks == [ChunkRun(first: 2, last: 5)])
        let second = try await world.put(
            session.uploadId, range: "bytes 0-\(2 * chunk - 1)/*", Array(content[..<(2 * chunk)]))
        #expect(second.headers[.range] == "bytes=0-\(content.count - 1)")
        let done = try await world.finalize(session.uploadId).json(FinalizeResponse.self)
        #expect(Array(try await world.read(done.file).body.readableBytesView) == content)
    }

    @Test func namedBlocksOfAnySizeBecomeTheFile() async throws {
        let world = try await UploadWorld()
        let blocks = [1, 300_000, 70_000, 5].enumerated().map { UploadWorld.bytes($1, seed: UInt64($0 + 1)) }
        let session = try await world.start(
            UploadRequest(
                requestId: nil, name: "blocks", plan: .blocks(blocks.map(UploadWorld.reference)), finalize: .explicit))
        for index in [3, 1, 0, 2] {
            #expect(try await world.put(session.uploadId, chunk: index, blocks[index]).status == 308)
        }
        let done = try await world.finalize(session.uploadId).json(FinalizeResponse.self)
        #expect(Array(try await world.read(done.file).body.readableBytesView) == blocks.flatMap { $0 })
    }

    @Test func aRangeOverNamedBlocksFindsThem() async throws {
        let world = try await UploadWorld()
        let blocks = (0..<40).map { UploadWorld.bytes(100 + $0 * 7, seed: UInt64($0 + 1)) }
        let session = try await world.start(
            UploadRequest(requestId: nil, name: "many", plan: .blocks(blocks.map(UploadWorld.reference))))
        let start = blocks[..<17].reduce(0) { $0 + $1.count }
        let body = blocks[17..<31].flatMap { $0 }
        let answer = try await world.put(session.uploadId, range: "bytes \(start)-\(start + body.count - 1)/*", body)
        #expect(answer.status == 308)
        #expect(try answer.json(UploadResponse.self).receivedChunks == [ChunkRun(first: 17, last: 30)])
        let inside = try await world.put(
            session.uploadId, range: "bytes \(start + 1)-\(start + 50)/*", Array(body[1...50]))
        #expect(inside.code == .rangeOffPlan)
    }

    @Test func aBlockThatRepeatsIsSentOnce() async throws {
        let world = try await UploadWorld()
        let zero = [UInt8](repeating: 0, count: 1000)
        let other = UploadWorld.bytes(500)
        let plan = [zero, other, zero, zero].map(UploadWorld.reference)
        let session = try await world.start(UploadRequest(requestId: nil, name: "zeros", plan: .blocks(plan)))
        let first = try await world.put(session.uploadId, chunk: 2, zero)
        #expect(
            try first.json(UploadResponse.self).receivedChunks == [
                ChunkRun(first: 0, last: 0), ChunkRun(first: 2, last: 3),
            ])
        let last = try await world.put(session.uploadId, chunk: 1, other)
        #expect(last.status == 201)
        let file = try #require(try last.json(UploadResponse.self).file)
        #expect(Array(try await world.read(file).body.readableBytesView) == zero + other + zero + zero)
        #expect(try await world.used() == 1500)
    }

    @Test func anOpenPlanGrowsWhileItsBlocksCome() async throws {
        let world = try await UploadWorld()
        let blocks = (0..<6).map { UploadWorld.bytes(3000 + $0, seed: UInt64($0 + 1)) }
        let session = try await world.start(
            UploadRequest(requestId: nil, name: "stream", plan: .open([UploadWorld.reference(blocks[0])])))
        _ = try await world.put(session.uploadId, chunk: 0, blocks[0])
        for index in 1..<6 {
            let request = ExtendPlanRequest(
                from: index - 1, blocks: blocks[(index - 1)...index].map(UploadWorld.reference))
            let grown = try await world.server.send(.post, "/v1/upload/\(session.uploadId)/plan", json: request)
            #expect(
                try grown.json(ExtendPlanResponse.self)
                    == ExtendPlanResponse(
                        totalChunks: index + 1, receivedChunks: [ChunkRun(first: index - 1, last: index - 1)]))
            #expect(try await world.put(session.uploadId, chunk: index, blocks[index]).status == 308)
        }
        let whole = blocks.flatMap { $0 }
        let unclosed = try await world.finalize(session.uploadId)
        #expect(unclosed.code == .invalidParameter)
        let answer = try await world.finalize(
            session.uploadId, FinalizeRequest(size: Int64(whole.count), fileHashSha256: SHA256Hasher.hash(whole)))
        #expect(answer.status == 201, "\(answer.text)")
        #expect(Array(try await world.read(answer.json(FinalizeResponse.self).file).body.readableBytesView) == whole)
    }

    @Test func aSmallFileGoesUpInOneRequest() async throws {
        let world = try await UploadWorld()
        let answer = try await world.server.send(
            .post, "/v1/upload?uploadType=media&name=note.txt&parentId=root", body: ByteBuffer(string: "Hello"),
            headers: [.contentType: "text/plain"])
        #expect(answer.status == 201, "\(answer.text)")
        let file = try answer.file()
        #expect(file.mimeType == "text/plain")
        #expect(answer.cursor != nil)
        #expect(try await world.read(file).text == "Hello")
        #expect(try await world.used() == 5)
    }

    @Test func metadataAndContentGoUpInOneBody() async throws {
        let world = try await UploadWorld()
        let content = "--not-the-boundary\r\n\r\n--b-\r\n"
        let body =
            "--bound\r\nContent-Type: application/json\r\n\r\n{\"name\":\"a.jpg\",\"modifiedAt\":\"1969-07-20T20:17:40.123456789Z\"}"
            + "\r\n--bound\r\nContent-Type: image/jpeg\r\n\r\n\(content)\r\n--bound--\r\n"
        let answer = try await world.server.send(
            .post, "/v1/upload?uploadType=multipart", body: ByteBuffer(string: body),
            headers: [.contentType: "multipart/related; boundary=bound"])
        #expect(answer.status == 201, "\(answer.text)")
        let file = try answer.file()
        #expect(file.mimeType == "image/jpeg")
        #expect(file.modifiedAt.rfc3339 == "1969-07-20T20:17:40.123456789Z")
        #expect(try await world.read(file).text == content)
    }

    @Test func aRequestIdActsOnce() async throws {
        let world = try await UploadWorld()
        let headers: HTTPFields = [.idempotencyKey: "once"]
        let path = "/v1/upload?uploadType=media&name=note"
        let first = try await world.server.send(.post, path, body: ByteBuffer(string: "x"), headers: headers)
        let again = try await world.server.send(.post, path, body: ByteBuffer(string: "x"), headers: headers)
        #expect(try first.file().id == again.file().id)
        let other = try await world.server.send(.post, path, body: ByteBuffer(string: "y"), headers: headers)
        #expect(other.code == .idempotencyMismatch)
        let start = #"{"requestId":"session","name":"big","size":5}"#
        let one = try await world.server.send(.post, "/v1/upload?uploadType=resumable", text: start)
        let two = try await world.server.send(.post, "/v1/upload?uploadType=resumable", text: start)
        #expect(try one.json(UploadResponse.self).uploadId == two.json(UploadResponse.self).uploadId)
    }

    @Test func anEmptyFileNeedsNoChunk() async throws {
        let world = try await UploadWorld()
        let explicit = try await world.startFixed("explicit", size: 0)
        #expect(try await world.finalize(explicit.uploadId).status == 201)
        let auto = try await world.startFixed("auto", size: 0, finalize: .auto)
        let file = try #require(auto.file)
        #expect(file.size == 0)
        #expect(try await world.read(file).body.readableBytes == 0)
    }

    @Test func contentThatTheDriveHasCompletesAtOnce() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(2 * chunk)
        _ = try await world.upload("one", content)
        let again = try await world.startFixed("two", size: content.count, hash: SHA256Hasher.hash(content))
        let file = try #require(again.file)
        #expect(again.chunksProcessed == again.totalChunks)
        #expect(Array(try await world.read(file).body.readableBytesView) == content)
        #expect(try await world.used() == Int64(content.count))
        let lie = try await world.startFixed("three", size: content.count + 1, hash: SHA256Hasher.hash(content))
        #expect(lie.file == nil)
        let stranger = try await world.startFixed(
            "theirs", size: content.count, hash: SHA256Hasher.hash(content), as: .stranger)
        #expect(stranger.file == nil)
    }

    @Test func blocksThatTheDriveHasCountAsReceivedAndFinishTheFile() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(3 * chunk)
        let pieces = (0..<3).map { Array(content[($0 * chunk)..<(($0 + 1) * chunk)]) }
        _ = try await world.upload("one", content)
        let extra = UploadWorld.bytes(100, seed: 9)
        let plan = [pieces[2], extra, pieces[0]].map(UploadWorld.reference)
        let session = try await world.start(UploadRequest(requestId: nil, name: "mix", plan: .blocks(plan)))
        #expect(session.receivedChunks == [ChunkRun(first: 0, last: 0), ChunkRun(first: 2, last: 2)])
        let done = try await world.put(session.uploadId, chunk: 1, extra)
        let file = try #require(try done.json(UploadResponse.self).file)
        #expect(Array(try await world.read(file).body.readableBytesView) == pieces[2] + extra + pieces[0])
        // Nothing is left to send: the start itself finishes it.
        let whole = try await world.start(
            UploadRequest(requestId: nil, name: "whole", plan: .blocks(pieces.reversed().map(UploadWorld.reference))))
        #expect(whole.file?.checksum == SHA256Hasher.hash(pieces.reversed().flatMap { $0 }))
    }

    @Test func aNewRevisionKeepsTheOldOne() async throws {
        let world = try await UploadWorld()
        let first = try await world.upload("report", UploadWorld.bytes(1000))
        let session = try await world.start(
            UploadRequest(
                requestId: nil, name: "report", size: 900, fileId: first.id, baseRevisionId: first.headRevisionId,
                finalize: .auto))
        let done = try await world.put(session.uploadId, chunk: 0, UploadWorld.bytes(900, seed: 5))
        let second = try #require(try done.json(UploadResponse.self).file)
        #expect(second.id == first.id)
        #expect(second.version == 2)
        #expect(Array(try await world.read(first).body.readableBytesView) == UploadWorld.bytes(1000))
        #expect(try await world.used() == 1900)
    }

    @Test func aSessionWakesTheAccountsOtherDevices() async throws {
        let world = try await UploadWorld()
        let before = try await world.server.cursor(as: .phone)
        _ = try await world.upload("new", UploadWorld.bytes(10))
        let changes = try await world.server.changes(after: before, as: .phone).changes
        #expect(changes.map { $0.file?.name } == ["new"])
    }
}
