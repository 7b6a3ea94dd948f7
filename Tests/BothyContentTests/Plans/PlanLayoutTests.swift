import BothyContent
import BothyContract
import Testing

@Suite struct PlanLayoutTests {
    private static let least = UploadLimits.chunkSizes.lowerBound

    private func randomLayout(_ generator: inout SeededGenerator) throws -> PlanLayout {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
            let chunkSize = Int64.random(in: UploadLimits.chunkSizes, using: &generator)
            return try .fixed(size: Int64.random(in: 0...(chunkSize * 20), using: &generator), chunkSize: chunkSize)
        case 1: return try .blocks(sizes: randomSizes(&generator), declared: nil)
        default: return try .open(sizes: randomSizes(&generator))
        }
    }

    private func randomSizes(_ generator: inout SeededGenerator) -> [Int64] {
        (0..<Int.random(in: 0...30, using: &generator)).map { _ in Int64.random(in: 1...1000, using: &generator) }
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func chunksLieSideBySideAndCoverTheFile(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let layout = try randomLayout(&generator)
        var next: Int64 = 0
        for index in 0..<layout.count {
            let range = try #require(layout.range(ofChunk: index))
            #expect(range.lowerBound == next)
            #expect(!range.isEmpty)
            #expect(layout.chunk(at: range.lowerBound) == index)
            #expect(layout.chunk(at: range.upperBound - 1) == index)
            #expect(layout.chunks(exactly: range) == index..<(index + 1))
            next = range.upperBound
        }
        #expect(next == layout.size)
        for offset in [-1, layout.size, .max] { #expect(layout.chunk(at: offset) == nil) }
        for index in [-1, layout.count, .max] { #expect(layout.range(ofChunk: index) == nil) }
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func onlyWholeChunksAreTaken(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let layout = try randomLayout(&generator)
        guard layout.count > 0 else {
            #expect(layout.chunks(exactly: 0..<0) == nil)
            return
        }
        let bounds = Set((0..<layout.count).compactMap { layout.range(ofChunk: $0)?.lowerBound } + [layout.size])
        for _ in 0..<50 {
            let ends = [Bool.random(using: &generator), Bool.random(using: &generator)].map { onBound in
                onBound
                    ? bounds.sorted().randomElement(using: &generator)!
                    : Int64.random(in: 0...(layout.size + 3), using: &generator)
            }
            let range = ends.min()!..<ends.max()!
            let isWhole = !range.isEmpty && bounds.contains(range.lowerBound) && bounds.contains(range.upperBound)
            let chunks = layout.chunks(exactly: range)
            #expect((chunks != nil) == isWhole)
            guard let chunks else { continue }
            #expect(layout.range(ofChunk: chunks.lowerBound)?.lowerBound == range.lowerBound)
            #expect(layout.range(ofChunk: chunks.upperBound - 1)?.upperBound == range.upperBound)
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func whatIsMissingAndWhatIsThereAreTheWhole(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let layout = try randomLayout(&generator)
        let received = ChunkSet((0..<layout.count).filter { _ in Int.random(in: 0..<5, using: &generator) > 0 })
        #expect(layout.missing(from: received).map(\.count).reduce(0, +) == layout.count - received.count)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func anOpenPlanThatGrowsInAnyStepsIsThePlanNamedAtOnce(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let sizes = randomSizes(&generator)
        var layout = try PlanLayout.open()
        while layout.count < sizes.count {
            let from = Int.random(in: 0...layout.count, using: &generator)
            let to = Int.random(in: from...sizes.count, using: &generator)
            let before = layout.count
            #expect(try layout.extend(from: from, sizes: Array(sizes[from..<to])) == before..<max(before, to))
        }
        #expect(try layout == .open(sizes: sizes))
        try layout.close()
        #expect(try layout == .blocks(sizes: sizes, declared: sizes.reduce(0, +)))
        #expect(throws: PlanFault.notOpen) { try layout.extend(from: 0, sizes: []) }
    }

    @Test func contradictionsAndGapsChangeNothing() throws {
        var layout = try PlanLayout.open(sizes: [5, 6])
        let before = layout
        #expect(throws: PlanFault.contradiction(index: 1)) { try layout.extend(from: 1, sizes: [7, 8]) }
        #expect(throws: PlanFault.gap(from: 3, count: 2)) { try layout.extend(from: 3, sizes: [1]) }
        #expect(throws: PlanFault.gap(from: -1, count: 2)) { try layout.extend(from: -1, sizes: [1]) }
        #expect(throws: PlanFault.blockSize(index: 3, size: 0)) { try layout.extend(from: 2, sizes: [1, 0]) }
        #expect(layout == before)
    }

    @Test func sizesAreBounded() {
        #expect(throws: PlanFault.fileSize(-1)) { try PlanLayout.fixed(size: -1, chunkSize: Self.least) }
        let tooBig = UploadLimits.maximumFileSize + 1
        #expect(throws: PlanFault.fileSize(tooBig)) { try PlanLayout.fixed(size: tooBig, chunkSize: Self.least) }
        for size in [0, -1, Self.least - 1, UploadLimits.chunkSizes.upperBound + 1, .max, .min] {
            #expect(throws: PlanFault.chunkSize(size)) { try PlanLayout.fixed(size: 1, chunkSize: size) }
        }
        for size in [0, -1, UploadLimits.blockSizes.upperBound + 1, .max, .min] {
            #expect(throws: PlanFault.blockSize(index: 1, size: size)) { try PlanLayout.open(sizes: [1, size]) }
        }
        let largest = UploadLimits.blockSizes.upperBound
        let all = Array(repeating: largest, count: Int(UploadLimits.maximumFileSize / largest))
        #expect(throws: Never.self) { try PlanLayout.open(sizes: all) }
        #expect(throws: PlanFault.fileSize(UploadLimits.maximumFileSize + 1)) { try PlanLayout.open(sizes: all + [1]) }
        #expect(throws: PlanFault.tooManyChunks) {
            try PlanLayout.open(sizes: repeatElement(1, count: UploadLimits.maximumChunks + 1))
        }
        #expect(throws: PlanFault.sumDiffers(sum: 6, declared: 7)) {
            try PlanLayout.blocks(sizes: [1, 2, 3], declared: 7)
        }
    }

    @Test func aFileOfNoBytesHasNoChunk() throws {
        let layout = try PlanLayout.fixed(size: 0, chunkSize: Self.least)
        #expect(layout.count == 0)
    }
}
