import BothyClient
import Testing

/// What is let go, and what is not.
@Suite struct EvictionTests {
    private func shelf(_ id: Int, _ bytes: Int64, _ lastUse: Int64, stays: Bool = false) -> Eviction.Shelf<Int> {
        Eviction.Shelf(id: id, bytes: bytes, lastUse: lastUse, stays: stays)
    }

    @Test func nothingIsLetGoWhileThereIsRoom() {
        #expect(Eviction.choose([shelf(1, 60, 0), shelf(2, 40, 1)], held: 100, cap: 100).isEmpty)
    }

    @Test func whatWasNotUsedForLongestGoesFirstAndNoMoreThanIsNeeded() {
        let shelves = [shelf(1, 30, 7), shelf(2, 30, 2), shelf(3, 30, 0), shelf(4, 30, 9)]
        #expect(Eviction.choose(shelves, held: 120, cap: 100) == [3])
        #expect(Eviction.choose(shelves, held: 120, cap: 60) == [3, 2, 1])
    }

    @Test func whatMustStayStaysHoweverLittleRoomThereIs() {
        let shelves = [shelf(1, 50, 0, stays: true), shelf(2, 50, 5)]
        #expect(Eviction.choose(shelves, held: 100, cap: 0) == [2])
    }

    @Test func theRuleHoldsForAnyShelves() {
        for seed in PropertyCases.seeds(500) { theRuleHolds(seed) }
    }

    private func theRuleHolds(_ seed: UInt64) {
        var dice = SeededRandom(seed)
        let shelves = (0..<dice.below(30)).map { id in
            shelf(id, Int64(dice.below(50)), Int64(dice.below(20)), stays: dice.below(4) == 0)
        }
        let other = Int64(dice.below(100))
        let held = shelves.reduce(other) { $0 + $1.bytes }
        let cap = Int64(dice.below(Int(held) + 20))
        let gone = Eviction.choose(shelves, held: held, cap: cap)
        let byId = Dictionary(uniqueKeysWithValues: shelves.map { ($0.id, $0) })
        #expect(Set(gone).count == gone.count)
        #expect(gone.allSatisfy { byId[$0]?.stays == false }, "pinned, bound, pending or in a conflict")
        guard held > cap else { return #expect(gone.isEmpty) }
        let freed = gone.reduce(0) { $0 + (byId[$1]?.bytes ?? 0) }
        let left = shelves.filter { !$0.stays && $0.bytes > 0 && !gone.contains($0.id) }
        #expect(held - freed <= cap || left.isEmpty, "as far as it can be done, the cap is kept")
        if let last = gone.last, let bytes = byId[last]?.bytes {
            #expect(held - freed + bytes > cap / 10 * 9, "no more is let go than is needed")
        }
        for staying in left {
            #expect(gone.allSatisfy { (byId[$0]?.lastUse ?? 0) <= staying.lastUse }, "the longest unused goes first")
        }
    }
}
