import BothyContent
import BothyContract
import Foundation
import NIOCore
import Testing

@testable import BothyServer

/// Blocks that came as patches are blocks like any other: they are moved, compressed, freed and verified, and need nothing of what they
/// were made from.
@Suite struct PatchedBlockTests {
    private static let caller = Caller(userId: 1, driveId: 1, deviceId: "device")

    private let house: DataHouse
    /// One that shrinks, and one that does not.
    private let old = [CompressedBlockTests.text(300_000, seed: 1), Block(300_000, seed: 2).bytes]
    private let new: [[UInt8]]
    private let base: UploadOutcome
    private let copy: UploadOutcome

    init() async throws {
        house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        new = old.map { $0[..<150_000] + [1, 2, 3] + $0[150_000...] }
        base = try await Self.put("base", old, in: house) { _ in nil }
        let (revision, source) = (base.revision.revisionId, old.flatMap { $0 })
        copy = try await Self.put("made", new, in: house) { block in
            let patch = source.withUnsafeBytes { source in
                block.withUnsafeBytes { PatchMaker(FragmentSketch(of: source, fragmentSize: 1024)).patch(making: $0) }
            }
            return ChunkPatch(body: ByteBuffer(bytes: try #require(patch).body), base: revision)
        }
    }

    /// - Parameter patch: what a block goes as; nil for itself.
    private static func put(
        _ name: String, _ blocks: [[UInt8]], in house: DataHouse, patch: ([UInt8]) throws -> ChunkPatch?
    ) async throws -> UploadOutcome {
        let request = UploadRequest(
            requestId: nil, name: name, plan: .blocks(blocks.map(UploadWorld.reference)), finalize: .explicit)
        let id = try await house.sessions.start(request, identity: .none(for: "test"), for: caller).response.uploadId
        var start: Int64 = 0
        for block in blocks {
            let range = ContentRange(first: start, last: start + Int64(block.count) - 1, total: nil)
            let arrival = ChunkArrival(placement: .range(range), digest: nil, length: nil)
            if let patch = try patch(block) {
                #expect(patch.body.readableBytes < block.count / 20)
                _ = try await house.sessions.receive(arrival, madeBy: patch, of: id, for: caller)
            } else {
                let body = AsyncStream { continuation in
                    continuation.yield(ByteBuffer(bytes: block))
                    continuation.finish()
                }
                _ = try await house.sessions.receive(arrival, of: id, from: body, for: caller)
            }
            start = range.last + 1
        }
        return try await house.sessions.finalize(id, FinalizeRequest(), for: caller)
    }

    private func expectWhole(blocks: Int) async throws {
        let report = try await house.verification.run()
        #expect(report.damaged.isEmpty && report.databaseFaults.isEmpty && report.blocks == blocks)
        #expect(try await house.read(copy.file.id) == new.flatMap { $0 })
    }

    @Test func theyAreThereWithoutWhatTheyWereMadeFrom() async throws {
        try await expectWhole(blocks: 4)
        try await house.deleteForGood([base.file.id])
        let report = try await house.collection.run()
        #expect(report.freedBytes + report.movedBytes > 0)
        try await expectWhole(blocks: 2)
        // What a patch would copy from is gone with it.
        await #expect {
            _ = try await Self.put("again", [new[0] + [4]], in: house) { _ in
                ChunkPatch(body: ByteBuffer(), base: base.revision.revisionId)
            }
        } throws: { ($0 as? Problem)?.code == .patchInvalid }
        try await house.close()
    }

    @Test func theyAreCompressedAndMovedLikeOthers() async throws {
        try await house.collection.tidyPacks()
        try await expectWhole(blocks: 4)
        let compressed = try await house.database.read {
            try $0.first("SELECT count(*) FROM blocks WHERE stored < size")?.int(0)
        }
        #expect(compressed == 2, "the text, as it was and as it is")
        _ = try await house.put("more", Block(2 << 20, seed: 9).bytes)
        for pack in try await house.packs.fullPacks().map(\.pack) { _ = try await house.compaction.empty(pack) }
        _ = try await house.collection.run()
        try await expectWhole(blocks: 5)
        try await house.close()
    }

    @Test func aBitThatFlipsInOneIsFoundAndNamed() async throws {
        let hash = SHA256Hasher.hash(new[1])
        let place = try await house.database.read { db in
            try db.first("SELECT \(BlockLocation.columns()) FROM blocks WHERE hash = ?", [hash.sql])
                .map { BlockLocation($0, from: 0) }
        }
        let location = try #require(place)
        let path = house.data.packs + "/" + PackFormat.fileName(location.pack)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(location.offset) + 150_000)
        try file.write(contentsOf: Data([0xAA, 0x55, 0xAA, 0x55]))
        try file.close()
        let damaged = try await house.verification.run().damaged
        #expect(damaged.map(\.hash) == [hash] && damaged.flatMap(\.files).map(\.path) == ["/made"])
        await #expect { _ = try await house.read(copy.file.id) } throws: { isDamage($0) }
        #expect(try await house.read(base.file.id) == old.flatMap { $0 })
        try await house.close()
    }
}
