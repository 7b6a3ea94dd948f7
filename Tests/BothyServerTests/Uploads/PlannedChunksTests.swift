import BothyContent
import BothyContract
import BothyServer
import Testing

/// What open uploads plan is rows of the server's database, whatever the account's quota says: an account has so many, and no more.
@Suite struct PlannedChunksTests {
    /// Chunks of the longest plan of fixed ones.
    private static let longest = Int(UploadLimits.maximumFileSize / UploadLimits.chunkSizes.lowerBound)
    private static let most = UploadLimits.maximumPlannedChunks / longest

    private func tryStart(
        _ name: String, _ world: UploadWorld, size: Int64 = UploadLimits.maximumFileSize,
        as caller: TestCaller = .kitchen
    ) async throws -> TestAnswer {
        let plan = ChunkPlan.fixed(chunkSize: UploadLimits.chunkSizes.lowerBound)
        return try await world.tryStart(UploadRequest(requestId: nil, name: name, size: size, plan: plan), as: caller)
    }

    private func names(_ first: Int, _ count: Int) -> ExtendPlanRequest {
        ExtendPlanRequest(
            from: first, blocks: (first..<first + count).map { UploadWorld.reference([UInt8($0), UInt8($0 >> 8), 1]) })
    }

    private func extend(_ id: String, _ request: ExtendPlanRequest, _ world: UploadWorld) async throws -> TestAnswer {
        try await world.server.send(.post, "/v1/upload/\(id)/plan", json: request)
    }

    /// All but the last chunks that an account may plan, with an open plan of three beside them.
    private func nearlyFull() async throws -> (UploadWorld, open: String, full: String) {
        let world = try await UploadWorld()
        let open = try await world.start(UploadRequest(requestId: nil, name: "open", plan: .open())).uploadId
        #expect(try await extend(open, names(0, 3), world).status == 200)
        var full = ""
        for index in 1..<Self.most {
            let answer = try await tryStart("film \(index)", world)
            try #require(answer.status == 201, "\(answer.text)")
            full = try answer.json(UploadResponse.self).uploadId
        }
        let rest = try await tryStart(
            "the rest", world, size: UploadLimits.maximumFileSize - 4 * UploadLimits.chunkSizes.lowerBound)
        try #require(rest.status == 201, "\(rest.text)")
        return (world, open, full)
    }

    @Test func aSessionThatPlansMoreThanAnAccountMayIsNotBegun() async throws {
        let (world, open, _) = try await nearlyFull()
        let refused = try await tryStart("too much", world, size: 2 * UploadLimits.chunkSizes.lowerBound)
        #expect(refused.status == 429 && refused.code == .tooManyUploads && refused.headers[.retryAfter] != nil)
        let detail = try refused.problem().detail
        #expect(detail.contains("\(UploadLimits.maximumPlannedChunks)") && detail.contains("cancel"))
        #expect(try await tryStart("somebody else's", world, as: .stranger).status == 201)
        #expect(try await tryStart("fits", world, size: UploadLimits.chunkSizes.lowerBound).status == 201)
        // What plans nothing yet takes no row.
        #expect(try await world.tryStart(UploadRequest(requestId: nil, name: "later", plan: .open())).status == 201)
        #expect(try await extend(open, names(3, 1), world).code == .tooManyUploads)
    }

    @Test func aPlanThatIsFullGoesOnOnceAnotherUploadIsCanceled() async throws {
        let (world, open, full) = try await nearlyFull()
        #expect(try await extend(open, names(3, 1), world).status == 200, "the last one that fits")
        let refused = try await extend(open, names(4, 1), world)
        #expect(refused.status == 429 && refused.code == .tooManyUploads && refused.headers[.retryAfter] != nil)
        #expect(try await world.status(open).totalChunks == 4, "nothing of it is named")
        #expect(try await extend(open, names(0, 4), world).status == 200, "as after a lost answer")
        #expect(try await extend(open, names(2, 3), world).code == .tooManyUploads)

        #expect(try await world.server.send(.delete, "/v1/upload/\(full)").status == 204)
        #expect(try await extend(open, names(4, 1), world).status == 200)
    }

    @Test func whatExpiredOrIsFinishedCountsNoMore() async throws {
        let (world, _, _) = try await nearlyFull()
        world.server.clock.advance(seconds: UploadLimits.sessionLifetime + 1)
        #expect(try await tryStart("after a day", world).status == 201)
        let content = UploadWorld.bytes(2 * UploadWorld.chunk)
        _ = try await world.upload("finished", content)
        for index in 1..<Self.most { #expect(try await tryStart("again \(index)", world).status == 201) }
        #expect(try await tryStart("too much", world, size: 1).code == .tooManyUploads)
    }

    @Test func whoeverComesAtOnceDoesNotPassTheBoundTogether() async throws {
        let world = try await UploadWorld()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<2 * Self.most {
                group.addTask { try await tryStart("film \(index)", world).status }
            }
            return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(statuses == [201: Self.most, 429: Self.most])
    }
}
