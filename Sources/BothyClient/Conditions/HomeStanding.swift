import BothyContract

/// How a home stands, out of everything that it does.
public struct HomeStanding: DeviceStanding {
    /// How the way to the server stands, as the listener of the server knows.
    package struct Way: Equatable, Sendable {
        /// nil where it is open.
        package var failure: ClientFailure?
        package var since: Timestamp?

        package init(failure: ClientFailure? = nil, since: Timestamp? = nil) {
            self.failure = failure
            self.since = since
        }
    }

    private let home: DeviceHome
    private let clock: any ClientClock
    private let transfers: any DeviceTransfers
    private let conflicts: any ConflictsOfOneKind
    private let folders: any FoldersInStep
    private let way: @Sendable () async -> Way
    private let changed: @Sendable () async -> Void

    /// Seconds between two looks.
    private static let interval = 1.0

    /// - Parameter changed: called when a pause began or ended.
    package init(
        home: DeviceHome, clock: any ClientClock, transfers: any DeviceTransfers, conflicts: any ConflictsOfOneKind,
        folders: any FoldersInStep, way: @escaping @Sendable () async -> Way,
        changed: @escaping @Sendable () async -> Void
    ) {
        self.home = home
        self.clock = clock
        self.transfers = transfers
        self.conflicts = conflicts
        self.folders = folders
        self.way = way
        self.changed = changed
    }

    public func lines() -> AsyncThrowingStream<QuietLine, any Error> {
        Watched.stream(every: Self.interval, by: clock) { try await line() }
    }

    public func line() async throws -> QuietLine {
        let (moving, way, folders) = (try await transfers.look(most: 0), await way(), try await folders.all())
        let isSignedIn = try home.account.signedIn() != nil && way.failure?.code != .signInNeeded
        return QuietLine(
            isSignedIn: isSignedIn, pause: try await home.conditions.hold(on: .byItself),
            offline: way.failure.map { QuietLine.Offline(since: way.since, isDiskFull: $0.code == .diskFull) },
            asked: .init(
                folders: folders.count { $0.asks }, conflicts: try await conflicts.count(),
                transfers: moving.asking), open: moving.open,
            isWorking: folders.contains(where: \.isOnItsWay), asOf: try await home.replica.pulledAt())
    }

    public func pause(seconds: Int64?) async throws {
        _ = try await home.settings.setPause(seconds: seconds)
        await changed()
    }

    public func resume() async throws {
        try await home.settings.liftPause()
        await changed()
    }
}
