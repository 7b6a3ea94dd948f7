import BothyClient
import BothyContract

/// Hears of what changes on the server, and tells since when it does not.
package actor ServerPart: AgentPart {
    package nonisolated let name = "server"

    private let changes: ChangeFeed
    private let environment: ClientEnvironment
    private let advance: @Sendable () async throws -> String
    private let heard: @Sendable () -> Void
    private let returned: @Sendable () async -> Void
    private var listening: Task<Void, Never>?
    private var condition: WakeUps.Condition?
    private var failure: ClientFailure?
    /// When the server was last found to be there, or away.
    private var since: Timestamp?

    /// - Parameters:
    ///   - advance: takes in what is new on the server, and returns the place in the log up to which it did.
    ///   - heard: called when there may be something new on the server, before it is taken in.
    ///   - returned: called when there is a way to the server again.
    package init(
        changes: ChangeFeed, environment: ClientEnvironment, advance: @escaping @Sendable () async throws -> String,
        heard: @escaping @Sendable () -> Void = {}, returned: @escaping @Sendable () async -> Void = {}
    ) {
        self.changes = changes
        self.environment = environment
        self.advance = advance
        self.heard = heard
        self.returned = returned
    }

    package func start() {
        guard listening == nil else { return }
        failure = nil
        let conditions = AsyncStream<WakeUps.Condition>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let wakeUps = changes.wakeUps { conditions.continuation.yield($0) }
        listening = Task { [weak self] in
            await withTaskGroup { group in
                group.addTask { for await condition in conditions.stream { await self?.note(condition) } }
                group.addTask {
                    await self?.listen(wakeUps)
                    conditions.continuation.finish()
                }
            }
        }
    }

    /// What a person may have mended (signed in again) is tried again.
    package func look() {
        guard failure != nil else { return }
        listening = nil
        start()
    }

    package func stop() async {
        listening?.cancel()
        await listening?.value
        listening = nil
        condition = nil
        since = nil
    }

    package func status() -> [AgentStatusLine] {
        if let failure { return [AgentStatusLine(name, failure, since: since)] }
        guard let condition else { return [AgentStatusLine(name, .working, "Connecting.")] }
        if let failure = condition.failure { return [AgentStatusLine(name, failure, since: since)] }
        return [AgentStatusLine(name, .idle, Self.words(condition.way), since: since)]
    }

    /// The same for screens.
    package func way() -> HomeStanding.Way {
        HomeStanding.Way(failure: failure ?? condition?.failure, since: since)
    }

    private static func words(_ way: WakeMachine.Way) -> String {
        switch way {
        case .stream: "Connected. Changes arrive as they happen."
        case .longPoll: "Connected. Changes arrive with a short delay, as a proxy delays event streams."
        case .poll: "Connected. Changes are polled once a minute, as a proxy ends long requests."
        }
    }

    private func note(_ new: WakeUps.Condition) {
        let wasAway = condition?.failure != nil
        if condition == nil || wasAway != (new.failure != nil) { since = environment.clock.now() }
        condition = new
        if wasAway, new.failure == nil { Task { [returned] in await returned() } }
    }

    private func listen(_ wakeUps: WakeUps) async {
        var failures = 0
        while let unforeseen = await hear(wakeUps) {
            // Of this device, a database that was busy for long: nobody tells when that is over.
            failures += 1
            note(.init(way: condition?.way ?? .stream, failure: unforeseen))
            let pause = RetryPolicy.untilNextLook(
                after: unforeseen, failures: failures, chance: environment.chance())
            guard (try? await environment.clock.sleep(seconds: pause)) != nil else { return }
        }
    }

    /// Hears until something ends that.
    ///
    /// - Returns: what did, where that may pass without a person; nil where it is told of, or the one who ended it knows.
    private func hear(_ wakeUps: WakeUps) async -> ClientFailure? {
        do {
            var expired = 0
            while true {
                let place = try await upToDate()
                do {
                    try await wakeUps.next(after: place)
                    heard()
                    expired = 0
                } catch let failure as ClientFailure where failure.problem?.code == .cursorExpired {
                    // The server has another past than it had a moment ago: what is known here is brought up to it.
                    heard()
                    expired += 1
                    guard expired <= Self.mostExpirations else { throw failure }
                }
            }
        } catch let failure as ClientFailure where !failure.isOwnTrouble && failure.code != .unexpected {
            self.failure = failure
            since = environment.clock.now()
            return nil
        } catch {
            return Task.isCancelled || error is CancellationError ? nil : AgentHold.failure(error)
        }
    }

    /// The place of the log up to which everything is known here, however long it takes to learn it.
    private func upToDate() async throws -> String {
        var failures = 0
        while true {
            do {
                let place = try await advance()
                note(.init(way: condition?.way ?? .stream, failure: nil))
                return place
            } catch let failure as ClientFailure where failure.isHealedByTime || failure.code == .diskFull {
                // Nobody tells when a person has freed some room.
                failures += 1
                note(.init(way: condition?.way ?? .stream, failure: failure))
                try await environment.clock.sleep(
                    seconds: RetryPolicy.untilNextLook(
                        after: failure, failures: failures, chance: environment.chance()))
            }
        }
    }

    /// A server that calls its own new cursors expired is not followed for ever.
    private static let mostExpirations = 3
}
