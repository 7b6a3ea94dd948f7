import BothyClient
import BothySync
import Synchronization

/// `bothy sync --watch`: keeps one folder in sync for as long as it runs. A command that wants the folder meanwhile, to confirm
/// something or to take it back, is lent it.
struct SyncWatch {
    let bindings: FolderBindings
    let home: DeviceHome
    let output: OutputOptions

    /// - Parameter confirming: confirms first what a guard has stopped at.
    func run(_ binding: Binding, confirming: Bool) async throws {
        #if os(Linux)
            let said = SaidWhileWatching()
            // Fails where another process watches it: a watch lends the folder only for a moment.
            _ = try bindings.takeLock(binding)
            let desk = try bindings.lend(binding)
            var isFirst = true
            try await waitWhileHeld()
            while try await keep(binding, confirming: confirming && isFirst, said, desk) {
                try await desk.waitUntilReturned()
                try await waitWhileHeld()
                try Task.checkCancellation()
                isFirst = false
            }
            output.note("“\(binding.localPath)” is no longer synced.")
        #else
            throw Complaint(
                .wrongUsage, "--watch works only on Linux so far.", remedy: "Use --once.", status: .wrongUsage)
        #endif
    }

    #if os(Linux)
        /// - Returns: whether it was kept until somebody wanted it; not where it is not synced with anything any more.
        private func keep(
            _ binding: Binding, confirming: Bool, _ said: SaidWhileWatching, _ desk: LendingDesk
        ) async throws -> Bool {
            let lock = try await takeBack(binding)
            defer { withExtendedLifetime(lock) {} }
            // What a command changed about it meanwhile holds from here on.
            guard let binding = try await bindings.store.find(binding.id) else { return false }
            let session = try SyncSession(binding, isNew: false, bindings: bindings, home: home, output: output)
            if confirming { try await session.confirm() }
            try await session.watch(said) { try await waitUntilStopped(desk) }
            return true
        }

        /// Returns once somebody wants the folder, or something holds back automatic work.
        private func waitUntilStopped(_ desk: LendingDesk) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await desk.waitUntilAsked() }
                group.addTask {
                    while try await home.conditions.hold(on: .byItself) == nil {
                        try await Home.environment.clock.sleep(seconds: Self.looksAtConditions)
                    }
                }
                defer { group.cancelAll() }
                _ = try await group.next()
            }
        }

        private func waitWhileHeld() async throws {
            guard let held = try await home.conditions.hold(on: .byItself) else { return }
            output.note("\(held.words) \(held.remedy)")
            while try await home.conditions.hold(on: .byItself) != nil {
                try await Home.environment.clock.sleep(seconds: Self.looksAtConditions)
            }
            output.note("Syncing has resumed.")
        }

        /// Seconds between two looks at what may hold it back: a row or two of the home's database.
        private static let looksAtConditions = 1.0

        /// Says so where another has it for longer than a command's moment: the agent, say, that came first when it was given back.
        private func takeBack(_ binding: Binding) async throws -> FileLock {
            let telling = Task {
                try await Home.environment.clock.sleep(seconds: Self.longLoan)
                output.note(
                    "The agent or another command is syncing “\(binding.localPath)”. This command continues when that ends."
                )
            }
            defer { telling.cancel() }
            return try await bindings.takeBack(binding)
        }

        /// Seconds.
        private static let longLoan = 5.0
    #endif
}

/// What was told already of a folder that is watched.
final class SaidWhileWatching: Sendable {
    private let held = Mutex<Guard.Sighting?>(nil)
    private let unwatched = Mutex<Int?>(nil)
    private let standing = Mutex<Set<String>>([])
    private let leftOut = Mutex(false)

    /// - Returns: what a guard holds; nil for what was told, and for nothing.
    func new(_ plan: Plan) -> Guard.Sighting? {
        held.withLock { told in
            let sighting = plan.sighting
            // What it will say of what has just been deleted is not known yet.
            if sighting == nil, plan.waitsForMore { return nil }
            defer { told = sighting }
            guard let sighting, let told, sighting.isKnown(from: told) else { return sighting }
            return nil
        }
    }

    /// - Returns: of the lines about what waits those that the pass before had not.
    func new(_ lines: [String]) -> [String] {
        standing.withLock { told in
            defer { told = Set(lines) }
            return lines.filter { !told.contains($0) }
        }
    }

    /// - Returns: what rules leave out, once: what a program writes there all day is no news.
    func first(_ leftOut: String?) -> String? {
        guard let leftOut else { return nil }
        return self.leftOut.withLock { isTold in
            defer { isTold = true }
            return isTold ? nil : leftOut
        }
    }

    func isNew(_ coverage: WatchCoverage) -> Bool {
        unwatched.withLock { told in
            defer { told = coverage.unwatched }
            return told != coverage.unwatched
        }
    }
}
