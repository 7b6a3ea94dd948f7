import Synchronization

/// Passes on to listeners what the server's event stream tells of the feed.
package final class FeedNewsBoard: Sendable {
    private let listeners = Mutex<(last: Int, open: [Int: AsyncStream<FeedNews>.Continuation])>((0, [:]))

    package init() {}

    package func tell(_ news: FeedNews) {
        for listener in listeners.withLock({ Array($0.open.values) }) { listener.yield(news) }
    }

    /// From now on; it ends when nobody reads it any more.
    package func news() -> AsyncStream<FeedNews> {
        // Of many that wait, one of each kind says as much.
        let (stream, continuation) = AsyncStream<FeedNews>.makeStream(bufferingPolicy: .bufferingNewest(8))
        let number = listeners.withLock { state in
            state.last += 1
            state.open[state.last] = continuation
            return state.last
        }
        continuation.onTermination = { [weak self] _ in self?.leave(number) }
        return stream
    }

    private func leave(_ number: Int) { listeners.withLock { _ = $0.open.removeValue(forKey: number) } }
}
