import BothyContent
import BothyContract
import BothyServer
import Foundation
import HTTPTypes
import NIOCore
import Testing

/// Many small contents in one answer: each is served or refused as if it had been asked for alone.
@Suite struct ContentBatchTests {
    private struct Item: Equatable {
        var outcome: ContentBatchOutcome
        var bytes: [UInt8]
    }

    private func ask(_ world: UploadWorld, _ ids: [String], as caller: TestCaller = .kitchen) async throws -> TestAnswer
    {
        try await world.server.send(
            .post, "/v1/content/batch", as: caller, json: ContentBatchRequest(revisionIds: ids))
    }

    private func items(_ world: UploadWorld, _ ids: [String], as caller: TestCaller = .kitchen) async throws -> [Item] {
        let answer = try await ask(world, ids, as: caller)
        try #require(answer.status == 200, "\(answer.text)")
        var rest = answer.body
        var items = [Item]()
        while rest.readableBytes > 0 {
            let head = rest.readBytes(length: BatchHead.byteCount).flatMap { BatchHead(bytes: $0) }
            let metadata = rest.readBytes(length: head?.metadataBytes ?? .max)
            let bytes = rest.readBytes(length: head?.contentBytes ?? .max)
            guard let metadata, let bytes else { throw Problem(.malformedRequest, "no batch") }
            #expect(metadata.count <= UploadLimits.batchMetadata && bytes.count <= UploadLimits.batchContent)
            items.append(
                Item(outcome: try WireCoding.decode(ContentBatchOutcome.self, from: Data(metadata)), bytes: bytes))
        }
        return items
    }

    /// Files by one upload batch; what came of each.
    private func files(
        _ world: UploadWorld, _ contents: [[UInt8]], as caller: TestCaller = .kitchen
    ) async throws -> [UploadedFile] {
        try await world.batch(contents.enumerated().map { BatchItem("file-\($0)", $1) }, as: caller)
            .map { try #require($0.file) }
    }

    private func revisions(_ files: [UploadedFile]) throws -> [String] {
        try files.map { try #require($0.headRevisionId) }
    }

    @Test func eachIsAnsweredInItsPlace_alsoWhereItIsNamedTwice() async throws {
        let world = try await UploadWorld()
        let contents = (0..<60).map { UploadWorld.bytes($0 * 97, seed: UInt64($0 + 1)) }
        let ids = try revisions(await files(world, contents))
        // More than is gathered before it goes out.
        let order = (0..<200).map { ($0 * 37) % 60 }
        let items = try await items(world, order.map { ids[$0] })
        #expect(items.map(\.outcome.revisionId) == order.map { ids[$0] })
        #expect(items.map(\.bytes) == order.map { contents[$0] })
        #expect(items.map(\.outcome.content?.checksum) == order.map { SHA256Hasher.hash(contents[$0]) })
        #expect(items.allSatisfy { $0.outcome.status == 200 && $0.outcome.content?.size == Int64($0.bytes.count) })
    }

    @Test func whatIsToldOfAFileIsWhatItsHeadTells() async throws {
        let world = try await UploadWorld()
        let time = Timestamp(seconds: 1_600_000_000, nanoseconds: 5)
        let first = try await world.batch([BatchItem("a", [1]) { $0.modifiedAt = time }])[0].file
        let id = try #require(first?.id)
        let changed = try await world.server.send(
            .patch, "/v1/files/\(id)", json: UpdateFileRequest(requestId: "x", executable: true))
        #expect(changed.status == 200)
        let item = try await items(world, [try #require(first?.headRevisionId)])[0]
        #expect(item.outcome.content?.modifiedAt == time && item.outcome.content?.executable == true)
    }

    @Test func whatCannotBeServedOfOneIsNothingToTheOthers() async throws {
        let world = try await UploadWorld()
        let small = try revisions(await files(world, [[1], [2, 2], [3, 3, 3]]))
        let large = try await world.upload("large", UploadWorld.bytes(UploadLimits.batchContent + 1))
        let items = try await items(
            world,
            [small[0], "019a2b60-89ab-7cde-8f01-23456789abcd", small[1], large.headRevisionId ?? "", "", small[2]])
        #expect(items.map(\.outcome.problem?.code.known) == [nil, .notFound, nil, .bodyTooLarge, .notFound, nil])
        #expect(items.map(\.outcome.status) == [200, 404, 200, 413, 404, 200])
        #expect(items.map(\.bytes) == [[1], [], [2, 2], [], [], [3, 3, 3]])
    }

    @Test func anotherAccountsRevisionIsOneThatDoesNotExist() async throws {
        let world = try await UploadWorld()
        let mine = try revisions(await files(world, [[1, 2, 3]]))
        let theirs = try revisions(await files(world, [[4]], as: .stranger))
        let items = try await items(world, mine + ["no-such-revision"] + theirs, as: .stranger)
        #expect(items.map(\.bytes) == [[], [], [4]])
        #expect(items[0].outcome.problem == items[1].outcome.problem)
        let nobody = try await world.server.send(
            .post, "/v1/content/batch", as: nil, json: ContentBatchRequest(revisionIds: mine))
        #expect(nobody.code == .signInRequired)
    }

    @Test func whatIsInTheTrashIsServedAndWhatIsGoneForGoodIsNot() async throws {
        let world = try await UploadWorld()
        let files = try await files(world, [[1], [2]])
        let ids = try revisions(files)
        #expect(try await world.server.send(.delete, "/v1/files/\(files[0].id)").status < 300)
        #expect(try await world.server.send(.delete, "/v1/files/\(files[1].id)?permanent=true").status < 300)
        let items = try await items(world, ids)
        #expect(items.map(\.bytes) == [[1], []])
        #expect(items[1].outcome.problem?.code == .notFound)
    }

    @Test func aDamagedContentIsToldAndNeverServed() async throws {
        let world = try await UploadWorld()
        let contents = (0..<5).map { UploadWorld.bytes(3000, seed: UInt64($0 + 1)) }
        let ids = try revisions(await files(world, contents))
        let location = try await world.server.database.read {
            try #require(try BlockTable($0, drive: 1).location(of: SHA256Hasher.hash(contents[2])))
        }
        world.packs.damage(location)
        let items = try await items(world, ids)
        #expect(items.map(\.outcome.problem?.code.known) == [nil, nil, .contentCorrupt, nil, nil])
        #expect(items.map(\.bytes) == [contents[0], contents[1], [], contents[3], contents[4]])
        let isNoted = try await world.server.database.read {
            try $0.first("SELECT 1 FROM blocks WHERE damaged = 1") != nil
        }
        #expect(isNoted, "whoever puts it again is asked for its bytes")
    }

    @Test func contentOfManyBlocksComesWholeOrIsFetchedByItself() async throws {
        let world = try await UploadWorld()
        for (name, block, code) in [("few", 10 << 10, nil), ("many", 1000, ProblemCode.bodyTooLarge)] {
            let content = UploadWorld.bytes(100 << 10, seed: UInt64(block))
            let blocks = stride(from: 0, to: content.count, by: block).map {
                Array(content[$0..<min($0 + block, content.count)])
            }
            let session = try await world.start(
                UploadRequest(
                    requestId: nil, name: name, size: Int64(content.count),
                    plan: .blocks(blocks.map(UploadWorld.reference)), finalize: .explicit))
            for (index, block) in blocks.enumerated() {
                #expect([201, 308].contains(try await world.put(session.uploadId, chunk: index, block).status))
            }
            let finalized = try await world.finalize(session.uploadId)
            try #require(finalized.status == 201, "\(finalized.text)")
            let file = try finalized.json(FinalizeResponse.self).file
            let item = try await items(world, [file.headRevisionId ?? ""])[0]
            #expect(item.outcome.problem?.code.known == code)
            #expect(item.bytes == (code == nil ? content : []))
        }
    }

    @Test func aRequestThatCannotBeReadIsRefused() async throws {
        let world = try await UploadWorld()
        #expect(try await ask(world, []).code == .malformedRequest)
        #expect(try await ask(world, (0...UploadLimits.batchItems).map(String.init)).code == .tooManyItems)
        #expect(try await ask(world, [String(repeating: "x", count: 65_536)]).code == .bodyTooLarge)
        #expect(try await world.server.send(.post, "/v1/content/batch", text: "{").code == .malformedRequest)
        let bytes = try await world.server.send(
            .post, "/v1/content/batch", text: "{}", headers: [.contentType: File.defaultMimeType])
        #expect(bytes.code == .unsupportedMediaType)
        #expect(try await world.server.send(.get, "/v1/content/batch").code == .methodNotAllowed)
    }
}
