import BothyContent
import BothyContract
import Testing

@Suite struct ChunkSetTests {
    @Test(arguments: 0..<200 as Range<UInt64>)
    func itIsASetWhateverTheOrder(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let total = Int.random(in: 1...60, using: &generator)
        var model = Set<Int>()
        var chunks = ChunkSet()
        for _ in 0..<Int.random(in: 0...120, using: &generator) {
            let index = Int.random(in: 0..<total, using: &generator)
            #expect(chunks.insert(index) == model.insert(index).inserted)
            #expect(chunks.count == model.count)
            #expect(chunks.runs == model.sorted().chunkRuns)
        }
        for index in 0..<(total + 2) { #expect(chunks.contains(index) == model.contains(index)) }
        for bound in 0...total {
            #expect(chunks.missing(below: bound) == (0..<bound).filter { !model.contains($0) }.chunkRuns)
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>) func runsAreTheirIndexes(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var (chunks, each) = (ChunkSet(), ChunkSet())
        for _ in 0..<Int.random(in: 0...8, using: &generator) {
            let first = Int.random(in: 0...40, using: &generator)
            let run = ChunkRun(first: first, last: first + Int.random(in: 0...9, using: &generator))
            chunks.insert(run)
            for index in run.first...run.last { each.insert(index) }
            #expect(chunks == each)
        }
    }

    @Test func whatComesInOrderCostsOneRun() {
        let chunks = ChunkSet(0..<UploadLimits.maximumChunks)
        #expect(chunks.runs == [ChunkRun(first: 0, last: UploadLimits.maximumChunks - 1)])
    }
}
