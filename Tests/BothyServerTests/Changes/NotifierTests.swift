import BothyContract
import BothyServer
import Testing

@Suite struct NotifierTests {
    private let clock = TestClock()
    private func cursor(_ sequence: Int64) -> ChangeCursor { ChangeCursor(epoch: 1, sequence: sequence, tag: 7) }

    @Test func aWakeThatComesBeforeTheWaitIsKept() async throws {
        let notifier = Notifier(clock: clock)
        let ticket = try #require(await notifier.join(driveId: 1, deviceId: "a"))
        await notifier.wake(driveId: 1, cursor: cursor(1))
        await notifier.wake(driveId: 1, cursor: cursor(3))
        await notifier.wake(driveId: 2, cursor: cursor(9))
        #expect(await notifier.next(ticket, within: 60) == .changed(cursor(3)))
        await notifier.leave(ticket)
        #expect(await notifier.count == 0)
    }

    @Test func whoListensForATopicHearsOfItAndNobodyElse() async throws {
        let notifier = Notifier(clock: clock)
        let both = try #require(
            await notifier.join(driveId: 1, deviceId: "a", topics: [.feed, .notifications]))
        let none = try #require(await notifier.join(driveId: 1, deviceId: "b"))
        await notifier.tell(.feed, to: [1, 2])
        await notifier.tell(.notifications, to: [1])
        await notifier.tell(.notifications, to: [2])
        await notifier.wake(driveId: 1, cursor: cursor(1))
        #expect(await notifier.next(both, within: 60) == .changed(cursor(1)))
        #expect(await notifier.next(both, within: 60) == .told([.feed, .notifications]))
        #expect(await notifier.next(none, within: 60) == .changed(cursor(1)))
        async let later = notifier.next(both, within: 60)
        await notifier.tell(.feed, to: [1])
        #expect(await later == .told([.feed]))
    }

    @Test func whoHasAPostOpenHearsOfItAndNobodyElse() async throws {
        let notifier = Notifier(clock: clock)
        let open = try #require(await notifier.join(driveId: 1, deviceId: "a", topics: [.feed], post: 7))
        let other = try #require(await notifier.join(driveId: 1, deviceId: "b", topics: [.feed], post: 8))
        await notifier.tell(ofPosts: [7, 9])
        await notifier.tell(.feed, to: [1])
        #expect(await notifier.next(open, within: 60) == .told([.feed, .post]))
        #expect(await notifier.next(other, within: 60) == .told([.feed]))
        await notifier.leave(open)
        await notifier.tell(ofPosts: [7])
        #expect(await notifier.next(open, within: 60) == .ended)
    }

    @Test func aWaitEndsWhenItsTimeIsUp() async throws {
        let notifier = Notifier(clock: clock)
        let ticket = try #require(await notifier.join(driveId: 1, deviceId: "a"))
        async let wake = notifier.next(ticket, within: 0)
        let ticker = Task {
            while !Task.isCancelled {
                await notifier.tick()
                await Task.yield()
            }
        }
        #expect(await wake == .quiet)
        ticker.cancel()
    }

    @Test func signingADeviceOutEndsItsWaitsAndNoOther() async throws {
        let notifier = Notifier(clock: clock)
        let mine = try #require(await notifier.join(driveId: 1, deviceId: "a"))
        let other = try #require(await notifier.join(driveId: 1, deviceId: "b"))
        async let ended = notifier.next(mine, within: 60)
        await notifier.deviceSignedOut(driveId: 1, deviceId: "a")
        #expect(await ended == .ended)
        #expect(await notifier.next(mine, within: 60) == .ended)
        let late = try #require(await notifier.join(driveId: 1, deviceId: "a"))
        #expect(await notifier.next(late, within: 60) == .ended)
        clock.advance(seconds: 10)
        let again = try #require(await notifier.join(driveId: 1, deviceId: "a"))
        await notifier.wake(driveId: 1, cursor: cursor(1))
        #expect(await notifier.next(other, within: 60) == .changed(cursor(1)))
        #expect(await notifier.next(again, within: 60) == .changed(cursor(1)))
    }

    @Test func aCancelledTaskAndAStoppingServerWaitNoLonger() async throws {
        let notifier = Notifier(clock: clock)
        let ticket = try #require(await notifier.join(driveId: 1, deviceId: "a"))
        let task = Task { await notifier.next(ticket, within: 60) }
        task.cancel()
        #expect(await task.value == .ended)
        let second = try #require(await notifier.join(driveId: 1, deviceId: "a"))
        async let wake = notifier.next(second, within: 60)
        await notifier.stop()
        #expect(await wake == .ended)
        let third = try #require(await notifier.join(driveId: 1, deviceId: "a"))
        #expect(await notifier.next(third, within: 60) == .ended)
    }

    @Test func waitersAreBounded() async throws {
        let notifier = Notifier(clock: clock, limits: Notifier.Limits(total: 3, perDrive: 2))
        let first = try #require(await notifier.join(driveId: 1, deviceId: "a"))
        #expect(await notifier.join(driveId: 1, deviceId: "a") != nil)
        #expect(await notifier.join(driveId: 1, deviceId: "a") == nil)
        #expect(await notifier.join(driveId: 2, deviceId: "b") != nil)
        #expect(await notifier.join(driveId: 3, deviceId: "c") == nil)
        await notifier.leave(first)
        #expect(await notifier.join(driveId: 1, deviceId: "a") != nil)
    }

    @Test func tenThousandWaitersWakeAtOnce() async throws {
        let notifier = Notifier(clock: clock, limits: Notifier.Limits(total: 20_000, perDrive: 20_000))
        let cursor = cursor(1)
        let woken = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<10_000 {
                let ticket = try #require(await notifier.join(driveId: 1, deviceId: "a"))
                group.addTask { await notifier.next(ticket, within: 60) == .changed(cursor) }
            }
            await notifier.tick()
            await notifier.wake(driveId: 1, cursor: cursor)
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(woken == 10_000)
    }
}
