import BothyClient
import BothyContract
import Synchronization
import Testing

@testable import BothyAgent

@Suite struct FeedAheadPartTests {
    /// A clock whose waits are over when the test says so.
    private final class Waits: ClientClock {
        private let state = Mutex<(waiting: [CheckedContinuation<Void, Never>], count: Int)>(([], 0))
        var count: Int { state.withLock { $0.count } }

        func now() -> Timestamp { Timestamp(seconds: 0) }
        func uptime() -> Double { 0 }
        func sleep(seconds: Double) async throws {
            await withTaskCancellationHandler {
                await withCheckedContinuation { waiter in
                    state.withLock { state in
                        state.waiting.append(waiter)
                        state.count += 1
                    }
                }
            } onCancel: {
                end()
            }
            try Task.checkCancellation()
        }

        func end() {
            let waiting = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            for waiter in waiting { waiter.resume() }
        }
    }

    @Test func itFetchesOnceATimeComesAndAgainAfterNews() async throws {
        let clock = Waits()
        let answers = Mutex([false, true, true])
        let (stream, news) = AsyncStream<FeedNews>.makeStream()
        let fetched = Mutex(0)
        let part = FeedAheadPart(clock: clock, news: { stream }) {
            fetched.withLock { $0 += 1 }
            return answers.withLock { $0.isEmpty ? true : $0.removeFirst() }
        }
        try await part.start()
        func wait(_ count: Int) async throws {
            for _ in 0..<1_000 where clock.count < count { try await Task.sleep(for: .milliseconds(5)) }
            #expect(clock.count == count)
        }
        try await wait(1)
        #expect(fetched.withLock { $0 } == 0, "whoever has just come wants it for something else")
        clock.end()
        // It was no time for it, so it is asked again after a while.
        try await wait(2)
        #expect(fetched.withLock { $0 } == 1)
        clock.end()
        for _ in 0..<1_000 where fetched.withLock({ $0 }) < 2 { try await Task.sleep(for: .milliseconds(5)) }
        // Until something comes into the feed, there is nothing to fetch.
        news.yield(.notifications)
        #expect(clock.count == 2)
        news.yield(.feed)
        try await wait(3)
        clock.end()
        for _ in 0..<1_000 where fetched.withLock({ $0 }) < 3 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(fetched.withLock { $0 } == 3)
        await part.stop()
    }
}
