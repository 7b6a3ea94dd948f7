import BothyContent
import BothyContract
import BothyServer
import HTTPTypes
import NIOCore
import Testing

/// Canceling, expiring, and what both do to the quota.
@Suite struct UploadLifetimeTests {
    private let chunk = UploadWorld.chunk

    @Test func cancelingFreesWhatTheSessionHeld() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(2 * chunk)
        let session = try await world.startFixed("cancel", size: content.count)
        _ = try await world.put(session.uploadId, chunk: 0, Array(content[..<chunk]))
        #expect(try await world.used() == Int64(chunk))
        for _ in 0..<2 {
            #expect(try await world.server.send(.delete, "/v1/upload/\(session.uploadId)").status == 204)
        }
        #expect(try await world.used() == 0)
        #expect(try await world.server.send(.get, "/v1/upload/\(session.uploadId)").code == .uploadCanceled)
        #expect(try await world.put(session.uploadId, chunk: 0, Array(content[..<chunk])).code == .uploadCanceled)
        #expect(try await world.finalize(session.uploadId).code == .uploadCanceled)
        let blocks = try await world.server.database.read { try $0.first("SELECT count(*) FROM blocks")?.int(0) }
        #expect(blocks == 0)
    }

    @Test func cancelingLeavesWhatAFileOrAnotherSessionHolds() async throws {
        let world = try await UploadWorld()
        let (mine, shared) = (UploadWorld.bytes(500), UploadWorld.bytes(600, seed: 2))
        let file = try await world.upload("file", mine)
        let plan = ChunkPlan.blocks([mine, shared, UploadWorld.bytes(700, seed: 3)].map(UploadWorld.reference))
        let one = try await world.start(UploadRequest(requestId: nil, name: "one", plan: plan))
        let two = try await world.start(UploadRequest(requestId: nil, name: "two", plan: plan))
        _ = try await world.put(one.uploadId, chunk: 1, shared)
        _ = try await world.put(two.uploadId, chunk: 1, shared)
        _ = try await world.server.send(.delete, "/v1/upload/\(one.uploadId)")
        #expect(try await world.used() == 1100)
        #expect(try await world.status(two.uploadId).chunksProcessed == 2)
        _ = try await world.server.send(.delete, "/v1/upload/\(two.uploadId)")
        #expect(try await world.used() == 500)
        #expect(Array(try await world.read(file).body.readableBytesView) == mine)
    }

    @Test func aSessionThatNobodyTouchesForADayExpires() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(2 * chunk)
        let session = try await world.startFixed("slow", size: content.count)
        world.server.clock.advance(seconds: UploadLimits.sessionLifetime - 10)
        let touched = try await world.put(session.uploadId, chunk: 0, Array(content[..<chunk]))
        #expect(try touched.json(UploadResponse.self).uploadExpiresAt > session.uploadExpiresAt)
        world.server.clock.advance(seconds: UploadLimits.sessionLifetime - 10)
        #expect(try await world.status(session.uploadId).chunksProcessed == 1, "activity extends it")
        world.server.clock.advance(seconds: 20)
        for _ in 0..<2 {
            #expect(try await world.put(session.uploadId, chunk: 1, Array(content[chunk...])).code == .uploadExpired)
            #expect(try await world.server.send(.get, "/v1/upload/\(session.uploadId)").status == 410)
            #expect(try await world.finalize(session.uploadId).code == .uploadExpired)
            #expect(try await world.server.send(.delete, "/v1/upload/\(session.uploadId)").code == .uploadExpired)
            try await world.letTimeWork()
        }
    }

    @Test func aCalendarThatJumpsExpiresNothing() async throws {
        let world = try await UploadWorld()
        let session = try await world.startFixed("jump", size: 10)
        world.server.clock.jump(seconds: 365 * 24 * 3600)
        try await world.letTimeWork()
        #expect(try await world.put(session.uploadId, chunk: 0, UploadWorld.bytes(10)).status == 308)
        world.server.clock.jump(seconds: -2 * 365 * 24 * 3600)
        try await world.letTimeWork()
        #expect(try await world.finalize(session.uploadId).status == 201)
    }

    @Test func chunksOfAnExpiredSessionAreFoundByTheirHashForADay() async throws {
        let world = try await UploadWorld()
        let blocks = [UploadWorld.bytes(1000), UploadWorld.bytes(2000, seed: 2)]
        let request = UploadRequest(requestId: nil, name: "back", plan: .blocks(blocks.map(UploadWorld.reference)))
        let first = try await world.start(request)
        _ = try await world.put(first.uploadId, chunk: 0, blocks[0])
        world.server.clock.advance(seconds: UploadLimits.sessionLifetime + 1)
        try await world.letTimeWork()
        #expect(try await world.used() == 1000, "bytes that nothing refers to yet count")
        world.server.clock.advance(seconds: UploadExpiry.unreferencedLifetime - 10)
        try await world.letTimeWork()
        let second = try await world.start(request)
        #expect(second.receivedChunks == [ChunkRun(first: 0, last: 0)])
        // Pinned from here on: time takes nothing of an open session.
        for _ in 0..<5 {
            world.server.clock.advance(seconds: UploadLimits.sessionLifetime - 10)
            try await world.letTimeWork()
            _ = try await world.put(second.uploadId, chunk: 0, blocks[0])
        }
        let done = try await world.put(second.uploadId, chunk: 1, blocks[1])
        let file = try #require(try done.json(UploadResponse.self).file)
        world.server.clock.advance(seconds: 10 * UploadExpiry.unreferencedLifetime)
        try await world.letTimeWork()
        let fresh = try await world.server.file(file.id)
        #expect(Array(try await world.read(fresh).body.readableBytesView) == blocks.flatMap { $0 })
    }

    @Test func afterADayTheBlocksOfAnExpiredSessionAreFree() async throws {
        let world = try await UploadWorld()
        let session = try await world.startFixed("gone", size: chunk + 1)
        _ = try await world.put(session.uploadId, chunk: 0, UploadWorld.bytes(chunk))
        world.server.clock.advance(seconds: UploadLimits.sessionLifetime + 1)
        try await world.letTimeWork()
        world.server.clock.advance(seconds: UploadExpiry.unreferencedLifetime + 1)
        try await world.letTimeWork()
        #expect(try await world.used() == 0)
        world.server.clock.advance(seconds: UploadExpiry.outcomeLifetime + 1)
        try await world.letTimeWork()
        #expect(try await world.server.send(.get, "/v1/upload/\(session.uploadId)").status == 404)
    }

    @Test func aClientThatUploadsAndAbandonsMeetsItsQuota() async throws {
        let world = try await UploadWorld()
        try await world.setQuota(Int64(5 * chunk / 2))
        var refused: TestAnswer?
        var sessions = [String]()
        for seed in 1...5 where refused == nil {
            let answer = try await world.tryStart(
                UploadRequest(
                    requestId: nil, name: "n\(seed)", size: Int64(2 * chunk), plan: .fixed(chunkSize: Int64(chunk))))
            guard answer.status == 201 else {
                refused = answer
                break
            }
            let session: UploadResponse = try answer.json()
            sessions.append(session.uploadId)
            let put = try await world.put(session.uploadId, chunk: 0, UploadWorld.bytes(chunk, seed: UInt64(seed)))
            if put.status != 308 { refused = put }
        }
        #expect(refused?.status == 507)
        #expect(refused?.code == .quotaExceeded)
        #expect(try refused?.problem().free != nil)
        #expect(try await world.used() <= Int64(5 * chunk / 2))
        for id in sessions { _ = try await world.server.send(.delete, "/v1/upload/\(id)") }
        #expect(try await world.used() == 0)
    }

    @Test func chunksSideBySideCannotOverrunTheQuota() async throws {
        let world = try await UploadWorld()
        let content = UploadWorld.bytes(8 * chunk)
        let session = try await world.startFixed("rush", size: content.count)
        try await world.setQuota(Int64(3 * chunk))
        let kept = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<8 {
                group.addTask {
                    try await world.put(
                        session.uploadId, chunk: index, Array(content[(index * chunk)..<((index + 1) * chunk)])
                    ).status
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 == 308 ? 1 : 0 }
        }
        #expect(kept == 3)
        #expect(try await world.used() == Int64(3 * chunk))
        try await world.setQuota(nil)
        try await world.putAll(session.uploadId, content)
        #expect(try await world.finalize(session.uploadId).status == 201)
    }

    @Test func whatIsDeletedForGoodStopsCountingAndIsFoundAgainForADay() async throws {
        let world = try await UploadWorld()
        let block = UploadWorld.bytes(5000)
        let file = try await world.upload("file", block)
        try await world.server.database.write { db in
            try ContentTable(db, drive: 1).release(1, lived: 100)
        }
        _ = file
        #expect(try await world.used() == 0)
        let session = try await world.start(
            UploadRequest(
                requestId: nil, name: "again", plan: .blocks([UploadWorld.reference(block)]), finalize: .explicit))
        #expect(session.receivedChunks == [ChunkRun(first: 0, last: 0)])
        #expect(try await world.used() == 5000, "what is pinned counts")
        #expect(try await world.finalize(session.uploadId).status == 201)
        #expect(try await world.used() == 5000)
    }
}
