import BothyContent
import BothyContract
import BothyServer
import HTTPTypes
import NIOCore
import Testing

/// What changed in a version, for a device that has blocks of another one.
@Suite struct RevisionPatchTests {
    private let world: UploadWorld
    private let old = UploadWorld.bytes(60_000, seed: 1)
    private let new: [UInt8]
    private let other = UploadWorld.bytes(30_000, seed: 2)
    private let path: String

    init() async throws {
        world = try await UploadWorld()
        var new = old
        new.replaceSubrange(10_000..<10_100, with: UploadWorld.bytes(150, seed: 3))
        self.new = new
        _ = try await Self.put([old], "old", in: world)
        let second = try await Self.put([other, new], "new", in: world)
        path = "/v1/files/\(second.file.id)/revisions/\(second.revision.revisionId)"
    }

    private static func put(_ blocks: [[UInt8]], _ name: String, in world: UploadWorld) async throws -> FinalizeResponse
    {
        let session = try await world.start(
            UploadRequest(
                requestId: nil, name: name, plan: .blocks(blocks.map(UploadWorld.reference)), finalize: .explicit))
        for (index, block) in blocks.enumerated() { _ = try await world.put(session.uploadId, chunk: index, block) }
        return try await world.finalize(session.uploadId).json()
    }

    private func ask(_ wanted: [ChunkRun], _ have: [BlockReference], as caller: TestCaller = .kitchen) async throws
        -> TestAnswer
    {
        try await world.server.send(.post, "\(path)/patch", as: caller, json: PatchRequest(wanted: wanted, have: have))
    }

    private func applied(_ answer: TestAnswer, target: Int, source: [UInt8]) throws -> [UInt8] {
        try answer.body.withUnsafeReadableBytes { body in
            let patch = try Patch(body, targetSize: target, sourceSize: Int64(source.count))
            return source.withUnsafeBytes { patch.applied(to: $0) }
        }
    }

    @Test func onlyWhatIsNewInABlockComes() async throws {
        let answer = try await ask([ChunkRun(first: 1, last: 1)], [UploadWorld.reference(old)])
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.headers[.contentType] == PatchRequest.patchMediaType)
        #expect(answer.body.readableBytes < 200)
        #expect(try applied(answer, target: new.count, source: old) == new)
    }

    @Test func severalBlocksComeTogether() async throws {
        let answer = try await ask([ChunkRun(first: 0, last: 1)], [UploadWorld.reference(old)])
        #expect(try applied(answer, target: other.count + new.count, source: old) == other + new)
        let alone = try await ask([ChunkRun(first: 0, last: 0)], [])
        #expect(try applied(alone, target: other.count, source: []) == other)
    }

    @Test func blocksThatTheDriveDoesNotHaveAreNamed() async throws {
        let unknown = UploadWorld.reference(UploadWorld.bytes(1_000, seed: 9))
        let answer = try await ask([ChunkRun(first: 1, last: 1)], [unknown, UploadWorld.reference(old), unknown])
        #expect(answer.code == .patchInvalid)
        #expect(try answer.json(Problem.self).missing == [0, 2].chunkRuns)
        // Nor does it have one by another size.
        var lie = UploadWorld.reference(old)
        lie.size -= 1
        #expect(try await ask([ChunkRun(first: 1, last: 1)], [lie]).code == .patchInvalid)
    }

    @Test func whatIsTooMuchOrNotThereIsRefused() async throws {
        let here = UploadWorld.reference(old)
        for (name, wanted, have) in [
            ("nothing wanted", [], [here]),
            ("past the end", [ChunkRun(first: 1, last: 2)], [here]),
            ("backwards", [ChunkRun(first: 1, last: 1), ChunkRun(first: 0, last: 0)], [here]),
            ("twice", [ChunkRun(first: 1, last: 1), ChunkRun(first: 1, last: 1)], [here]),
            ("too many", [ChunkRun(first: 0, last: 1_000_000)], [here]),
            ("past every plan", [ChunkRun(first: 0, last: Int.max - 1)], [here]),
            ("against too many", [ChunkRun(first: 1, last: 1)], Array(repeating: here, count: 1_025)),
            ("against too much", [ChunkRun(first: 1, last: 1)], Array(repeating: here, count: 200)),
            ("against nothing", [ChunkRun(first: 1, last: 1)], [BlockReference(sha256: here.sha256, size: 0)]),
        ] as [(String, [ChunkRun], [BlockReference])] {
            #expect(try await ask(wanted, have).code == .invalidParameter, "\(name)")
        }
        #expect(try await ask([ChunkRun(first: 1, last: 1)], [here], as: .stranger).code == .notFound)
    }

    // MARK: - All of a file

    private func askForAll(
        from base: [UInt8], of path: String? = nil, as caller: TestCaller = .kitchen
    ) async throws -> TestAnswer {
        try await world.server.send(
            .post, "\(path ?? self.path)/patch", as: caller, json: PatchRequest(base: SHA256Hasher.hash(base)))
    }

    @Test func allOfAFileComesOutOfAnotherThatIsHereWhole() async throws {
        let answer = try await askForAll(from: old)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.headers[.contentType] == PatchRequest.patchMediaType)
        #expect(answer.body.readableBytes < other.count + 400)
        #expect(try applied(answer, target: other.count + new.count, source: old) == other + new)
    }

    /// However both were edited and cut.
    @Test(arguments: 0..<12 as Range<UInt64>) func whatComesOutOfAFileIsTheOther(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var (before, after) = ([old, other], [other, old])
        for edit in 0..<Int.random(in: 1...4, using: &random) {
            let bytes = UploadWorld.bytes(Int.random(in: 0...500, using: &random), seed: 100 + seed * 10 + UInt64(edit))
            let place = Int.random(in: 0...20_000, using: &random)
            after[0].replaceSubrange(place..<(place + Int.random(in: 0...1_000, using: &random)), with: bytes)
            before[1].replaceSubrange(0..<Int.random(in: 0...100, using: &random), with: bytes)
        }
        _ = try await Self.put(before, "before", in: world)
        let done = try await Self.put(after, "after", in: world)
        let answer = try await askForAll(
            from: before[0] + before[1], of: "/v1/files/\(done.file.id)/revisions/\(done.revision.revisionId)")
        let target = after[0] + after[1]
        #expect(try applied(answer, target: target.count, source: before[0] + before[1]) == target)
        #expect(answer.body.readableBytes < 5_000)
    }

    /// What another drive has is as unknown as what nobody has.
    @Test func aFileThatTheDriveDoesNotHaveIsNoBase() async throws {
        var theirs = other + new
        theirs[30_000] ^= 1
        let nobodys = try await askForAll(from: theirs)
        #expect(nobodys.code == .patchInvalid)
        let session = try await world.start(
            UploadRequest(
                requestId: nil, name: "theirs", plan: .blocks([UploadWorld.reference(theirs)]), finalize: .explicit),
            as: .stranger)
        _ = try await world.put(session.uploadId, chunk: 0, theirs, as: .stranger)
        #expect(try await world.finalize(session.uploadId, as: .stranger).status == 201)
        let strangers = try await askForAll(from: theirs)
        #expect(strangers.status == nobodys.status && strangers.text == nobodys.text)
        #expect(try await askForAll(from: old, as: .stranger).code == .notFound)
    }

    @Test func whatIsTooLargeAsAWholeIsRefused() async throws {
        let large = (1...3).map { UploadWorld.bytes(3 << 20, seed: 20 + UInt64($0)) }
        let done = try await Self.put(large, "large", in: world)
        #expect(try await askForAll(from: large.flatMap(\.self)).code == .invalidParameter)
        let target = try await askForAll(
            from: old, of: "/v1/files/\(done.file.id)/revisions/\(done.revision.revisionId)")
        #expect(target.code == .invalidParameter)
        #expect(try target.json(Problem.self).limit == UploadLimits.maximumWholePatch)
        var both = PatchRequest(base: SHA256Hasher.hash(old))
        both.wanted = [ChunkRun(first: 1, last: 1)]
        #expect(try await world.server.send(.post, "\(path)/patch", json: both).code == .invalidParameter)
    }

    @Test func blocksComeAsMarksOfTwelveBytes() async throws {
        let answer = try await world.server.send(
            .get, "\(path)/blocks", headers: [.accept: BlockMark.listMediaType])
        #expect(answer.headers[.contentType] == BlockMark.listMediaType)
        let marks = BlockMark.list(answer.body.readableBytesView)
        #expect(marks == [other, new].map { BlockMark(UploadWorld.reference($0)) })
    }

    /// Whoever names a block learns whether this drive of theirs has it, and nothing of any other.
    @Test func aBlockOfAnotherDriveIsAsUnknownAsOneThatNobodyHas() async throws {
        // All but a few bytes of what is wanted: a patch against it would be short.
        var theirs = new
        theirs[30_000] ^= 1
        let session = try await world.start(
            UploadRequest(
                requestId: nil, name: "theirs", plan: .blocks([UploadWorld.reference(theirs)]), finalize: .explicit),
            as: .stranger)
        _ = try await world.put(session.uploadId, chunk: 0, theirs, as: .stranger)
        #expect(try await world.finalize(session.uploadId, as: .stranger).status == 201)
        let nobodys = UploadWorld.reference(UploadWorld.bytes(theirs.count, seed: 9))
        let wanted = [ChunkRun(first: 1, last: 1)]
        for company in [[], [UploadWorld.reference(other)]] {
            let answer = try await ask(wanted, [UploadWorld.reference(theirs)] + company)
            let unknown = try await ask(wanted, [nobodys] + company)
            #expect(answer.code == .patchInvalid && answer.status == unknown.status)
            #expect(answer.text == unknown.text)
            #expect(try answer.json(Problem.self).missing == [0].chunkRuns)
        }
        // Nor is it copied from where only this drive's own are named.
        let whole = try await ask(wanted, [UploadWorld.reference(other)])
        #expect(whole.body.readableBytes >= new.count)
        #expect(try applied(whole, target: new.count, source: other) == new)
    }
}
