import BothyContent
import BothyContract
import HTTPTypes
import NIOCore
import Testing

@testable import BothyServer

/// Refused uploads were written first: 96 of an account at its quota grew the packs by 480 MiB, and others had no room.
@Suite struct UploadAdmissionTests {
    private static let caller = TestCaller(driveId: 7, deviceId: "kitchen")

    private func world(quota: Int64? = nil, mostItems: Int64? = nil) async throws -> UploadWorld {
        let world = try await UploadWorld()
        try await world.server.addDrive(7, quota: quota, mostItems: mostItems)
        return world
    }

    private func send(_ name: String, _ bytes: [UInt8], _ id: String? = nil, to world: UploadWorld) async throws
        -> TestAnswer
    {
        try await world.server.send(
            .post, "/v1/upload?uploadType=media&name=\(name)", as: Self.caller, body: ByteBuffer(bytes: bytes),
            headers: [.idempotencyKey: id ?? name])
    }

    @Test func aFileThatDoesNotFitTheQuotaIsNotWritten() async throws {
        let world = try await world(quota: 1000)
        let refused = try await send("large", UploadWorld.bytes(1001), to: world)
        #expect(refused.code == .quotaExceeded)
        #expect(try refused.problem().free == 1000)
        #expect(world.packs.blockCount == 0)
        #expect(try await send("fits", UploadWorld.bytes(1000), to: world).status == 201)
        #expect(world.packs.blockCount == 1)
        // What is there already counts nothing, and what was done before is told again.
        #expect(try await send("twin", UploadWorld.bytes(1000), to: world).status == 201)
        #expect(try await send("fits", UploadWorld.bytes(1000), to: world).status == 201)
    }

    @Test func ofABatchWhatFitsIsStoredAndTheRestIsNotWritten() async throws {
        let world = try await world(quota: 1000)
        let twin = UploadWorld.bytes(600, seed: 1)
        let outcomes = try await world.batch(
            [
                BatchItem("a", twin), BatchItem("b", UploadWorld.bytes(500, seed: 2)), BatchItem("c", twin),
                BatchItem("d", UploadWorld.bytes(400, seed: 3)), BatchItem("e", [1]),
            ], as: Self.caller)
        #expect(outcomes.map(\.status) == [201, 507, 201, 201, 507])
        #expect(outcomes[1].problem?.code == .quotaExceeded)
        #expect(world.packs.blockCount == 3, "each of those that were stored")
    }

    @Test func filesBeyondTheirNumberAreNotWritten() async throws {
        let world = try await world(mostItems: 2)
        let outcomes = try await world.batch(
            (0..<4).map { BatchItem("f\($0)", UploadWorld.bytes(100, seed: UInt64($0))) }, as: Self.caller)
        #expect(outcomes.map(\.status) == [201, 201, 507, 507])
        #expect(outcomes[2].problem?.limit == 2)
        #expect(world.packs.blockCount == 2)
        // A new version of one that is there is no file more.
        let newer = try await world.batch(
            [BatchItem("f0", [7], id: "newer") { $0.conflict = .overwrite }], as: Self.caller)
        #expect(newer[0].status == 201)
    }

    @Test func aLargeFileWhoseNameIsTakenIsNotWritten() async throws {
        let world = try await world()
        #expect(try await send("taken", [1], to: world).status == 201)
        let large = UploadWorld.bytes(UploadAdmission.worthALook, seed: 4)
        #expect(try await send("taken", large, "another", to: world).code == .nameConflict)
        #expect(world.packs.blockCount == 1)
    }
}
