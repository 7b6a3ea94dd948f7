import BothyContent
import BothyContract
import BothyServer
import HTTPTypes
import Testing

/// What a version is like, for a device that has another one.
@Suite struct RevisionSketchTests {
    private let world: UploadWorld

    init() async throws { world = try await UploadWorld() }

    /// - Parameter areThere: whether the drive has the blocks of another file.
    private func put(_ blocks: [[UInt8]], _ name: String = "photo", areThere: Bool = false) async throws -> String {
        let session = try await world.start(
            UploadRequest(
                requestId: nil, name: name, plan: .blocks(blocks.map(UploadWorld.reference)), finalize: .explicit))
        for (index, block) in blocks.enumerated() where !areThere {
            _ = try await world.put(session.uploadId, chunk: index, block)
        }
        let done = try await world.finalize(session.uploadId).json(FinalizeResponse.self)
        return "/v1/files/\(done.file.id)/revisions/\(done.revision.revisionId)"
    }

    private func ask(_ path: String, as caller: TestCaller = .kitchen) async throws -> TestAnswer {
        try await world.server.send(.get, "\(path)/sketch", as: caller)
    }

    /// Wherever its blocks end.
    @Test(arguments: [[300_000], [1, 99_999, 200_000], [70_000, 80_000, 5_000, 145_000]])
    func itIsOfAllOfTheFile(sizes: [Int]) async throws {
        let blocks = sizes.enumerated().map { UploadWorld.bytes($1, seed: UInt64($0 + 1)) }
        let path = try await put(blocks)
        let answer = try await ask(path)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.headers[.contentType] == SketchFormat.mediaType)
        #expect(answer.headers[.cacheControl] == "private, immutable, max-age=86400")
        let whole = blocks.flatMap(\.self).withUnsafeBytes { FragmentSketch(of: $0, fragmentSize: 1_024) }
        #expect(Array(answer.body.readableBytesView) == whole.wire)
        #expect(whole.hashes.count == 292)
    }

    @Test func nobodyElseIsToldWhatAFileIsLike() async throws {
        let path = try await put([UploadWorld.bytes(100_000)])
        #expect(try await ask(path, as: .stranger).code == .notFound)
        #expect(try await world.server.send(.get, "\(path)/sketch", as: nil).status == 401)
    }

    @Test func ofWhatIsTooLargeOrInTooManyBlocksThereIsNone() async throws {
        // One block, named as often as it takes.
        let (large, small): ([UInt8], [UInt8]) = (UploadWorld.bytes(16 << 20), [7])
        _ = try await put([large, small])
        let tooLarge = try await put([large, large, large, large, small], "film", areThere: true)
        let answer = try await ask(tooLarge)
        #expect(answer.code == .invalidParameter)
        #expect(try answer.json(Problem.self).limit == SketchFormat.fileSizes.upperBound)
        let crumbs = try await put([[UInt8]](repeating: small, count: 4_097), "crumbs", areThere: true)
        #expect(try await ask(crumbs).code == .invalidParameter)
        #expect(try await ask(try await put([large, large, large, large], "fits", areThere: true)).status == 200)
    }
}
