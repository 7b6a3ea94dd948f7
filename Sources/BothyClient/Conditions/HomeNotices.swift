import BothyContract

/// What a desktop shows for a person who does not look at Bothy.
package protocol Desktop: Sendable {
    /// Whether there is one now.
    func isThere() async -> Bool

    /// - Returns: false where nobody showed it.
    func show(_ notice: DeviceNotice) async -> Bool
}

/// Looks at a home for what its person wants to hear of, and tells the desktop; browsers, where there is none.
package actor HomeNotices: DeviceNotices {
    /// Seconds between two looks: each asks the database a few questions.
    private static let interval = 3.0
    /// Transfers that are looked at for those that failed.
    private static let mostTransfers = 100
    /// Notices that wait for a browser that takes none.
    private static let mostUntold = 16

    private let home: DeviceHome
    private let clock: any ClientClock
    private let desktop: any Desktop
    private let look: @Sendable () async throws -> NoticeMachine.Look
    /// What people did.
    private let unread: UnreadNotifications
    private var machine = NoticeMachine()
    private var listeners = [Int: AsyncStream<DeviceNotice>.Continuation]()
    private var listened = 0
    private var looking: Task<Void, Never>?

    package init(
        home: DeviceHome, clock: any ClientClock, desktop: any Desktop, transfers: any DeviceTransfers,
        conflicts: any ConflictsOfOneKind, folders: any FoldersInStep,
        way: @escaping @Sendable () async -> HomeStanding.Way
    ) {
        self.home = home
        self.clock = clock
        self.desktop = desktop
        unread = UnreadNotifications(home.notifications)
        look = {
            var look = NoticeMachine.Look()
            look.needsSignIn = await way().failure?.code == .signInNeeded
            look.waiting[.held] = Self.names(
                try await folders.all().filter(\.isHeld).map { ($0.id, $0.localPath.lastName) })
            // Counting is cheap, and mostly there is nothing. Where there is, each is looked at: as many as before may be others.
            let asking = try await transfers.look(most: 0).asking
            let items = asking > 0 ? try await transfers.look(most: Self.mostTransfers).items : []
            look.waiting[.failed] = Self.names(items.filter { $0.state == .failed }.map { ($0.id, $0.name) })
            let waiting = try await conflicts.count() > 0 ? try await conflicts.waiting() : []
            look.waiting[.conflict] = Self.names(waiting.map { ($0.id, $0.name) })
            look.arrived = try await home.replica.takeArrivals()
            return look
        }
    }

    private static func names(_ things: [(String, String)]) -> [String: String] {
        Dictionary(things, uniquingKeysWith: { first, _ in first })
    }

    /// Looks from now on, until `stop`.
    package func start() {
        looking = Task { [clock] in
            repeat { await self.lookOnce() } while (try? await clock.sleep(seconds: Self.interval)) != nil
        }
    }

    package func stop() async {
        looking?.cancel()
        await looking?.value
        await unread.stop()
        for listener in listeners.values { listener.finish() }
    }

    package func lookOnce() async {
        // What cannot be looked at now is looked at the next time.
        guard var now = try? await look(), let wanted = try? await kinds() else { return }
        // The server is asked for nothing that nobody wants to hear of.
        if !wanted.isDisjoint(with: [.mention, .comment, .follow]) {
            now.waiting.merge(await unread.look().filter { wanted.contains($0.key) }) { $1 }
        }
        for notice in machine.take(now) where wanted.contains(notice.kind) { await tell(notice) }
    }

    private func tell(_ notice: DeviceNotice) async {
        guard await !desktop.show(notice) else { return }
        for listener in listeners.values { listener.yield(notice) }
    }

    // MARK: - As screens look at it

    package func kinds() async throws -> Set<NoticeKind> { try await home.settings.noticeKinds() }

    package func set(_ kinds: Set<NoticeKind>) async throws {
        try await home.settings.setNoticeKinds(kinds)
    }

    package func reachesDesktop() async -> Bool { await desktop.isThere() }

    package func untold() -> AsyncStream<DeviceNotice> {
        let (stream, continuation) = AsyncStream<DeviceNotice>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.mostUntold))
        listened += 1
        let number = listened
        listeners[number] = continuation
        continuation.onTermination = { [weak self] _ in Task { await self?.letGo(number) } }
        return stream
    }

    private func letGo(_ number: Int) { listeners[number] = nil }
}

extension String {
    /// Of a path.
    fileprivate var lastName: String { split(separator: "/").last.map(String.init) ?? self }
}
