import BothyClient
import Synchronization

/// Tells when something may have changed on the server.
package protocol ServerWatcher: Sendable {
    /// Returns once the log may have something after `cursor`; now and then for nothing. One call at a time.
    ///
    /// - Throws: what time does not heal, and the task's cancellation.
    func next(after cursor: String) async throws
}

extension WakeUps: ServerWatcher {}

/// What one reader of the log hears, told to everybody on the device who waits: each synced folder listens here, and the
/// device has one connection for all.
package final class ServerBell: Sendable {
    private let listeners = Mutex<[Int: AsyncStream<Void>.Continuation]>([:])

    package init() {}

    /// Something may have changed.
    package func ring() {
        listeners.withLock { for listener in $0.values { listener.yield() } }
    }

    /// Hears every ring from now on; those that come while nobody waits are one.
    package func listener() -> any ServerWatcher {
        let (marks, mark) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id = listeners.withLock { listeners in
            let id = (listeners.keys.max() ?? 0) + 1
            listeners[id] = mark
            return id
        }
        mark.onTermination = { [weak self] _ in self?.listeners.withLock { $0[id] = nil } }
        return BellListener(marks)
    }
}

private actor BellListener: ServerWatcher {
    private let marks: AsyncStream<Void>

    init(_ marks: AsyncStream<Void>) { self.marks = marks }

    func next(after cursor: String) async throws {
        var marks = marks.makeAsyncIterator()
        _ = await marks.next(isolation: #isolation)
        try Task.checkCancellation()
    }
}
