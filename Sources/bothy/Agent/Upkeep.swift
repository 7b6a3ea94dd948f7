import BothyClient
import BothySync

/// Keeps what a home holds within its bounds, now and then: an agent hears of changes more often than it matters to them.
actor Upkeep {
    private let home: DeviceHome
    private let clock: any ClientClock
    private var last: Double?

    /// Seconds between two times.
    private static let pause = 600.0

    init(home: DeviceHome, clock: any ClientClock) {
        self.home = home
        self.clock = clock
    }

    func run() async throws {
        let now = clock.uptime()
        if let last, now - last < Self.pause { return }
        last = now
        try await Self.once(home)
    }

    static func once(_ home: DeviceHome) async throws {
        let bound = try await FolderBindings(home: home).all().map(\.remoteId)
        try await home.keepWithinBounds(bound: Set(bound))
    }
}
