import BothyContent
import BothyContract
import BothyServer
import HTTPTypes
import NIOCore
import Testing

/// A new version that goes up as what changed: its blocks named as runs of the version before, and a block as a patch of it.
@Suite struct UploadPatchTests {
    private let world: UploadWorld
    private let old = (0..<4).map { UploadWorld.bytes(50_000, seed: UInt64($0 + 1)) }
    private let new: [UInt8]
    private let base: FinalizeResponse

    init() async throws {
        world = try await UploadWorld()
        new = Array(old[1][..<20_000]) + [1, 2, 3] + old[1][20_000...]
        let session = try await world.start(
            UploadRequest(
                requestId: nil, name: "film", plan: .blocks(old.map(UploadWorld.reference)), finalize: .explicit))
        for (index, block) in old.enumerated() { _ = try await world.put(session.uploadId, chunk: index, block) }
        base = try await world.finalize(session.uploadId).json()
    }

    private var revision: String { base.revision.revisionId }
    private var content: [UInt8] { old.flatMap { $0 } }

    private func start() async throws -> String {
        try await world.start(
            UploadRequest(
                requestId: nil, name: "film", fileId: base.file.id, baseRevisionId: revision, plan: .open(),
                finalize: .explicit)
        ).uploadId
    }

    private func name(_ names: [NamedBlocks], in id: String, base: String?, from: String = "0") async throws
        -> TestAnswer
    {
        let query = base.map { "&base=\($0)" } ?? ""
        return try await world.server.send(
            .post, "/v1/upload/\(id)/plan?from=\(from)\(query)",
            body: ByteBuffer(bytes: NamedBlocks.bytes(of: names)),
            headers: [.contentType: BlockReference.listMediaType])
    }

    private var names: [NamedBlocks] {
        [.base(ChunkRun(first: 0, last: 0)), .block(UploadWorld.reference(new)), .base(ChunkRun(first: 2, last: 3))]
    }

    private func patch(making target: [UInt8], from source: [UInt8]) throws -> [UInt8] {
        let patch = source.withUnsafeBytes { source in
            target.withUnsafeBytes { target in
                PatchMaker(FragmentSketch(of: source, fragmentSize: 1024)).patch(making: target)
            }
        }
        return try #require(patch).body
    }

    private func send(
        _ body: [UInt8], to id: String, base: String?, range: String? = nil, headers: HTTPFields = [:]
    ) async throws -> TestAnswer {
        var headers = headers
        headers[.contentType] = PatchRequest.patchMediaType
        headers[.contentRange] = range ?? "bytes 50000-\(50_000 + new.count - 1)/*"
        let query = base.map { "?base=\($0)" } ?? ""
        return try await world.server.send(
            .put, "/v1/upload/\(id)/chunk\(query)", body: ByteBuffer(bytes: body), headers: headers)
    }

    @Test func aNewVersionGoesUpAsRunsOfTheOldOneAndAPatch() async throws {
        let id = try await start()
        let named = try await name(names, in: id, base: revision)
        #expect(named.status == 200, "\(named.text)")
        let plan: ExtendPlanResponse = try named.json()
        #expect(plan == ExtendPlanResponse(totalChunks: 4, receivedChunks: [0, 2, 3].chunkRuns))
        let body = try patch(making: new, from: content)
        #expect(body.count < 3_000)
        let sent = try await send(body, to: id, base: revision)
        #expect(sent.status == 308, "\(sent.text)")
        let expected = old[0] + new + old[2] + old[3]
        let answer = try await world.finalize(
            id, FinalizeRequest(size: Int64(expected.count), fileHashSha256: SHA256Hasher.hash(expected)))
        try #require(answer.status == 201, "\(answer.text)")
        let done = try answer.json(FinalizeResponse.self)
        #expect(done.fileHashSha256 == SHA256Hasher.hash(expected))
        #expect(Array(try await world.read(done.file).body.readableBytesView) == expected)
        #expect(try await world.used() == Int64(content.count + new.count))
    }

    @Test func aPatchThatMakesOtherBytesCountsForNothing() async throws {
        let id = try await start()
        _ = try await name(names, in: id, base: revision)
        var other = new
        other[49_000] ^= 1
        let used = try await world.used()
        let answer = try await send(patch(making: other, from: content), to: id, base: revision)
        #expect(answer.code == .chunkCorrupt)
        #expect(try await world.status(id).receivedChunks == [0, 2, 3].chunkRuns)
        #expect(try await world.used() == used)
        #expect(try await world.put(id, chunk: 1, new).status == 308)
    }

    @Test func whatIsNoPatchOfTheBaseIsRefused() async throws {
        let id = try await start()
        _ = try await name(names, in: id, base: revision)
        let good = try patch(making: new, from: content)
        let short = try patch(making: Array(new.dropLast()), from: content)
        let far = try patch(making: new, from: UploadWorld.bytes(200_000, seed: 9) + content)
        let bomb = try #require([UInt8](repeating: 0, count: 40 << 20).withUnsafeBytes { Zstd.compress($0) })
        for (name, body, base) in [
            ("no base", good, nil), ("an unknown base", good, "01900000-0000-7000-8000-000000000000"),
            ("no patch", [1, 2, 3], revision), ("nothing", [], revision), ("cut off", Array(good.dropLast()), revision),
            ("too short", short, revision), ("past the base's end", far, revision), ("a bomb", bomb, revision),
        ] as [(String, [UInt8], String?)] {
            #expect(try await send(body, to: id, base: base).code == .patchInvalid, "\(name)")
        }
        let wide = try await send(good, to: id, base: revision, range: "bytes 0-5000000/*")
        #expect(wide.code == .patchInvalid)
        #expect(try await world.status(id).receivedChunks == [0, 2, 3].chunkRuns)
    }

    /// The revision of another account's file is none.
    @Test func nobodyPatchesWithAnothersBytes() async throws {
        let stranger = TestCaller.stranger
        let session = try await world.start(
            UploadRequest(
                requestId: nil, name: "theirs", plan: .open([UploadWorld.reference(new)]), finalize: .explicit),
            as: stranger)
        let answer = try await world.server.send(
            .put, "/v1/upload/\(session.uploadId)/chunk?base=\(revision)", as: stranger,
            body: ByteBuffer(bytes: try patch(making: new, from: content)),
            headers: [
                .contentType: PatchRequest.patchMediaType, .contentRange: "bytes 0-\(new.count - 1)/\(new.count)",
            ])
        #expect(answer.code == .patchInvalid)
        let named = try await world.server.send(
            .post, "/v1/upload/\(session.uploadId)/plan?from=1&base=\(revision)", as: stranger,
            body: ByteBuffer(bytes: NamedBlocks.bytes(of: [.base(ChunkRun(first: 0, last: 3))])),
            headers: [.contentType: BlockReference.listMediaType])
        #expect(named.code == .planInvalid)
    }

    @Test func whatAPatchMakesIsAlwaysHeldAgainstAHash() async throws {
        let session = try await world.startFixed("fixed", size: new.count)
        let body = try patch(making: new, from: content)
        let range = "bytes 0-\(new.count - 1)/\(new.count)"
        let unchecked = try await send(body, to: session.uploadId, base: revision, range: range)
        #expect(unchecked.code == .patchInvalid)
        let checked = try await send(
            body, to: session.uploadId, base: revision, range: range,
            headers: [.chunkHash: "sha256=\(SHA256Hasher.hash(new).hex)"])
        #expect(checked.status == 308, "\(checked.text)")
    }

    @Test func namesThatMakeNoPlanAreRefused() async throws {
        let id = try await start()
        #expect(try await name([.base(ChunkRun(first: 3, last: 4))], in: id, base: revision).code == .planInvalid)
        #expect(try await name([.base(ChunkRun(first: 0, last: 0))], in: id, base: nil).code == .planInvalid)
        #expect(try await name([.base(ChunkRun(first: 0, last: 0))], in: id, base: "nothing").code == .planInvalid)
        let many = [NamedBlocks](repeating: .base(ChunkRun(first: 0, last: 8_191)), count: 8_192)
        #expect(try await name(many, in: id, base: revision).code == .planInvalid)
        #expect(try await name(names, in: id, base: revision, from: "1").code == .planInvalid)
        #expect(try await name(names, in: id, base: revision, from: "-1").code == .invalidParameter)
        #expect(try await name(names, in: id, base: revision, from: "x").code == .invalidParameter)
        let broken = try await world.server.send(
            .post, "/v1/upload/\(id)/plan?from=0", body: ByteBuffer(bytes: [1, 2, 3]),
            headers: [.contentType: BlockReference.listMediaType])
        #expect(broken.code == .planInvalid)
        #expect(try await world.status(id).totalChunks == 0)
    }
}
