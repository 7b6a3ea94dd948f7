import BothyContent
import Testing

@Suite struct ZstdTests {
    private func compressed(_ bytes: [UInt8]) throws -> [UInt8] {
        try #require(bytes.withUnsafeBytes { Zstd.compress($0) })
    }

    private func decompressed(_ frame: [UInt8], upTo most: Int) -> [UInt8]? {
        frame.withUnsafeBytes { Zstd.decompress($0, upTo: most) }
    }

    @Test(arguments: [0, 1, 100, 300_000]) func whatIsCompressedComesBack(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
        #expect(decompressed(try compressed(bytes), upTo: count) == bytes)
    }

    @Test func aFrameThatHoldsMoreThanMayComeIsRefused() throws {
        let bomb = try compressed([UInt8](repeating: 0, count: 50_000_000))
        #expect(bomb.count < 10_000)
        #expect(decompressed(bomb, upTo: 1_000_000) == nil)
        #expect(decompressed(bomb, upTo: 50_000_000)?.count == 50_000_000)
    }

    @Test func aFlippedBitIsFoundInACheckedFrame() throws {
        let bytes = (0..<3_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
        let frame = try #require(bytes.withUnsafeBytes { Zstd.compress($0, isChecked: true) })
        for place in frame.indices {
            var bent = frame
            bent[place] ^= 1
            // A bit of the header may stand for nothing.
            let read = decompressed(bent, upTo: 3_000)
            #expect(read == nil || read == bytes, "\(place)")
        }
    }

    @Test func whatIsNoWholeFrameIsRefused() throws {
        let frame = try compressed(Array("what is no whole frame is refused".utf8))
        for end in 0..<frame.count { #expect(decompressed(Array(frame[..<end]), upTo: 1_000) == nil) }
        #expect(decompressed(frame + [0], upTo: 1_000) == nil)
        #expect(decompressed(frame + frame, upTo: 1_000) == nil)
        #expect(decompressed(Array("no frame".utf8), upTo: 1_000) == nil)
    }
}
