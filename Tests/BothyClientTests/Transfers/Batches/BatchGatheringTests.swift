import Testing

@testable import BothyClient

/// Which small files go together, and when.
@Suite struct BatchGatheringTests {
    private func gathering(_ sizes: [Int]) -> BatchGathering {
        var gathering = BatchGathering()
        for (number, bytes) in sizes.enumerated() { gathering.add(.init(number: number, bytes: bytes)) }
        return gathering
    }

    @Test func oneFileGoesAtOnce() {
        var gathering = BatchGathering()
        gathering.expect()
        #expect(gathering.next() == nil)
        gathering.joined(.init(number: 1, bytes: 10))
        #expect(gathering.next() == [1])
    }

    @Test func whoIsAboutToJoinIsWaitedForUntilTheRequestIsFull() {
        var gathering = BatchGathering()
        for _ in 0...BatchGathering.mostItems { gathering.expect() }
        for number in 0..<(BatchGathering.mostItems - 1) { gathering.joined(.init(number: number, bytes: 10)) }
        #expect(gathering.next() == nil)
        gathering.joined(.init(number: 1000, bytes: 10))
        #expect(gathering.next()?.count == BatchGathering.mostItems)
        // A file that could not be read is waited for no longer.
        gathering.add(.init(number: 2000, bytes: 10))
        #expect(gathering.next() == nil)
        gathering.joined(nil)
        #expect(gathering.next() == [2000])
    }

    @Test func theNextGathersWhileAsManyAreUnderWayAsMayBe() {
        var gathering = BatchGathering()
        for number in 0..<BatchGathering.mostUnderWay {
            gathering.add(.init(number: number, bytes: 10))
            #expect(gathering.next() == [number])
        }
        for number in 10..<20 { gathering.add(.init(number: number, bytes: 10)) }
        #expect(gathering.next() == nil)
        gathering.ended()
        #expect(gathering.next() == Array(10..<20))
    }

    @Test func aRequestThatWasTooLargeForAProxyIsHalved() {
        var gathering = gathering(Array(repeating: 100, count: 8))
        #expect(gathering.next()?.count == 8)
        gathering.shrink(below: 800)
        gathering.ended()
        for number in 0..<8 { gathering.add(.init(number: number, bytes: 100)) }
        #expect(gathering.next()?.count == 4)
    }

    @Test func aServerThatKnowsNoBatchesGetsThemOneByOne() {
        var gathering = gathering(Array(repeating: 100, count: 8))
        gathering.giveUpBatches()
        gathering.expect()
        for number in 0..<8 { #expect(gathering.next() == [number]) }
    }

    /// What refused a batch may have been a moment's fault.
    @Test func afterManyThatWentAloneABatchIsTriedAgain() {
        var gathering = gathering(Array(repeating: 100, count: BatchGathering.aloneAfterRefusal + 8))
        gathering.giveUpBatches()
        for number in 0..<BatchGathering.aloneAfterRefusal {
            #expect(gathering.next() == [number])
            gathering.ended()
        }
        #expect(gathering.next()?.count == 8)
    }

    /// However files come, are given up and are answered: each leaves once, in its order, in requests within their bounds, and
    /// in the end none is left behind.
    @Test(arguments: 0..<300 as Range<UInt64>) func everyFileLeavesOnceInOrderAndWithinBounds(seed: UInt64) {
        var random = SeededRandom(seed)
        var gathering = BatchGathering()
        var sizes = [Int: Int]()
        var (reading, underWay, number) = (0, 0, 0)
        var left = [Int]()
        var removed = Set<Int>()
        func depart() {
            while let request = gathering.next() {
                underWay += 1
                let bytes = request.reduce(0) { $0 + sizes[$1]! }
                #expect(request.count <= BatchGathering.mostItems)
                #expect(bytes <= BatchGathering.largestBody || request.count == 1)
                #expect(underWay <= BatchGathering.mostUnderWay)
                left += request
            }
        }
        for _ in 0..<600 {
            switch random.below(5) {
            case 0, 1:
                gathering.expect()
                reading += 1
            case 2 where reading > 0:
                number += 1
                sizes[number] = 1 + random.below(140_000)
                gathering.joined(random.below(10) == 0 ? nil : .init(number: number, bytes: sizes[number]!))
                reading -= 1
            case 3 where underWay > 0:
                gathering.ended()
                underWay -= 1
            case 4 where number > 0:
                let victim = 1 + random.below(number)
                if !left.contains(victim) { removed.insert(victim) }
                gathering.remove(victim)
            default: break
            }
            depart()
        }
        for _ in 0..<reading { gathering.joined(nil) }
        for _ in 0..<1000 {
            depart()
            if underWay > 0 {
                gathering.ended()
                underWay -= 1
            }
        }
        #expect(left == left.sorted() && Set(left).count == left.count)
        #expect(removed.isDisjoint(with: left))
        var probe = gathering
        probe.add(.init(number: -1, bytes: 1))
        #expect(probe.next() == [-1], "nothing else waits")
    }
}
