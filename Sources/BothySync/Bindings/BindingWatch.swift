import BothyClient

/// Keeps a binding in sync for as long as it runs: a pass whenever something has changed on either side.
package struct BindingWatch: Sendable {
    package enum Event: Sendable {
        /// Everything has been looked at once; from now on changes are waited for.
        case watching(WatchCoverage)
        /// Something has changed on one side, and is about to be carried to the other.
        case acting
        case decided(Decision)
        /// A pass has come to its end.
        case passed(PassReport)
        /// Nothing can be done now, for this reason; it continues by itself.
        case waiting(ClientFailure)
    }

    private let engine: BindingEngine
    private let watcher: any FolderWatcher
    private let server: any ServerWatcher
    private let environment: ClientEnvironment

    /// Seconds after which everything is looked at anew, whatever was told: for disks that tell nothing.
    private static let patrol = 600.0
    /// The same where not every folder can be watched, or none since the bound one is not there.
    private static let patrolUnwatched = 30.0
    /// Seconds between one pass and the next while a file is saved on and on.
    private static let breath = 0.05

    package init(
        _ engine: BindingEngine, watcher: any FolderWatcher, server: any ServerWatcher, environment: ClientEnvironment
    ) {
        self.engine = engine
        self.watcher = watcher
        self.server = server
        self.environment = environment
    }

    /// - Throws: what time does not heal: `signInNeeded`, and the task's cancellation.
    package func run(tell: @escaping @Sendable (Event) -> Void) async throws {
        let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        await engine.carryBeside { wake.yield() }
        do {
            try await run(wakes, wake, tell)
        } catch {
            await engine.stopCarrying()
            throw error
        }
    }

    private func run(
        _ wakes: AsyncStream<Void>, _ wake: AsyncStream<Void>.Continuation, _ tell: @escaping @Sendable (Event) -> Void
    ) async throws {
        let wait = RemoteWait(server: server, environment: environment) { wake.yield() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in watcher.marks { wake.yield() } }
            group.addTask { try await wait.run() }
            defer {
                wake.finish()
                watcher.stop()
                group.cancelAll()
            }
            var rounds = wakes.makeAsyncIterator()
            var failures = 0
            var state = State()
            while true {
                try Task.checkCancellation()
                do {
                    try await pass(&state, tell, wait)
                    failures = 0
                    // What happened in a folder before it was watched, nobody told.
                    if !state.news.folders.isEmpty { continue }
                    try await rest(state, wake, &rounds)
                } catch let failure as ClientFailure where failure.isHealedByTime {
                    failures += 1
                    if failures == 1 { tell(.waiting(failure)) }
                    try await environment.clock.sleep(
                        seconds: RetryPolicy.untilNextLook(
                            after: failure, failures: failures, chance: environment.chance()))
                }
            }
        }
    }

    private struct State {
        /// What is known to be looked at besides what the watcher tells.
        var news = FolderNews.everything
        /// When everything was last looked at, in uptime.
        var wholeAt = 0.0
        var unwatched = 0
        /// Whether something else, or nothing, is in the folder's place.
        var isAway = false
        var isTold = false
        /// Passes in a row in which something failed, and when that is tried again, in uptime.
        var failures = 0
        var againAt = Double.infinity
        /// When a transfer that goes on beside is to be tried again, in uptime.
        var retryAt = Double.infinity
    }

    private func pass(
        _ state: inout State, _ tell: @escaping @Sendable (Event) -> Void, _ wait: RemoteWait
    ) async throws {
        let now = environment.clock.uptime()
        if now >= due(state) { state.news = .everything }
        state.news.formUnion(watcher.news())
        let report = try await engine.pass(
            state.news, seesAll: state.unwatched == 0, patiently: true, tell: { tell(.decided($0)) },
            begins: { tell(.acting) })
        if state.news.isEverything { state.wholeAt = now }
        note(report, &state)
        state.isAway = report.plan.sighting?.isOfAnotherFolder ?? false
        tell(.passed(report))
        await wait.go(on: engine.cursor)
        let coverage = watcher.cover(await engine.toWatch())
        state.news = FolderNews(folders: coverage.added)
        guard coverage.added.isEmpty, !state.isTold || state.unwatched != coverage.unwatched else { return }
        (state.isTold, state.unwatched) = (true, coverage.unwatched)
        tell(.watching(coverage))
    }

    /// What failed by itself is tried again, more and more seldom: nobody may ever touch it.
    private func note(_ report: PassReport, _ state: inout State) {
        state.retryAt = report.secondsToRetry.map { environment.clock.uptime() + $0 } ?? .infinity
        guard let failure = report.failed.first?.trace.failure else {
            (state.failures, state.againAt) = (0, .infinity)
            return
        }
        state.failures += 1
        let delay = RetryPolicy.delay(after: failure, failures: state.failures, chance: environment.chance())
        state.againAt = environment.clock.uptime() + delay
    }

    /// When everything is looked at, whatever was told, in uptime.
    private func due(_ state: State) -> Double { min(state.wholeAt + patrol(state), state.againAt) }

    private func patrol(_ state: State) -> Double {
        state.unwatched > 0 || state.isAway ? Self.patrolUnwatched : Self.patrol
    }

    /// Until something happens, or it is time to look anyway.
    private func rest(
        _ state: State, _ wake: AsyncStream<Void>.Continuation, _ rounds: inout AsyncStream<Void>.AsyncIterator
    ) async throws {
        let left = min(due(state), state.retryAt) - environment.clock.uptime()
        let (clock, toQuiet) = (environment.clock, await engine.secondsToQuiet())
        let seconds = toQuiet.map { min(left, $0) } ?? left
        if toQuiet != nil { try await clock.sleep(seconds: Self.breath) }
        let alarm = Task {
            try await clock.sleep(seconds: max(seconds, 0))
            wake.yield()
        }
        defer { alarm.cancel() }
        _ = await rounds.next(isolation: #isolation)
        try Task.checkCancellation()
    }
}

/// Waits at the server for something new.
private actor RemoteWait {
    private let server: any ServerWatcher
    private let environment: ClientEnvironment
    private let changed: @Sendable () -> Void
    private var cursor: String?
    private var waiter: CheckedContinuation<Void, Never>?

    init(server: any ServerWatcher, environment: ClientEnvironment, changed: @escaping @Sendable () -> Void) {
        self.server = server
        self.environment = environment
        self.changed = changed
    }

    /// All up to `cursor` is known.
    func go(on cursor: String?) {
        self.cursor = cursor
        waiter?.resume()
        waiter = nil
    }

    func run() async throws {
        while !Task.isCancelled {
            guard let cursor else {
                await withTaskCancellationHandler {
                    await withCheckedContinuation { waiter = $0 }
                } onCancel: {
                    Task { await self.go(on: nil) }
                }
                continue
            }
            do {
                try await server.next(after: cursor)
            } catch is ClientFailure {
                // The next pass meets it too, and has the words.
            }
            // It is said once, so it counts even where a pass has gone further meanwhile. That pass, or the one that it
            // leads to, says from where to wait on.
            self.cursor = nil
            changed()
        }
    }
}
