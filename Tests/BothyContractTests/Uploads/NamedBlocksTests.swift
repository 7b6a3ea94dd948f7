import BothyContract
import Testing

@Suite struct NamedBlocksTests {
    private let hash = ContentHash(bytes: Array(1...32 as ClosedRange<UInt8>))!

    private var named: [NamedBlocks] {
        [
            .block(BlockReference(sha256: hash, size: 70_000)), .base(ChunkRun(first: 300, last: 70_299)),
            .block(BlockReference(sha256: hash, size: 16 << 20)), .base(ChunkRun(first: 0, last: 0)),
        ]
    }

    @Test func aListComesBackAsItWasWritten() {
        let bytes = NamedBlocks.bytes(of: named)
        #expect(bytes.count == 4 * 36)
        #expect(Array(bytes.prefix(36)) == hash.bytes + [0, 1, 0x11, 0x70])
        #expect(
            Array(bytes.dropFirst(36).prefix(36)) == [0, 0, 1, 0x2c, 0, 1, 0x11, 0x70]
                + [UInt8](repeating: 0, count: 28))
        #expect(NamedBlocks.list(bytes) == named)
        #expect(NamedBlocks.list([]) == [])
        #expect(named.map(\.count) == [1, 70_000, 1, 1])
    }

    @Test func whatIsNoListIsRefused() {
        let bytes = NamedBlocks.bytes(of: named)
        for end in 1..<36 { #expect(NamedBlocks.list(bytes.prefix(end)) == nil) }
        let bad: [(String, [UInt8])] = [
            ("a block longer than may be", hash.bytes + [1, 0, 0, 1]),
            ("a run of nothing", [UInt8](repeating: 0, count: 36)),
            ("a run past every plan", [0, 0x14, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 28)),
            ("a run that wraps around", [UInt8](repeating: 0xff, count: 8) + [UInt8](repeating: 0, count: 28)),
            ("a run with something behind it", [0, 0, 0, 1, 0, 0, 0, 1, 9] + [UInt8](repeating: 0, count: 27)),
        ]
        for (name, entry) in bad { #expect(NamedBlocks.list(entry) == nil, "\(name)") }
    }

    @Test func aMarkIsTheBeginningOfAName() throws {
        let block = BlockReference(sha256: hash, size: 70_000)
        let bytes = [1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 0x11, 0x70] as [UInt8]
        #expect(try #require(BlockMark.list(bytes)) == [BlockMark(block)])
        #expect(BlockMark.list(bytes.dropLast()) == nil)
        #expect(BlockMark.list(bytes.prefix(8) + [0, 0, 0, 0]) == nil)
        #expect(BlockMark.list(bytes.prefix(8) + [1, 0, 0, 1]) == nil)
    }
}
