import BothyAgent
import BothyClient
import BothyContract
import BothySync

/// Keeps what a home holds within its bounds, now and then: an agent hears of changes more often than it matters to them.
///
/// What keeps it from that is told in the status, and tried again.
actor Upkeep: AgentPart {
    nonisolated let name = "upkeep"

    private let clock: any ClientClock
    private let work: @Sendable () async throws -> Void
    private var last: Double?
    private var failure: ClientFailure?
    private var since: Timestamp?

    /// Seconds between two times, and after one that failed.
    private static let pause = 600.0
    private static let pauseAfterFailure = 60.0

    init(clock: any ClientClock, work: @escaping @Sendable () async throws -> Void) {
        self.clock = clock
        self.work = work
    }

    /// Does what is due.
    func run() async {
        let now = clock.uptime()
        if let last, now - last < (failure == nil ? Self.pause : Self.pauseAfterFailure) { return }
        last = now
        do {
            try await work()
            failure = nil
            since = nil
        } catch {
            failure = AgentHold.failure(error)
            since = since ?? clock.now()
        }
    }

    func start() {}
    func look() async { if failure != nil { await run() } }
    func stop() {}
    func status() -> [AgentStatusLine] { failure.map { [AgentStatusLine(name, $0, since: since)] } ?? [] }

    static func once(_ home: DeviceHome) async throws {
        let bound = try await FolderBindings(home: home).all().map(\.remoteId)
        try await home.keepWithinBounds(bound: Set(bound))
    }
}
