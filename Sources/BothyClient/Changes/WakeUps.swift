import BothyContract

/// Tells one reader of the change log when there is something new to read, and costs nothing while there is not.
package actor WakeUps {
    /// How well this device hears of changes.
    package struct Condition: Equatable, Sendable {
        package var way: WakeMachine.Way
        /// Why nothing is heard now; it continues by itself.
        package var failure: ClientFailure?

        package init(way: WakeMachine.Way, failure: ClientFailure?) {
            self.way = way
            self.failure = failure
        }
    }

    private let remote: ChangesRemoteSource
    private let environment: ClientEnvironment
    private let times: WakeTimes
    private let tell: @Sendable (Condition) -> Void
    private let news: @Sendable (FeedNews) -> Void
    private var machine: WakeMachine
    private var told: Condition?
    private var connection: EventConnection?
    /// When the stream greeted, in uptime.
    private var greetedAt: Double?

    /// - Parameters:
    ///   - tell: called whenever the condition is another one.
    ///   - news: called for what is new, and no change of the drive.
    package init(
        remote: ChangesRemoteSource, environment: ClientEnvironment, times: WakeTimes = WakeTimes(),
        tell: @escaping @Sendable (Condition) -> Void = { _ in },
        news: @escaping @Sendable (FeedNews) -> Void = { _ in }
    ) {
        self.news = news
        self.remote = remote
        self.environment = environment
        self.times = times
        self.tell = tell
        machine = WakeMachine(times: times)
    }

    deinit { connection?.close() }

    /// Returns once the log has something after `cursor`; now and then for nothing. One call at a time.
    ///
    /// - Throws: what time does not heal (`signInNeeded`; `refused` for a cursor that the server does not know any
    ///   more), and `CancellationError`.
    package func next(after cursor: String) async throws {
        while true {
            try Task.checkCancellation()
            switch machine.step(now: environment.clock.uptime()) {
            case .listen:
                if try await listen(after: cursor) { return }
            case .wait(let seconds):
                if try await wait(after: cursor, seconds: seconds) { return }
            case .rest(let seconds):
                try await environment.clock.sleep(seconds: seconds)
                try note(.rested)
            }
        }
    }

    /// - Returns: whether there is something new.
    private func listen(after cursor: String) async throws -> Bool {
        let stream = opened(after: cursor)
        switch try await signal(of: stream) {
        case .greeted:
            greetedAt = environment.clock.uptime()
            try note(.greeted)
            // What came while nothing was heard was told to nobody.
            FeedNews.allCases.forEach(news)
        case .told(let place):
            return Self.isNewer(place, than: cursor)
        case .ended(let failure):
            let lived = greetedAt.map { environment.clock.uptime() - $0 } ?? 0
            drop()
            try note(.streamEnded(failure, lived: lived))
        case .nothing:
            try Task.checkCancellation()
            drop()
            try note(.mute)
        }
        return false
    }

    /// - Returns: `nothing` when the stream does not greet in time.
    private func signal(of stream: EventConnection) async throws -> EventConnection.Signal {
        if greetedAt != nil { return await stream.next() }
        let (clock, bound) = (environment.clock, times.greeting)
        return try await withThrowingTaskGroup(of: EventConnection.Signal.self) { group in
            group.addTask { await stream.next() }
            group.addTask {
                try await clock.sleep(seconds: bound)
                return .nothing
            }
            defer { group.cancelAll() }
            return try await group.next() ?? .nothing
        }
    }

    private func opened(after cursor: String) -> EventConnection {
        if let connection { return connection }
        let fresh = EventConnection(tell: news)
        let remote = remote
        fresh.open { try await remote.events(after: cursor, into: $0) }
        connection = fresh
        return fresh
    }

    private func drop() {
        connection?.close()
        connection = nil
        greetedAt = nil
    }

    private func wait(after cursor: String, seconds: Int) async throws -> Bool {
        let asked = environment.clock.uptime()
        do {
            let answer = try await remote.wait(after: cursor, seconds: seconds)
            try note(.answered(changed: answer.changed, backoff: answer.backoffSeconds))
            return answer.changed
        } catch let failure as ClientFailure {
            try note(.waitFailed(failure, lived: environment.clock.uptime() - asked))
            return false
        }
    }

    private func note(_ event: WakeMachine.Event) throws {
        try machine.handle(event, now: environment.clock.uptime(), chance: environment.chance())
        let condition = Condition(way: machine.way, failure: machine.failure)
        if condition != told {
            told = condition
            tell(condition)
        }
    }

    /// Places of one log are in order; of another past, the reader is told by the server.
    private static func isNewer(_ place: String, than cursor: String) -> Bool {
        guard let place = ChangeCursor(text: place), let cursor = ChangeCursor(text: cursor),
            place.epoch == cursor.epoch
        else { return place != cursor }
        return place.sequence > cursor.sequence
    }
}
