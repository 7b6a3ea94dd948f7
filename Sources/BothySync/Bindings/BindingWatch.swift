import BothyClient

/// Keeps a binding in step for as long as it runs: a pass whenever something has changed on either side.
package struct BindingWatch: Sendable {
    package enum Event: Sendable {
        /// Everything has been looked at once; from now on changes are waited for.
        case watching(WatchCoverage)
        case decided(Decision)
        /// A pass has come to its end.
        case passed(PassReport)
        /// Nothing can be done now, for this reason; it goes on by itself.
        case waiting(ClientFailure)
    }

    private let engine: BindingEngine
    private let watcher: any FolderWatcher
    private let drive: any DriveProvider
    private let environment: ClientEnvironment

    /// Seconds after which everything is looked at anew, whatever was told: for disks that tell nothing.
    private static let patrol = 600.0
    /// The same where not every folder can be watched.
    private static let patrolUnwatched = 30.0
    package init(
        _ engine: BindingEngine, watcher: any FolderWatcher, drive: any DriveProvider, environment: ClientEnvironment
    ) {
        self.engine = engine
        self.watcher = watcher
        self.drive = drive
        self.environment = environment
    }

    /// - Throws: what time does not heal: `signInNeeded`, and the task's cancellation.
    package func run(tell: @escaping @Sendable (Event) -> Void) async throws {
        let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let wait = RemoteWait(drive: drive, environment: environment) { wake.yield() }
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
            var told: WatchCoverage?
            while true {
                try Task.checkCancellation()
                do {
                    let coverage = try await pass(tell, wait)
                    failures = 0
                    if coverage.added > 0 { continue }
                    if told != coverage { tell(.watching(coverage)) }
                    told = coverage
                    try await rest(coverage, wake, &rounds)
                } catch let failure as ClientFailure where failure.isTransient {
                    failures += 1
                    if failures == 1 { tell(.waiting(failure)) }
                    let delay = RetryPolicy.delay(after: failure, failures: failures, chance: environment.chance())
                    try await environment.clock.sleep(seconds: delay)
                }
            }
        }
    }

    private func pass(_ tell: @escaping @Sendable (Event) -> Void, _ wait: RemoteWait) async throws -> WatchCoverage {
        let report = try await engine.pass { tell(.decided($0)) }
        tell(.passed(report))
        await wait.go(on: engine.cursor)
        return watcher.cover(await engine.lastSeen)
    }

    /// Until something happens, or it is time to look anyway.
    private func rest(
        _ coverage: WatchCoverage, _ wake: AsyncStream<Void>.Continuation,
        _ rounds: inout AsyncStream<Void>.AsyncIterator
    ) async throws {
        var seconds = coverage.unwatched > 0 ? Self.patrolUnwatched : Self.patrol
        if await engine.waitsForQuiet { seconds = Double(FolderScan.quietTime) }
        let clock = environment.clock
        let alarm = Task {
            try await clock.sleep(seconds: seconds)
            wake.yield()
        }
        defer { alarm.cancel() }
        _ = await rounds.next(isolation: #isolation)
        try Task.checkCancellation()
    }
}

/// Waits at the server for something new.
private actor RemoteWait {
    private let drive: any DriveProvider
    private let environment: ClientEnvironment
    private let changed: @Sendable () -> Void
    private var cursor: String?
    private var waiter: CheckedContinuation<Void, Never>?

    /// Seconds that one request waits at the server: below what a connection may stand still.
    private static let longPoll = 50

    init(drive: any DriveProvider, environment: ClientEnvironment, changed: @escaping @Sendable () -> Void) {
        self.drive = drive
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
        var failures = 0
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
                let answer = try await drive.waitForChanges(after: cursor, seconds: Self.longPoll)
                failures = 0
                if let pause = answer.backoffSeconds, pause > 0 {
                    try await environment.clock.sleep(seconds: Double(pause))
                }
                guard answer.changed, self.cursor == cursor else { continue }
                // The pass says from where to wait on.
                self.cursor = nil
                changed()
            } catch let failure as ClientFailure where failure.isTransient {
                failures += 1
                let delay = RetryPolicy.delay(after: failure, failures: failures, chance: environment.chance())
                try await environment.clock.sleep(seconds: delay)
            } catch is ClientFailure {
                // The next pass meets it too, and has the words.
                self.cursor = nil
                changed()
            }
        }
    }
}
