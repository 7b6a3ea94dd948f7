import BothyContract

/// What happens on the account's drive, from this device or another.
public struct ChangeFeed: Sendable {
    /// Changes, or why there are none now.
    public enum Event: Sendable {
        /// What changed, each entity at its newest state, and the place in the log after it.
        case changes([Change], cursor: String)
        /// Nothing comes now, for this reason; it continues by itself.
        case waiting(ClientFailure)
    }

    private let remote: ChangesRemoteSource
    private let environment: ClientEnvironment
    private let board: FeedNewsBoard

    /// - Parameter board: where it is told what is new, and no change of the drive.
    package init(
        remote: ChangesRemoteSource, environment: ClientEnvironment, board: FeedNewsBoard = FeedNewsBoard()
    ) {
        self.board = board
        self.remote = remote
        self.environment = environment
    }

    /// A cursor for «now».
    public func cursor() async throws -> String { try await remote.cursor() }

    /// The same, asked once: for a caller that waits as long as it takes.
    package func cursorNow() async throws -> String { try await remote.cursor(retries: .none) }

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

    /// What tells a reader of the log that there is something new.
    ///
    /// - Parameter tell: called whenever it hears, or no longer does.
    package func wakeUps(tell: @escaping @Sendable (WakeUps.Condition) -> Void = { _ in }) -> WakeUps {
        WakeUps(remote: remote, environment: environment, tell: tell, news: { [board] in board.tell($0) })
    }

    private func follow(from start: String?, tell: @escaping @Sendable (Event) -> Void) async throws {
        let wakeUps = wakeUps { condition in
            if let failure = condition.failure { tell(.waiting(failure)) }
        }
        var place: String
        if let start { place = start } else { place = try await patiently(tell) { try await cursorNow() } }
        while true {
            let page = try await patiently(tell) { [place] in try await remote.page(after: place, limit: nil) }
            if !page.changes.isEmpty { tell(.changes(page.changes, cursor: page.cursor)) }
            place = page.cursor
            if !page.hasMore { try await wakeUps.next(after: place) }
        }
    }

    /// Asks until there is an answer, however long the network or the server is away.
    private func patiently<Answer: Sendable>(
        _ tell: (Event) -> Void, _ ask: () async throws -> Answer
    ) async throws -> Answer {
        var failures = 0
        while true {
            try Task.checkCancellation()
            do {
                return try await ask()
            } catch let failure as ClientFailure where failure.isTransient {
                failures += 1
                if failures == 1 { tell(.waiting(failure)) }
                try await environment.clock.sleep(
                    seconds: RetryPolicy.untilNextLook(
                        after: failure, failures: failures, chance: environment.chance()))
            }
        }
    }
}
