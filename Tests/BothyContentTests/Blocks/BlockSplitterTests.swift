import BothyContract
import Foundation
import Testing

@testable import BothyContent

@Suite struct BlockSplitterTests {
    private static let small = BlockSizes(normal: 1024)

    /// The ends of the blocks of `content`, read in pieces of any size.
    private func cuts(
        _ content: [UInt8], _ sizes: BlockSizes, piece: () -> Int = { .max }
    ) -> [Int] {
        var splitter = BlockSplitter(sizes: sizes)
        var ends = [Int]()
        var offset = 0
        while offset < content.count {
            content[offset...].prefix(piece()).withUnsafeBytes { bytes in
                let (count, endsBlock) = splitter.take(bytes)
                offset += count
                if endsBlock { ends.append(offset) }
            }
        }
        if splitter.count > 0 { ends.append(offset) }
        return ends
    }

    private func content(_ count: Int, using random: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    @Test(arguments: 0..<300 as Range<UInt64>) func theCutsAreTheSameWhateverTheReadsSizes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let content = content(Int.random(in: 0...30_000, using: &random), using: &random)
        let longest = [3, 70, 400, 5_000].randomElement(using: &random) ?? 1
        let inPieces = cuts(content, Self.small) { Int.random(in: 1...longest, using: &random) }
        #expect(inPieces == cuts(content, Self.small))
    }

    @Test(arguments: 0..<300 as Range<UInt64>) func everyBlockIsWithinItsBounds(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var content = content(Int.random(in: 0...60_000, using: &random), using: &random)
        // What repeats itself is cut at the longest.
        if seed % 3 == 0 { content += [UInt8](repeating: UInt8(seed % 256), count: 20_000) }
        let ends = cuts(content, Self.small)
        let sizes = zip(ends, [0] + ends).map { $0 - $1 }
        #expect(sizes.allSatisfy { $0 <= Self.small.maximum })
        #expect(sizes.dropLast().allSatisfy { $0 > Self.small.minimum })
        #expect(sizes.reduce(0, +) == content.count)
    }

    /// What comes before an insertion is cut as before; what comes after it falls into step again soon.
    @Test func anInsertionMovesOnlyTheCutsNearIt() {
        var (moved, longest) = (0, 0)
        for seed in 0..<300 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var content = content(100_000, using: &random)
            let before = cuts(content, Self.small)
            let place = Int.random(in: 0..<30_000, using: &random)
            let inserted = self.content(Int.random(in: 1...20, using: &random), using: &random)
            content.insert(contentsOf: inserted, at: place)
            let after = cuts(content, Self.small)
            #expect(after.prefix { $0 <= place } == before.prefix { $0 <= place })
            let shifted = Set(before.map { $0 + inserted.count })
            let inStep = after.first { $0 > place && shifted.contains($0) } ?? content.count
            #expect(after.filter { $0 >= inStep } == before.map { $0 + inserted.count }.filter { $0 >= inStep })
            moved += inStep - place
            longest = max(longest, inStep - place)
        }
        #expect(moved / 300 < 4 * Self.small.normal)
        #expect(longest < 40 * Self.small.normal)
    }

    @Test func blocksHaveAboutTheSizeThatTheyAreToHave() {
        var random = SeededGenerator(seed: 1)
        let count = cuts(content(2_000_000, using: &random), Self.small).count
        #expect((900...1_300).contains(2_000_000 / count))
    }

    /// A run of one byte has one hash from end to end: were it below a bound, holes in disk images would become many short blocks.
    @Test func aRunOfAnyByteIsCutAtTheLongest() {
        for normal in [64 << 10, 256 << 10, 1 << 20] {
            let sizes = BlockSizes(normal: normal)
            #expect(Gear.table.allSatisfy { 0 &- $0 >= sizes.boundFromNormal })
        }
        #expect(cuts([UInt8](repeating: 0, count: 10_000), Self.small) == [4_096, 8_192, 10_000])
    }

    /// Made by `docs/blocks/split.py`, which shares nothing with this package.
    private struct Vector: Decodable {
        var seed: UInt64
        var size: Int
        var normal: Int
        var cuts: [Int]
    }

    @Test func theVectorsOfVersionOneHold() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../../docs/blocks/version-1.json").standardized
        let vectors = try JSONDecoder().decode([Vector].self, from: Data(contentsOf: file))
        #expect(vectors.count == 8)
        for vector in vectors {
            var random = SeededGenerator(seed: vector.seed)
            var content = [UInt8]()
            while content.count < vector.size {
                withUnsafeBytes(of: random.next().littleEndian) { content += $0 }
            }
            content.removeLast(content.count - vector.size)
            #expect(cuts(content, BlockSizes(normal: vector.normal)) == vector.cuts, "seed \(vector.seed)")
        }
    }

    @Test func largeFilesHaveLargerBlocksAndNoneIsLongerThanARequestMayBe() throws {
        let parameters = try #require(BlockParameters(version: 1))
        #expect(parameters == .newest)
        #expect(BlockParameters(version: 0) == nil && BlockParameters(version: 2) == nil)
        #expect(parameters.sizes(forFileOf: 0).normal == 64 << 10)
        #expect(parameters.sizes(forFileOf: (512 << 20) - 1).normal == 64 << 10)
        #expect(parameters.sizes(forFileOf: 512 << 20).normal == 256 << 10)
        #expect(parameters.sizes(forFileOf: (2 << 30) - 1).normal == 256 << 10)
        #expect(parameters.sizes(forFileOf: 2 << 30).normal == 1 << 20)
        #expect(parameters.sizes(forFileOf: UploadLimits.maximumFileSize).normal == 1 << 20)
        #expect(parameters.sizes(forFileOf: UploadLimits.maximumFileSize, longest: 3 << 20).maximum == 2 << 20)
        #expect(parameters.sizes(forFileOf: 3 << 30, longest: UploadLimits.chunkSizes.lowerBound).normal == 64 << 10)
    }
}
