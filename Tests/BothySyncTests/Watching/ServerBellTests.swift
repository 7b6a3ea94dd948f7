import BothyClient
import BothySync
import Synchronization
import Testing

/// One connection tells everybody on the device who waits.
@Suite(.timeLimit(.minutes(10))) struct ServerBellTests {
    @Test func everybodyHearsARing() async throws {
        let bell = ServerBell()
        let listeners = [bell.listener(), bell.listener()]
        bell.ring()
        for listener in listeners { try await listener.next(after: "c1") }
    }

    /// What rings while a folder is being looked at leads to one more look, however often it rang.
    @Test func ringsThatNobodyWaitedForAreOne() async throws {
        let bell = ServerBell()
        let listener = bell.listener()
        for _ in 0..<3 { bell.ring() }
        try await listener.next(after: "c1")
        #expect(await isStillWaiting(listener))
    }

    @Test func aRingBeforeSomebodyListenedIsNotHeard() async {
        let bell = ServerBell()
        bell.ring()
        let listener = bell.listener()
        #expect(await isStillWaiting(listener))
    }

    @Test func whoWaitsIsWokenByTheNextRing() async throws {
        let bell = ServerBell()
        let listener = bell.listener()
        let wait = Task { try await listener.next(after: "c1") }
        // It may not wait yet: a ring is kept for it.
        bell.ring()
        try await wait.value
        let again = Task { try await listener.next(after: "c2") }
        bell.ring()
        try await again.value
    }

    @Test func whoIsCancelledHearsOfThat() async throws {
        let listener = ServerBell().listener()
        let wait = Task { try await listener.next(after: "c1") }
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
    }

    @Test func whoHasGoneTakesNobodyElsesRing() async throws {
        let bell = ServerBell()
        let first = bell.listener()
        do { _ = bell.listener() }
        let third = bell.listener()
        bell.ring()
        try await first.next(after: "c1")
        try await third.next(after: "c1")
    }

    /// Whether one who begins to listen now is there still after everybody else has had many turns.
    private func isStillWaiting(_ listener: any ServerWatcher) async -> Bool {
        let heard = Heard()
        let wait = Task {
            try await listener.next(after: "c1")
            heard.flag.withLock { $0 = true }
        }
        for _ in 0..<1_000 { await Task.yield() }
        defer { wait.cancel() }
        return heard.flag.withLock { !$0 }
    }

    private final class Heard: Sendable { let flag = Mutex(false) }
}
