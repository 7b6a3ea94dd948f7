import BothyContent
import BothyContract
import Foundation
import NIOCore
import Testing

@testable import BothyServer

/// Blocks that lie in a pack as Zstandard frames.
@Suite struct CompressedBlockTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open() async throws -> FilesystemPackStore {
        try await FilesystemPackStore.open(folder: folder.file("packs"), minimumFreeBytes: 0, logger: .silent)
    }

    /// Text that shrinks to a fifth or so.
    static func text(_ length: Int, seed: UInt64) -> [UInt8] {
        var dice = SeededGenerator(seed: seed)
        let words = ["shelter", "stands", "open", "in", "any", "weather", "\n", "and", "a", "stove", "is", "lit"]
        var text = [UInt8]()
        while text.count < length { text += Array("\(words.randomElement(using: &dice)!) ".utf8) }
        return Array(text.prefix(length))
    }

    /// - Parameter length: that the block is said to have.
    private func store(_ frame: [UInt8], as length: Int, of hash: ContentHash, in store: FilesystemPackStore)
        async throws
        -> BlockLocation
    {
        let writer = try await store.begin(length: length, stored: frame.count)
        try await writer.append(ByteBuffer(bytes: frame))
        let location = try await writer.finish(hash: hash)
        try await store.makeDurable()
        return location
    }

    @Test(arguments: [300, 65_536, 1_000_000, 4 << 20])
    func everyRangeOfACompressedBlockComesBack(_ length: Int) async throws {
        let store = try await open()
        let bytes = Self.text(length, seed: UInt64(length))
        let hash = SHA256Hasher.hash(bytes)
        let frame = try #require(BlockCompression.frame(of: ByteBuffer(bytes: bytes)))
        let location = try await self.store(frame, as: length, of: hash, in: store)
        #expect(location.length == length && location.stored == frame.count && location.isCompressed)
        for range in [0..<length, 0..<1, length - 1..<length, length / 3..<length / 2, 7..<7] {
            let read = try await store.read(location, of: hash, range: range)
            #expect(Array(read.readableBytesView) == Array(bytes[range]))
        }
        try await store.checkStored(location, of: hash)
        try await store.close()
    }

    @Test func everyBitOfACompressedRecordIsGuarded() async throws {
        let store = try await open()
        let bytes = Self.text(900, seed: 1)
        let hash = SHA256Hasher.hash(bytes)
        let frame = try #require(BlockCompression.frame(of: ByteBuffer(bytes: bytes)))
        let location = try await self.store(frame, as: bytes.count, of: hash, in: store)
        let path = folder.file("packs") + "/" + PackFormat.fileName(location.pack)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        let start = Int(location.offset) - PackFormat.headerBytes
        for offset in start..<(start + Int(PackFormat.recordBytes(frame.count))) {
            var rotten = whole
            rotten[offset] ^= 1 << (offset % 8)
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            try file.write(contentsOf: rotten)
            try file.close()
            await #expect {
                _ = try await store.read(location, of: hash, range: 0..<10)
            } throws: {
                isDamage($0)
            }
        }
        try await store.close()
    }

    @Test func aFrameThatHoldsMoreOrLessThanTheBlockIsDamage() async throws {
        let store = try await open()
        let bomb = try #require([UInt8](repeating: 0, count: 64 << 20).withUnsafeBytes { Zstd.compress($0) })
        let short = try #require(Self.text(2000, seed: 2).withUnsafeBytes { Zstd.compress($0) })
        let frames: [([UInt8], Int)] = [
            (bomb, 1 << 20), (short, 2001), (Array(short.dropLast()), 2000), (short + [0], 2000), ([1, 2, 3], 2000),
        ]
        for (frame, length) in frames {
            let location = try await self.store(frame, as: length, of: Block(8, seed: 3).hash, in: store)
            await #expect {
                _ = try await store.read(location, of: Block(8, seed: 3).hash, range: 0..<1)
            } throws: {
                isDamage($0)
            }
        }
        try await store.close()
    }

    @Test func aPlainRecordIsNotReadAsACompressedOneNorTheOtherWayRound() async throws {
        let store = try await open()
        let bytes = Self.text(5000, seed: 4)
        let hash = SHA256Hasher.hash(bytes)
        let frame = try #require(BlockCompression.frame(of: ByteBuffer(bytes: bytes)))
        let compressed = try await self.store(frame, as: bytes.count, of: hash, in: store)
        var plain = compressed
        plain.length = compressed.stored
        var longer = compressed
        longer.length += 1
        for location in [plain, longer] {
            await #expect {
                _ = try await store.read(location, of: hash, range: 0..<10)
            } throws: {
                isDamage($0)
            }
        }
        try await store.close()
    }

    @Test func whatDoesNotShrinkIsFoundOutByItsSamples() {
        let noise = ByteBuffer(bytes: Block(500_000, seed: 5).bytes)
        let samples = { (bytes: ByteBuffer) in
            ShrinkGuess.samples(of: bytes.readableBytes).compactMap {
                bytes.getSlice(at: $0.lowerBound, length: $0.count)
            }
        }
        #expect(!BlockCompression.isHopeful(samples(noise)) && BlockCompression.frame(of: noise) == nil)
        let text = ByteBuffer(bytes: Self.text(500_000, seed: 6))
        #expect(BlockCompression.isHopeful(samples(text)))
        #expect(!BlockCompression.isHopeful([]))
        #expect(ShrinkGuess.samples(of: 1000) == [0..<1000])
        #expect(BlockCompression.frame(of: ByteBuffer(bytes: [UInt8](repeating: 0, count: 100))) == nil)
    }
}
