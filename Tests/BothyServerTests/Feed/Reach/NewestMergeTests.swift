@testable import BothyServer
import Testing

/// The newest of many series are those that sorting all of them gives, and few of the others are read.
@Suite struct NewestMergeTests {
    @Test(arguments: 0..<300)
    func theNewestOfAll(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var ids = Array(Int64(1)...200).shuffled(using: &random)
        let series = (0..<Int.random(in: 1..<12, using: &random)).map { _ in
            let count = Int.random(in: 0..<20, using: &random)
            defer { ids.removeFirst(min(count, ids.count)) }
            return ids.prefix(count).sorted(by: >)
        }
        let limit = Int.random(in: 1..<30, using: &random)
        let all = series.joined().sorted(by: >)
        let heads = series.compactMap { one in one.first.map { NewestMerge<[Int64]>.Head(series: one, newest: $0) } }
        let found = NewestMerge.newest(limit, of: heads) { one, after, most in
            one.filter { $0 > after }.prefix(most).map { FeedEntry(entryId: $0, postId: $0, authorId: 1) }
        }
        #expect(found.entries.map(\.entryId) == Array(all.prefix(limit)))
        #expect(found.isCut == (all.count > limit))
    }

    @Test func whatIsOlderThanEnoughIsNotRead() {
        var read = 0
        let heads = (1...1_000).map { NewestMerge<Int64>.Head(series: Int64($0), newest: Int64($0)) }
        let found = NewestMerge.newest(10, of: heads) { one, _, _ in
            read += 1
            return [FeedEntry(entryId: one, postId: one, authorId: 1)]
        }
        #expect(found.entries.map(\.entryId) == Array((991...1_000).reversed()))
        #expect(read == 11, "as many as are wanted, and one to know that there are more")
    }
}
