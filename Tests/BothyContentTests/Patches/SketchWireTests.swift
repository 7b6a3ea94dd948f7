import BothyContract
import Testing

@testable import BothyContent

/// A sketch as a server gives it: half of each hash still finds what two versions share.
@Suite struct SketchWireTests {
    private func content(_ count: Int, using random: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private func sketch(of content: [UInt8], fragmentSize: Int = 256) -> FragmentSketch {
        content.withUnsafeBytes { FragmentSketch(of: $0, fragmentSize: fragmentSize) }
    }

    @Test(arguments: 0..<200 as Range<UInt64>) func aPatchByWhatCameMakesTheTarget(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let source = content(Int.random(in: 0...20_000, using: &random), using: &random)
        var target = source
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let start = Int.random(in: 0...target.count, using: &random)
            let end = min(target.count, start + Int.random(in: 0...300, using: &random))
            let new = content(Int.random(in: 0...300, using: &random), using: &random)
            target.replaceSubrange(start..<end, with: new)
        }
        let came = try #require(FragmentSketch(wire: sketch(of: source).wire))
        let (body, copied) = try #require(target.withUnsafeBytes { PatchMaker(came).patch(making: $0) })
        // All fragments but those that an edit touches.
        #expect(copied >= source.count - 3 * (300 + 3 * 256))
        let patch = try body.withUnsafeBytes {
            try Patch($0, targetSize: target.count, sourceSize: Int64(source.count))
        }
        #expect(source.withUnsafeBytes { patch.applied(to: $0) } == target)
    }

    @Test func itHasEightBytesAFragment() throws {
        var random = SeededGenerator(seed: 1)
        let known = sketch(of: content(1_000, using: &random))
        #expect(known.wire.count == 4 + 3 * 8)
        let came = try #require(FragmentSketch(wire: known.wire))
        #expect(came.fragmentSize == 256 && came.anchors == known.anchors)
        #expect(came.hashes.map { $0 >> 32 } == known.hashes.map { $0 >> 32 })
        #expect(came.wire == known.wire)
    }

    @Test func whatIsNoSketchIsNone() {
        var random = SeededGenerator(seed: 2)
        let wire = sketch(of: content(1_000, using: &random)).wire
        for end in 0..<wire.count where end % 8 != 4 {
            #expect(FragmentSketch(wire: wire.prefix(end)) == nil, "\(end)")
        }
        for size in [0, 1, 64, 255, 65_537, UInt32.max] as [UInt32] {
            let head = (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) }
            #expect(FragmentSketch(wire: head + wire.dropFirst(4)) == nil, "\(size)")
        }
        let tooMuch = wire + [UInt8](repeating: 0, count: SketchFormat.mostBytes / 8 * 8)
        #expect(FragmentSketch(wire: tooMuch) == nil)
    }

    /// What comes and what goes around one edit are the least together, more or less.
    @Test func fragmentsAreAsLargeAsTheFileWantsThem() {
        let sizes: [(Int64, Int)] = [
            (1, 256), (64 << 10, 512), (300 << 10, 1_024), (3 << 20, 4_096), (5 << 20, 4_096), (8 << 20, 8_192),
            (64 << 20, 16_384),
        ]
        for (size, fragment) in sizes { #expect(SketchFormat.fragmentSize(forFileOf: size) == fragment, "\(size)") }
        for size in stride(from: 1, through: 64 << 20, by: 77_777) as StrideThrough<Int64> {
            let fragments = size / Int64(SketchFormat.fragmentSize(forFileOf: size))
            #expect(SketchFormat.bytesOfHead + Int(fragments) * SketchFormat.bytesOfFragment <= SketchFormat.mostBytes)
        }
    }
}
