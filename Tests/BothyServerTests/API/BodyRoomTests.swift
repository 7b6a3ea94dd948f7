import BothyContent
import BothyContract
import HTTPTypes
import NIOCore
import Testing

@testable import BothyServer

/// Thousands of connections that each bring a body slowly took as much memory as there was.
@Suite struct BodyRoomTests {
    @Test func itIsGivenUntilThereIsNoMoreAndToNobodyAlone() throws {
        let room = BodyRoom(most: 100, mostOfDrive: 60, leftToStrangers: 10)
        try room.take(60, of: 1)
        #expect(throws: Problem.self) { try room.take(1, of: 1) }
        try room.take(30, of: 2)
        try room.take(10, of: nil)
        #expect(throws: Problem.self) { try room.take(1, of: 2) }
        #expect(room.taken == 100)
        room.giveBack(60, of: 1)
        try room.take(20, of: 2)
        #expect(room.taken == 60)
    }

    /// A few accounts' uploads kept everybody else from signing in.
    @Test func thoseWhoAreSignedInLeaveSomeToThoseWhoAreNot() throws {
        let room = BodyRoom(most: 100, mostOfDrive: 60, leftToStrangers: 10)
        try room.take(5, of: nil)
        try room.take(50, of: 1)
        try room.take(40, of: 2)
        #expect(throws: Problem.self) { try room.take(1, of: 3) }
        try room.take(5, of: nil)
        #expect(throws: Problem.self) { try room.take(1, of: nil) }
        room.giveBack(40, of: 2)
        try room.take(40, of: nil)
        #expect(throws: Problem.self) { try room.take(1, of: 3) }
    }

    @Test func whatIsUnpackedTakesItsRoomToo() async throws {
        let world = try await UploadWorld()
        let (server, bodies) = (world.server, world.server.router.bodies)
        let plain = ByteBuffer(repeating: 7, count: 4 << 20)
        func send() async throws -> TestAnswer {
            let packed = plain.withUnsafeReadableBytes { Zstd.compress($0) }
            return try await server.send(
                .post, "/v1/upload/batch", body: ByteBuffer(bytes: try #require(packed)),
                headers: [.contentType: File.defaultMimeType, .contentEncoding: ContentCodings.zstd])
        }
        let most = (128 << 20) - (1 << 20)
        try bodies.take(most, of: TestCaller.kitchen.driveId)
        #expect(try await send().code == .busy)
        bodies.giveBack(most, of: TestCaller.kitchen.driveId)
        // There is room, and no batch in it.
        #expect(try await send().code != .busy)
        #expect(bodies.taken == 0)
    }

    @Test func aRequestGivesBackAllThatItHas() throws {
        let room = BodyRoom(most: 100, mostOfDrive: 60, leftToStrangers: 10)
        let claim = BodyClaim(room)
        try claim.take(40, of: 1)
        #expect(throws: Problem.self) { try claim.take(40, of: 1) }
        try claim.take(20, of: 1)
        claim.end()
        claim.end()
        #expect(room.taken == 0)
        try room.take(60, of: 1)
    }

    @Test func whereThereIsNoneARequestIsToldWhenToComeBack() async throws {
        let world = try await UploadWorld()
        let (server, half) = (world.server, 128 << 20)
        let bodies = server.router.bodies
        let create = CreateFileRequest(requestId: nil, name: "a", mimeType: "text/plain", parentId: File.rootId)
        func upload() async throws -> TestAnswer {
            try await server.send(
                .post, "/v1/upload?uploadType=media&name=b", body: ByteBuffer(bytes: UploadWorld.bytes(1000)))
        }
        try bodies.take(half, of: TestCaller.kitchen.driveId)
        for refused in [try await server.send(.post, "/v1/files", json: create), try await upload()] {
            #expect(refused.status == 503 && refused.code == .busy)
            #expect(refused.headers[.retryAfter] == "1")
        }
        #expect(bodies.taken == half)
        // What has no body, and what is stored as it comes, need none; nor do others wait for one account.
        #expect(try await server.send(.get, "/v1/files").status == 200)
        #expect(try await server.send(.post, "/v1/files", as: .stranger, json: create).status == 201)
        bodies.giveBack(half, of: TestCaller.kitchen.driveId)
        let (created, uploaded) = (try await server.send(.post, "/v1/files", json: create), try await upload())
        #expect(created.status == 201 && uploaded.status == 201)
        #expect(bodies.taken == 0)
    }
}
