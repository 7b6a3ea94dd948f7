import BothyContract

/// How much room the account has, as the server said last: nobody waits for it.
actor AccountRoom {
    /// Seconds after which the server is asked again, where nothing happened that it would tell of.
    private static let lifetime = 60.0

    private let account: AccountRepository
    private let clock: any ClientClock
    private let replica: ReplicaEngine
    private var known: AboutResponse.Quota?
    /// Until the server says otherwise.
    private(set) var hasFeed = true
    private var askedAt: Double?
    /// How far the replica was then: what has arrived since takes room.
    private var askedOf: String?

    init(_ account: AccountRepository, replica: ReplicaEngine, clock: any ClientClock) {
        self.account = account
        self.replica = replica
        self.clock = clock
    }

    /// Before the server was ever asked, what is known here counts.
    func quota() async throws -> AboutResponse.Quota {
        let (now, cursor) = (clock.uptime(), try await replica.state().cursor)
        if askedOf != cursor || askedAt.map({ now - $0 >= Self.lifetime }) ?? true {
            (askedAt, askedOf) = (now, cursor)
            // Without a connection what was known stays.
            Task { if let about = try? await account.about() { note(about) } }
        }
        if let known { return known }
        let used = try await replica.store().ground { try RemoteFileTable.use(in: $0.db) }
        return AboutResponse.Quota(used: used.values.reduce(0) { $0 + $1.bytes }, limit: nil)
    }

    private func note(_ about: AboutResponse) { (known, hasFeed) = (about.quota, about.settings.feed ?? true) }
}
