import BothyContract

/// What happens on the account's drive, from this device or another.
public struct ChangeFeed: Sendable {
    public enum Event: Sendable {
        /// What changed, each entity at its newest state, and the place in the log after it.
        case changes([Change], cursor: String)
        /// Nothing comes now, for this reason; it goes on by itself.
        case waiting(ClientFailure)
    }

    private let remote: ChangesRemoteSource
    private let environment: ClientEnvironment

    /// Seconds that one request waits at the server: below what a connection may stand still.
    private static let longPoll = 50

    package init(remote: ChangesRemoteSource, environment: ClientEnvironment) {
        self.remote = remote
        self.environment = environment
    }

    /// A cursor for «now».
    public func cursor() async throws -> String { try await remote.cursor() }

    /// One page after a cursor; without one, everything there is, parents first.
    public func page(after cursor: String?, limit: Int? = nil) async throws -> GetChangesResponse {
        try await remote.page(after: cursor, limit: limit)
    }

    /// Every change from `cursor` on (from now on, where there is none), until the reader stops.
    ///
    /// - Throws: while reading, what time does not heal: `signInNeeded`, or `refused` for a cursor that the server
    ///   does not know any more.
    public func watch(from cursor: String? = nil) -> AsyncThrowingStream<Event, any Error> {
        AsyncThrowingStream { stream in
            let task = Task {
                do {
                    try await follow(from: cursor) { stream.yield($0) }
                } catch is CancellationError {
                    stream.finish()
                } catch {
                    stream.finish(throwing: error)
                }
            }
            stream.onTermination = { _ in task.cancel() }
        }
    }

    private func follow(from start: String?, tell: (Event) -> Void) async throws {
        var cursor = start
        var failures = 0
        while true {
            try Task.checkCancellation()
            do {
                let place: String
                if let cursor { place = cursor } else { place = try await remote.cursor() }
                cursor = try await advance(from: place, tell: tell)
                failures = 0
            } catch let failure as ClientFailure where failure.isTransient {
                failures += 1
                if failures == 1 { tell(.waiting(failure)) }
                let delay = RetryPolicy.delay(after: failure, failures: failures, chance: environment.chance())
                try await environment.clock.sleep(seconds: delay)
            }
        }
    }

    /// Reads to the log's end, then waits for more.
    private func advance(from place: String, tell: (Event) -> Void) async throws -> String {
        let page = try await remote.page(after: place, limit: nil)
        if !page.changes.isEmpty { tell(.changes(page.changes, cursor: page.cursor)) }
        if page.hasMore { return page.cursor }
        let answer = try await remote.wait(after: page.cursor, seconds: Self.longPoll)
        if let pause = answer.backoffSeconds, pause > 0 {
            try await environment.clock.sleep(seconds: Double(pause))
        }
        return page.cursor
    }
}
