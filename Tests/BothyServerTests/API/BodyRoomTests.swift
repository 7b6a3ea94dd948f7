import BothyContract
import NIOCore
import Testing

@testable import BothyServer

/// Thousands of connections that each bring a body slowly took as much memory as there was.
@Suite struct BodyRoomTests {
    @Test func itIsGivenUntilThereIsNoMoreAndToNobodyAlone() throws {
        let room = BodyRoom(most: 100, mostOfDrive: 60)
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

    @Test func aRequestGivesBackAllThatItHas() throws {
        let room = BodyRoom(most: 100, mostOfDrive: 60)
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
