import BothyContract
import NIOCore
import Testing

@testable import BothyServer

/// What many small files cost the disk: one sync for many of them, whatever else is said of them.
@Suite struct BatchSyncTests {
    private static let caller = Caller(userId: 1, driveId: 1, deviceId: "device")
    private static let files = 500
    /// As many as a device puts into one request.
    private static let inBatch = 128
    private static let fileBytes = 4096

    @Test func fiveHundredFilesInBatchesCostAHandfulOfSyncs() async throws {
        let disk = FaultyDisk(fault: nil)
        let house = try await DataHouse(disk: disk)
        try await house.addAccount(1, "a@example.org")
        _ = try await house.put("first", [1])
        let before = disk.calls.count
        let items = (0..<Self.files).map { BatchItem("f\($0)", Block(Self.fileBytes, seed: UInt64($0)).bytes) }
        let batches = UploadBatches(house.simple, house.sessions)
        for start in stride(from: 0, to: items.count, by: Self.inBatch) {
            let body = items[start..<min(start + Self.inBatch, items.count)].flatMap(\.bytes)
            let parts = AsyncStream { continuation in
                continuation.yield(ByteBuffer(bytes: body))
                continuation.finish()
            }
            let answer = try await BodyPace().watch(parts) { parts in
                try await batches.receive(&parts, length: body.count, for: Self.caller)
            }
            #expect(answer.items.allSatisfy { $0.status == 201 })
        }
        let calls = disk.calls[before...]
        let syncs = calls.count { $0 == "fdatasync" }
        #expect((1...8).contains(syncs), "\(syncs) syncs for \(Self.files) files")
        #expect(calls.count { $0 == "write" } < Self.files / 4, "they are written together, too")
        #expect(try await house.verification.run().blocks == Self.files + 1)
        try await house.close()
    }
}
