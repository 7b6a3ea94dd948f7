import BothyContract
import Testing

@testable import BothyClient

/// Which transfers begin, and when: drawn by the thousand.
@Suite struct TransferQueueTests {
    private static let small: Int64 = 1 << 10
    private static let large: Int64 = 1 << 30

    private func entry(_ id: Int, _ size: Int64) -> TransferQueue.Entry {
        let order = UploadOrder(localPath: "/\(id)", name: "\(id)", parentId: File.rootId, conflict: .fork)
        return TransferQueue.Entry(
            record: .upload(UploadTransfer(transferId: "\(id)", order: order, now: Timestamp(seconds: 0))), size: size)
    }

    @Test func aSmallOneBeginsAtOnceHoweverManyLargeOnesWait() {
        var queue = TransferQueue()
        queue.add((0..<20).map { entry($0, Self.large) })
        var begun = 0
        while queue.next() != nil { begun += 1 }
        #expect((1..<20).contains(begun))
        queue.add([entry(100, Self.small), entry(101, 3 << 20)])
        let next1 = queue.next()?.id
        #expect(next1 == "100")
        let next2 = queue.next()?.id
        #expect(next2 == nil, "a larger one waits until that is through")
        queue.ended("100")
        let next3 = queue.next()?.id
        #expect(next3 == "101")
    }

    @Test func aLargeOneBeginsThoughSmallOnesNeverEnd() {
        var queue = TransferQueue()
        queue.add((0..<3).map { entry($0, Self.large) })
        while queue.next() != nil {}
        var number = 100
        queue.add([entry(number, Self.small)])
        let next4 = queue.next()?.id
        #expect(next4 == "\(number)")
        queue.ended("0")
        for _ in 0..<40 {
            number += 1
            queue.add([entry(number, Self.small)])
        }
        let next5 = queue.next()?.id
        #expect(next5 == "2")
    }

    @Test(arguments: 0..<200) func allComeToTheirTurnAndNothingIsLost(seed: UInt64) {
        var random = SeededRandom(seed)
        var queue = TransferQueue()
        var (running, ended, added) = (Set<String>(), Set<String>(), [String]())
        let sizes: [Int64] = [0, Self.small, 100 << 10, 3 << 20, Self.large]
        for number in 0..<300 {
            queue.add([entry(number, sizes.randomElement(using: &random)!)])
            added.append("\(number)")
            while let next = queue.next() { #expect(running.insert(next.id).inserted) }
            #expect(!running.isEmpty)
            if Bool.random(using: &random), let one = running.sorted().randomElement(using: &random) {
                queue.ended(one)
                running.remove(one)
                ended.insert(one)
            }
        }
        while let one = running.min() {
            queue.ended(one)
            running.remove(one)
            ended.insert(one)
            while let next = queue.next() { running.insert(next.id) }
        }
        #expect(ended == Set(added))
    }

    @Test func whatIsTakenOutNeverBegins() {
        var queue = TransferQueue()
        queue.add((0..<4).map { entry($0, Self.large) } + [entry(4, Self.small)])
        let removals = [queue.remove("2"), queue.remove("2")]
        #expect(removals == [true, false])
        var begun = [String]()
        while let next = queue.next() {
            begun.append(next.id)
            queue.ended(next.id)
        }
        #expect(begun.sorted() == ["0", "1", "3", "4"])
    }
}
