import BothyContract
import Testing

@testable import BothyServer

/// Few at once, the others in their order, and no more than may wait.
@Suite struct TurnsTests {
    private let turns = Turns(atOnce: 2, mostWaiting: 3, refusal: Problem(.busy, "full"))

    private actor Order {
        var numbers = [Int]()

        func append(_ number: Int) { numbers.append(number) }
    }

    /// Somebody who has a turn until it is let go.
    private struct Guest: Sendable {
        let task: Task<Void, any Error>
        let begun: AsyncStream<Void>
        let leave: AsyncStream<Void>.Continuation

        init(_ turns: Turns) {
            let (begun, begin) = AsyncStream<Void>.makeStream()
            let (left, leave) = AsyncStream<Void>.makeStream()
            (self.begun, self.leave) = (begun, leave)
            task = Task {
                try await turns.run {
                    begin.yield()
                    for await _ in left { return }
                }
            }
        }

        func hasBegun() async { for await _ in begun { return } }
    }

    @Test func twoHaveATurnAndTheOthersOneAfterTheOther() async throws {
        let guests = [Guest(turns), Guest(turns)]
        for guest in guests { await guest.hasBegun() }
        let order = Order()
        let (turns, count) = (turns, 3)
        let waiting = try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask { try await turns.run { await order.append(number) } }
                while await turns.waitingCount <= number { await Task.yield() }
            }
            await #expect(throws: Problem.self) { try await turns.run {} }
            #expect(await order.numbers.isEmpty, "nobody comes before a turn is free")
            guests[0].leave.yield()
            try await group.waitForAll()
            return await order.numbers
        }
        #expect(waiting == [0, 1, 2])
        guests[1].leave.yield()
        for guest in guests { try await guest.task.value }
        #expect(try await turns.run { 7 } == 7, "and all are free again")
    }

    @Test func whoFailsOrIsNotWaitedForAnyMoreGivesTheTurnBack() async throws {
        struct Fault: Error {}
        for _ in 0..<5 { await #expect(throws: Fault.self) { try await turns.run { throw Fault() } } }
        let guests = [Guest(turns), Guest(turns)]
        for guest in guests { await guest.hasBegun() }
        let gone = Task { [turns] in try await turns.run { Issue.record("it was canceled") } }
        while await turns.waitingCount < 1 { await Task.yield() }
        gone.cancel()
        for guest in guests { guest.leave.yield() }
        await #expect(throws: CancellationError.self) { try await gone.value }
        #expect(try await turns.run { 7 } == 7)
    }
}
