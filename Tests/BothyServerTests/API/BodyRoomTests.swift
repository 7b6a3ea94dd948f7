import BothyContent
import BothyContract
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import BothyServer

/// Thousands of connections that each bring a body slowly took as much memory as there was.
@Suite struct BodyRoomTests {
    private static let bounds = BodyRoom.Bounds(all: 100, drive: 60, network: 50, leftToStrangers: 10)

    @Test func itIsGivenUntilThereIsNoMoreAndToNobodyAlone() throws {
        let room = BodyRoom(Self.bounds)
        try room.take(60, of: .drive(1))
        #expect(throws: Problem.self) { try room.take(1, of: .drive(1)) }
        try room.take(30, of: .drive(2))
        try room.take(10, of: .stranger(network: "192.0.2.1"))
        #expect(throws: Problem.self) { try room.take(1, of: .drive(2)) }
        #expect(room.taken == 100)
        room.giveBack(60, of: .drive(1))
        try room.take(20, of: .drive(2))
        #expect(room.taken == 60)
    }

    /// A few accounts' uploads kept everybody else from signing in.
    @Test func thoseWhoAreSignedInLeaveSomeToThoseWhoAreNot() throws {
        let room = BodyRoom(Self.bounds)
        try room.take(5, of: .stranger(network: "192.0.2.1"))
        try room.take(50, of: .drive(1))
        try room.take(40, of: .drive(2))
        #expect(throws: Problem.self) { try room.take(1, of: .drive(3)) }
        try room.take(5, of: .stranger(network: "192.0.2.1"))
        #expect(throws: Problem.self) { try room.take(1, of: .stranger(network: "192.0.2.1")) }
        room.giveBack(40, of: .drive(2))
        try room.take(40, of: .stranger(network: "192.0.2.1"))
        #expect(throws: Problem.self) { try room.take(1, of: .drive(3)) }
    }

    /// A flood from one network kept everybody else from signing in.
    @Test func aFloodFromOneNetworkKeepsNobodyElseOut() throws {
        let room = BodyRoom(Self.bounds)
        try room.take(50, of: .stranger(network: "192.0.2.1"))
        #expect(throws: Problem.self) { try room.take(1, of: .stranger(network: "192.0.2.1")) }
        try room.take(10, of: .stranger(network: "198.51.100.7"))
        #expect(throws: Problem.self) { try room.take(1, of: .stranger(network: "203.0.113.9")) }
        room.giveBack(50, of: .stranger(network: "192.0.2.1"))
        try room.take(50, of: .stranger(network: "203.0.113.9"))
        #expect(room.taken == 60)
    }

    @Test func strangersAreToldApartByTheirNetworks() {
        func taker(_ address: String, _ caller: Caller? = nil) -> BodyRoom.Taker {
            var context = APIContext(
                source: ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: Logger(label: "test")))
            context.client = ClientAddress(address: IPAddress(text: address), isLocal: false)
            context.caller = caller
            return BodyRoom.Taker(context)
        }
        #expect(taker("192.0.2.1") == taker("192.0.2.1") && taker("192.0.2.1") != taker("198.51.100.7"))
        #expect(taker("192.0.2.1", TestCaller.kitchen.caller) == .drive(TestCaller.kitchen.driveId))
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
        try bodies.take(most, of: .drive(TestCaller.kitchen.driveId))
        #expect(try await send().code == .busy)
        bodies.giveBack(most, of: .drive(TestCaller.kitchen.driveId))
        // There is room, and no batch in it.
        #expect(try await send().code != .busy)
        #expect(bodies.taken == 0)
    }

    @Test func aRequestGivesBackAllThatItHas() throws {
        let room = BodyRoom(Self.bounds)
        let claim = BodyClaim(room)
        try claim.take(40, of: .drive(1))
        #expect(throws: Problem.self) { try claim.take(40, of: .drive(1)) }
        try claim.take(20, of: .drive(1))
        claim.end()
        claim.end()
        #expect(room.taken == 0)
        try room.take(60, of: .drive(1))
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
        try bodies.take(half, of: .drive(TestCaller.kitchen.driveId))
        for refused in [try await server.send(.post, "/v1/files", json: create), try await upload()] {
            #expect(refused.status == 503 && refused.code == .busy)
            #expect(refused.headers[.retryAfter] == "1")
        }
        #expect(bodies.taken == half)
        // What has no body, and what is stored as it comes, need none; nor do others wait for one account.
        #expect(try await server.send(.get, "/v1/files").status == 200)
        #expect(try await server.send(.post, "/v1/files", as: .stranger, json: create).status == 201)
        bodies.giveBack(half, of: .drive(TestCaller.kitchen.driveId))
        let (created, uploaded) = (try await server.send(.post, "/v1/files", json: create), try await upload())
        #expect(created.status == 201 && uploaded.status == 201)
        #expect(bodies.taken == 0)
    }
}
