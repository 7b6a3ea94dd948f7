import BothyContract
import Foundation
import NIOCore
import Testing

@testable import BothyServer

/// Bytes are on the disk before the database knows them: a file whose sync failed is nowhere.
@Suite struct DurabilityOrderTests {
    private let caller = Caller(userId: 1, driveId: 1, deviceId: "device")

    /// The calls of the first block in a new folder, up to its sync.
    private static let calls = ["mkdir", "create", "write", "fsync directory", "write", "fdatasync"]

    private func rows(_ house: DataHouse) async throws -> [Int] {
        try await house.database.read { db in
            try ["nodes WHERE kind = 1", "blocks", "contents", "upload_chunks WHERE received = 1"].map { table in
                try db.first("SELECT COUNT(*) FROM \(table)")!.int(0)
            }
        }
    }

    @Test func aSmallFileWhoseSyncFailedIsNowhere() async throws {
        let disk = FaultyDisk(fault: .init(call: Self.calls.count - 1, code: EIO))
        let house = try await DataHouse(disk: disk)
        try await house.addAccount(1, "a@example.org")
        await #expect(throws: PackError.self) { try await house.put("file", Block(5000, seed: 1).bytes) }
        #expect(disk.calls == Self.calls)
        #expect(try await rows(house) == [0, 0, 0, 0])
        try await house.close()
    }

    @Test func aChunkWhoseSyncFailedWasNotReceived() async throws {
        let disk = FaultyDisk(fault: .init(call: Self.calls.count - 1, code: EIO))
        let house = try await DataHouse(disk: disk)
        try await house.addAccount(1, "a@example.org")
        let chunk = Block(Int(UploadLimits.chunkSizes.lowerBound), seed: 1)
        let request = UploadRequest(
            requestId: nil, name: "file", size: Int64(2 * chunk.bytes.count),
            plan: .fixed(chunkSize: Int64(chunk.bytes.count)))
        let uploadId = try await house.sessions.start(request, identity: .none(for: "test"), for: caller).response
            .uploadId
        let body = AsyncStream { continuation in
            continuation.yield(ByteBuffer(bytes: chunk.bytes))
            continuation.finish()
        }
        let arrival = ChunkArrival(placement: .index(0), digest: chunk.hash, length: Int64(chunk.bytes.count))
        await #expect(throws: PackError.self) {
            _ = try await house.sessions.receive(arrival, of: uploadId, from: body, for: caller)
        }
        #expect(disk.calls == Self.calls)
        #expect(try await rows(house) == [0, 0, 0, 0])
        let status = try await house.sessions.status(uploadId, for: caller).response
        #expect(status.receivedChunks.isEmpty)
        try await house.close()
    }
}
