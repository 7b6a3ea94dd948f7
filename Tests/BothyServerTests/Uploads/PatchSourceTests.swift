import BothyContract
import NIOCore
import Testing

@testable import BothyServer

/// What a patch copies: each block is read once for all of it, and no more of them than may be.
@Suite struct PatchSourceTests {
    private let size = 50_000

    /// A content of four blocks.
    private func source(most: Int) async throws -> (PatchSource, [UInt8]) {
        let world = try await UploadWorld()
        let blocks = (0..<4).map { UploadWorld.bytes(size, seed: UInt64($0 + 1)) }
        let session = try await world.start(
            UploadRequest(
                requestId: nil, name: "film", plan: .blocks(blocks.map(UploadWorld.reference)), finalize: .explicit))
        for (index, block) in blocks.enumerated() { _ = try await world.put(session.uploadId, chunk: index, block) }
        let done = try await world.finalize(session.uploadId).json(FinalizeResponse.self)
        let content = try await world.server.database.read {
            try StoredContent.find(revisionId: done.revision.revisionId, in: $0, drive: 1)
        }
        return (
            PatchSource(content, database: world.server.database, packs: world.packs, most: most),
            blocks.flatMap { $0 }
        )
    }

    private func expect(_ ranges: [Range<Int64>], from source: PatchSource, _ bytes: [UInt8]) async throws {
        let parts = try #require(try await source.read(ranges))
        #expect(
            parts.map { Array($0.readableBytesView) }
                == ranges.map { Array(bytes[Int($0.lowerBound)..<Int($0.upperBound)]) })
    }

    @Test func copiesComeInTheirOrderWhereverTheyLie() async throws {
        let (source, bytes) = try await source(most: 400_000)
        try await expect(
            [150_000..<200_000, 0..<1, 49_999..<50_001, 10..<120_000, 199_999..<200_000], from: source, bytes)
        try await expect([], from: source, bytes)
    }

    @Test func aThousandCopiesOfABlockReadItOnce() async throws {
        let (source, bytes) = try await source(most: 2 * size)
        let ranges = (0..<1_000).map { index in
            let start = Int64(index % 2 * size + index * 7)
            return start..<(start + 100)
        }
        try await expect(ranges, from: source, bytes)
    }

    @Test func whatReachesIntoTooManyBlocksIsNotRead() async throws {
        let (source, bytes) = try await source(most: 2 * size)
        try await expect([0..<100_000], from: source, bytes)
        #expect(try await source.read([0..<100_001]) == nil)
        #expect(try await source.read([0..<1, 60_000..<60_001, 199_999..<200_000]) == nil)
    }

    @Test func whatIsCompressedOnTheDiskIsCopiedAsItCame() async throws {
        let house = try await DataHouse()
        try await house.addAccount(1, "a@example.org")
        let bytes = CompressedBlockTests.text(400_000, seed: 1)
        let id = try await house.put("text", bytes)
        try await house.collection.tidyPacks()
        let content = try await house.database.read { db in
            try StoredContent.find(
                revisionId: FileTable(db, drive: 1).requireFile(id).headRevisionId ?? "", in: db, drive: 1)
        }
        let source = PatchSource(content, database: house.database, packs: house.packs)
        try await expect([399_999..<400_000, 0..<10, 5..<300_000], from: source, bytes)
        try await house.close()
    }
}
