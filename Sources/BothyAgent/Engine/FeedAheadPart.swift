import BothyClient

/// Has the newest posts fetched before anybody asks for them, whenever something came into the feed and the device has nothing else to do.
package actor FeedAheadPart: AgentPart {
    package nonisolated let name = "feed-ahead"

    private let clock: any ClientClock
    private let news: @Sendable () async throws -> AsyncStream<FeedNews>
    private let fetch: @Sendable () async throws -> Bool
    private var going: Task<Void, Never>?

    /// Seconds between two looks, and before the first: a person who has just come to the device wants it for something else.
    private static let pause = 60.0

    /// - Parameters:
    ///   - news: what comes into the feed from then on.
    ///   - fetch: fetches what is new; false where this is no time for it.
    package init(
        clock: any ClientClock, news: @escaping @Sendable () async throws -> AsyncStream<FeedNews>,
        fetch: @escaping @Sendable () async throws -> Bool
    ) {
        self.clock = clock
        self.news = news
        self.fetch = fetch
    }

    package func start() async throws {
        guard going == nil else { return }
        let arrivals = try await news()
        going = Task { [weak self] in await self?.go(arrivals) }
    }

    package func look() {}

    package func stop() async {
        going?.cancel()
        await going?.value
        going = nil
    }

    /// Nobody waits for it: what keeps it from fetching is told where it matters, and it is tried again.
    package func status() -> [AgentStatusLine] { [] }

    private func go(_ arrivals: AsyncStream<FeedNews>) async {
        var arrivals = arrivals.filter { $0 == .feed }.makeAsyncIterator()
        while (try? await clock.sleep(seconds: Self.pause)) != nil {
            guard await isFetched() else { continue }
            guard await arrivals.next() != nil else { return }
        }
    }

    private func isFetched() async -> Bool {
        do { return try await fetch() } catch { return false }
    }
}
